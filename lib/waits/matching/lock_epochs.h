/*
 * lock_epochs: passive epochs of one-sided communication: who waited until another process unlocked the window.
 *
 * Each origin tells the host of the target about its epochs. There they are put into the order of their ends. An epoch
 * competes with the one before it, unless both locks are shared; the origin then looks for the call that lasted until
 * the other epoch was over. MPI_Win_lock_all counts as a shared lock of each process that the epoch accesses.
 */
#ifndef FATHOM_WAITS_LOCK_EPOCHS_H
#define FATHOM_WAITS_LOCK_EPOCHS_H

#include "waits/search_state.h"

struct fathom_waits_lock_epochs;

/* Creates the state; NULL: no memory. Context: finish. */
struct fathom_waits_lock_epochs *fathom_waits_lock_epochs_create(struct fathom_waits_state *state);

/* Frees the state. Context: finish. */
void fathom_waits_lock_epochs_destroy(struct fathom_waits_lock_epochs *epochs);

/* Takes a part of an operation, forward; only locks and unlocks of windows matter. 0 or -errno. Context: finish. */
int fathom_waits_lock_epochs_visit(struct fathom_waits_lock_epochs *epochs,
				   const struct fathom_waits_location_state *location, uint32_t record,
				   const struct fathom_waits_part *part);

/* Takes a message between hosts of the type FATHOM_WAITS_MAIL_EPOCH. 0 or -errno. Context: finish. */
int fathom_waits_lock_epochs_take(struct fathom_waits_lock_epochs *epochs, const void *data, size_t bytes);

/* Finds out who waited, when all parts were visited. Called by all hosts together. 0 or -errno. Context: finish. */
int fathom_waits_lock_epochs_judge(struct fathom_waits_lock_epochs *epochs);

#endif
