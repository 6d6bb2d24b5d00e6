/*
 * epoch_matching: epochs of one-sided communication: which post an access waited for, and which accesses a fence.
 *
 * A window is a communicator in the parts. An origin's put or get belongs to the epoch that its last MPI_Win_start on
 * the window began. Accesses between two fences are reported to their targets, which count the fences of a window in
 * the same way. Both also count pairs of processes that a fence synchronises, and those of them that exchanged no data.
 */
#ifndef FATHOM_WAITS_EPOCH_MATCHING_H
#define FATHOM_WAITS_EPOCH_MATCHING_H

#include "waits/search_state.h"

struct fathom_waits_epochs;

/* Creates the state; NULL: no memory. Context: finish. */
struct fathom_waits_epochs *fathom_waits_epochs_create(struct fathom_waits_state *state);

/* Frees the state. Context: finish. */
void fathom_waits_epochs_destroy(struct fathom_waits_epochs *epochs);

/* Takes a part of an operation, forward; only parts of the kind FATHOM_WAITS_RMA matter. 0 or -errno. Context:
 * finish. */
int fathom_waits_epochs_visit(struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location,
			      uint32_t record, const struct fathom_waits_part *part);

/* Returns when the last access of a location to a target in a window ended; -INFINITY: there was none since the last
 * call for this target. Context: finish. */
double fathom_waits_epochs_last_access(struct fathom_waits_epochs *epochs,
				       const struct fathom_waits_location_state *location,
				       const struct fathom_waits_part *part);

/* The access that began in an operation was exposed by an operation of the target, entered at time. 0 or -ENOMEM.
 * Context: finish. */
int fathom_waits_epochs_exposed(struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location,
				uint32_t record, const struct fathom_waits_op_name *post, double time);

/* Takes a message between hosts of the type FATHOM_WAITS_MAIL_ACCESS. 0 or -errno. Context: finish. */
int fathom_waits_epochs_take_access(struct fathom_waits_epochs *epochs, const void *data, size_t bytes);

/* Called for all parts in the order of a location's log, after all parts were visited: finds out whether the operation
 * waited. 0 or -ENOMEM. Context: finish. */
int fathom_waits_epochs_judge(struct fathom_waits_epochs *epochs, struct fathom_waits_location_state *location,
			      uint32_t record, const struct fathom_waits_part *part);

/* Returns the part of an operation's waiting that belongs to the child of its pattern: a late complete, an early fence.
 * Context: finish. */
double fathom_waits_epochs_child(const struct fathom_waits_epochs *epochs,
				 const struct fathom_waits_location_state *location, uint32_t record);

#endif
