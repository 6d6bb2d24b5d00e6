/*
 * run_result: writing the result of this process, or of all processes together.
 */
#ifndef FATHOM_RUN_RUN_RESULT_H
#define FATHOM_RUN_RUN_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_comm;
struct fathom_result;

/* The program's work ends here, as far as the calling thread does it: stops its counters, notes its processor time, and
 * returns the time in ticks. Context: finish, signal. */
uint64_t fathom_run_result_end_work(void);

/*
 * Fills in what is to be said of the result of the processes of comm together. end_ticks: when the program's work
 * ended; 0: it ends when all processes are here, because a process that waits for the others in MPI_Finalize does that
 * in the program's time. date: room for a text that must live as long as result. Context: finish; signal where
 * may_allocate is false.
 */
void fathom_run_result_describe(struct fathom_result *result, struct fathom_comm *comm, uint64_t end_ticks, char *date,
				size_t date_bytes, bool may_allocate);

/*
 * Lets the substrate write its result, the profile to path. A limit on the size of files that is met while writing must
 * be an error for the substrate, and not the end of the program; so must a stderr that nobody reads: libraries print
 * there. 0 or -errno. Context: finish; signal where result->may_allocate is false.
 */
int fathom_run_result_write(const char *path, struct fathom_comm *comm, struct fathom_result *result);

/*
 * Where this process alone puts its result: path becomes that of the whole profile or, in an MPI program, of the rank's
 * part. Makes the experiment directory if there is none yet. 0 or -errno, which has been said. Context: finish; signal
 * where may_allocate is false.
 */
int fathom_run_result_path(char *path, size_t bytes, bool may_allocate);

/* No result can be written: removes hidden files of the substrate. Context: finish, signal. */
void fathom_run_result_discard(void);

#endif
