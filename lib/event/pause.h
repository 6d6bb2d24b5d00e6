/*
 * pause: a paused thread records nothing, because the program asked for that.
 *
 * Every enter of a paused thread pushes a placeholder frame (location.h), so each exit still finds its frame, and what
 * was entered before the pause ends where it ends. Below the placeholder frames, the region MEASUREMENT OFF gets the
 * time of the pause in profiles. Teams that a paused thread forks, and threads that it creates, are paused from their
 * beginning.
 *
 * The hot path has no test for it: the limit of a paused stack of frames is its root, so every enter is a rare one. A
 * pause belongs to the stack of frames, so a task that is suspended in a pause is still paused when it goes on.
 *
 * Where a trace is written, MPI calls are recorded all the same, because messages need both ends.
 */
#ifndef FATHOM_EVENT_PAUSE_H
#define FATHOM_EVENT_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"

/* Defines the region MEASUREMENT OFF. 0 or -ENOMEM. And whether region is that. Context: start; hook. */
int fathom_pause_init(void);
bool fathom_pause_is_region(const struct fathom_region *region);

/* Begins a pause of the calling thread, whose location is self, inside the innermost region. Context: hook. */
void fathom_pause_begin(struct fathom_location *self, uintptr_t here, uint64_t now);

/* Ends the pause. Context: hook. */
void fathom_pause_end(struct fathom_location *self, uintptr_t here, uint64_t now);

/* Notifies the trace that events are recorded from now on, or are not. now 0: since its last record. Context: hook. */
void fathom_pause_notify(struct fathom_location *self, uintptr_t here, bool on, uint64_t now);

#endif
