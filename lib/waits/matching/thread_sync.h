/*
 * thread_sync: barriers of teams, locks and forks inside of a process: who was last, and who released a lock.
 */
#ifndef FATHOM_WAITS_THREAD_SYNC_H
#define FATHOM_WAITS_THREAD_SYNC_H

#include "waits/search_state.h"

struct fathom_waits_threads;

/* Creates the state; NULL: no memory. Context: finish. */
struct fathom_waits_threads *fathom_waits_threads_create(struct fathom_waits_state *state);

/* Frees the state. Context: finish. */
void fathom_waits_threads_destroy(struct fathom_waits_threads *threads);

/* Takes a part of an operation; parts that are not about threads are ignored. 0 or -errno. Context: finish. */
int fathom_waits_threads_visit(struct fathom_waits_threads *threads, struct fathom_waits_location_state *location,
			       uint32_t record, const struct fathom_waits_part *part);

/* Called for all parts after all parts of all operations were visited: finds out whether the operation waited, and
 * charges the holders of locks. Context: finish. */
void fathom_waits_threads_judge(struct fathom_waits_threads *threads, struct fathom_waits_location_state *location,
				uint32_t record, const struct fathom_waits_part *part);

/* Finds the operation that forked a team of a process. False: it is not known. Context: finish. */
bool fathom_waits_threads_fork(const struct fathom_waits_threads *threads, uint32_t process, uint32_t team,
			       struct fathom_waits_op_name *fork);

#endif
