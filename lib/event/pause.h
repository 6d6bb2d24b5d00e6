/*
 * pause: a paused thread records nothing, because the program asked for this.
 *
 * Every enter of a paused thread pushes a placeholder frame (location.h), so that each exit still finds its frame,
 * and regions that were entered before the pause end at the right time. Below the placeholder frames, the region
 * MEASUREMENT OFF gets the time of the pause in profiles. The teams that a paused thread forks, and the threads that
 * it creates, are paused from their beginning.
 *
 * The hot path does not test whether the thread is paused: the limit of a paused stack of frames is its root, so
 * every enter takes the slow path. A pause belongs to the stack of frames; therefore a task that is suspended during
 * a pause is still paused when it continues.
 *
 * MPI calls are recorded for a trace also during a pause, because messages need both ends.
 */
#ifndef FATHOM_EVENT_PAUSE_H
#define FATHOM_EVENT_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"

/* fathom_pause_init defines the region MEASUREMENT OFF; 0 or -ENOMEM. fathom_pause_is_region returns true if region
 * is this one. Context: start; hook. */
int fathom_pause_init(void);
bool fathom_pause_is_region(const struct fathom_region *region);

/* Begins a pause of the calling thread, whose location is self, inside the innermost region. Context: hook. */
void fathom_pause_begin(struct fathom_location *self, uintptr_t here, uint64_t now);

/* Ends the pause. Context: hook. */
void fathom_pause_end(struct fathom_location *self, uintptr_t here, uint64_t now);

/* Notifies the trace that events are recorded (on) or not recorded from the time now on. now is 0 for the time of the
 * last record. Context: hook. */
void fathom_pause_notify(struct fathom_location *self, uintptr_t here, bool on, uint64_t now);

#endif
