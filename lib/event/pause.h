/*
 * pause: a thread that records nothing for a while, because the program said so.
 *
 * paused    a stack of frames on which every enter makes a placeholder frame (location.h): so exits find their enters,
 * and
 *           what was entered before ends where it ends. At the bottom of the placeholder frames stands, for the
 *           profile, the region MEASUREMENT OFF, which has the time. Teams that a paused thread forks and threads that
 *           it creates are paused from their beginning.
 *
 * The hot path knows nothing of it: the limit of a paused stack is its root, so every enter takes the way for rare
 * cases. Whether it is paused goes with the stack where tasks are switched.
 *
 * Where a trace is written, MPI goes on being recorded: messages need both ends.
 */
#ifndef FATHOM_EVENT_PAUSE_H
#define FATHOM_EVENT_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"

/* The region of the time. Context: start. */
int fathom_pause_init(void);
bool fathom_pause_is_region(const struct fathom_region *region);

/* The thread is paused from here on, in the innermost region. Context: hook. */
void fathom_pause_begin(struct fathom_location *self, uintptr_t here, uint64_t now);

/* It is not any more. Context: hook. */
void fathom_pause_end(struct fathom_location *self, uintptr_t here, uint64_t now);

/* Tell the trace that what follows is recorded, or is not; now 0: since its last record. Context: hook. */
void fathom_pause_notify(struct fathom_location *self, uintptr_t here, bool on, uint64_t now);

#endif
