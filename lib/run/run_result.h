/*
 * run_result: describes and writes the result of this process, or of all processes together.
 */
#ifndef FATHOM_RUN_RUN_RESULT_H
#define FATHOM_RUN_RUN_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_comm;
struct fathom_result;

/* Notes that the program's work ends now: stops the counters of the calling thread and notes the processor time.
 * Returns the time in ticks. Context: finish, signal. */
uint64_t fathom_run_result_end_work(void);

/*
 * Fills in *result, the description of the result that the processes of comm write together. end_ticks: when the
 * program's work ended; 0: it ends during this call, when all processes have arrived, because the time that a process
 * waits for the others in MPI_Finalize belongs to the program. date: room for a text to which *result will point.
 * Context: finish; signal if may_allocate is false.
 */
void fathom_run_result_describe(struct fathom_result *result, struct fathom_comm *comm, uint64_t end_ticks, char *date,
				size_t date_bytes, bool may_allocate);

/*
 * Lets the substrate write its result, a profile to path. Meanwhile SIGXFSZ and SIGPIPE do not end the program: to
 * exceed the limit on file sizes is an error for the substrate, and libraries may print to a stderr that nobody reads.
 * Returns 0 or -errno. Context: finish; signal if result->may_allocate is false.
 */
int fathom_run_result_write(const char *path, struct fathom_comm *comm, struct fathom_result *result);

/*
 * Finds out where this process alone writes its result: sets path to that of the profile or, in an MPI program, of the
 * rank's part, and sets the directory of the trace in fathom_run. Makes the experiment directory if there is none yet.
 * Returns 0, or -errno after a message. Context: finish; signal if may_allocate is false.
 */
int fathom_run_result_path(char *path, size_t bytes, bool may_allocate);

/* Removes temporary files of the substrate, because no result can be written. Context: finish, signal. */
void fathom_run_result_discard(void);

#endif
