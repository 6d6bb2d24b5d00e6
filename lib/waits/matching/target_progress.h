/*
 * target_progress: calls of passive epochs that waited until their target called MPI.
 *
 * Where MPI makes progress only in its own calls, a lock, a flush, an unlock, a put or a get waits while the target is
 * in code of the program. The origin sends such a call to the host of the target; a flush or unlock of all targets, to
 * those that were accessed since the last flush. If a target was outside of MPI when the call began, and entered MPI
 * before the call ended, the call waited for this.
 */
#ifndef FATHOM_WAITS_TARGET_PROGRESS_H
#define FATHOM_WAITS_TARGET_PROGRESS_H

#include "waits/search_state.h"

struct fathom_waits_progress;

/* Creates the state; NULL: no memory. Context: finish. */
struct fathom_waits_progress *fathom_waits_progress_create(struct fathom_waits_state *state);

/* Frees the state. Context: finish. */
void fathom_waits_progress_destroy(struct fathom_waits_progress *progress);

/* Takes a part of an operation, forward; only calls of passive epochs matter. 0 or -errno. Context: finish. */
int fathom_waits_progress_visit(struct fathom_waits_progress *progress,
				const struct fathom_waits_location_state *location, uint32_t record,
				const struct fathom_waits_part *part);

/* Takes a message between hosts of the type FATHOM_WAITS_MAIL_PROGRESS. 0 or -errno. Context: finish. */
int fathom_waits_progress_take(struct fathom_waits_progress *progress, const void *data, size_t bytes);

/* Finds out which calls waited, when all parts were visited and lock competition is known. Called by all hosts
 * together. 0 or -errno. Context: finish. */
int fathom_waits_progress_judge(struct fathom_waits_progress *progress);

#endif
