/*
 * pause: a thread that records nothing for a while, because the program said so.
 *
 * paused    a stack of frames on which every enter makes a placeholder frame (location.h): so exits are told apart, and
 *           what was entered before ends where it ends. At the bottom of the placeholder frames stands, for the
 *           profile, the region MEASUREMENT OFF, which has the time. Teams that a paused thread forks and threads that
 *           it creates are paused from their beginning.
 *
 * The hot path knows nothing of it: the limit of a paused stack seems to be below all its frames, so every enter takes
 * the way for unusual ones. The limit goes with the stack where tasks are switched.
 *
 * Where a trace is written, MPI goes on being recorded: messages need both ends.
 */
#ifndef FATHOM_EVENT_PAUSE_H
#define FATHOM_EVENT_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"

/* Frames are aligned to that many bits, and there is no memory below 2^32 of which this would not be true. */
enum { FATHOM_PAUSE_SHIFT = 4 };

static inline bool fathom_pause_has(const struct fathom_frame *root, const struct fathom_frame *limit)
{
	return (uintptr_t)limit < (uintptr_t)root;
}

static inline bool fathom_pause_is_on(const struct fathom_location *self)
{
	return fathom_pause_has(self->root, self->limit);
}

/* The limit as it is without, or with it. */
static inline struct fathom_frame *fathom_pause_real(const struct fathom_frame *root, struct fathom_frame *limit)
{
	return fathom_pause_has(root, limit) ? (struct fathom_frame *)((uintptr_t)limit << FATHOM_PAUSE_SHIFT) : limit;
}

static inline struct fathom_frame *fathom_pause_limit(struct fathom_frame *real)
{
	return (struct fathom_frame *)((uintptr_t)real >> FATHOM_PAUSE_SHIFT);
}

/* The stack that self is on is paused, or not any more; without a region that has the time. Context: hook. */
static inline void fathom_pause_set(struct fathom_location *self, bool on)
{
	struct fathom_frame *real = fathom_pause_real(self->root, self->limit);

	self->limit = on ? fathom_pause_limit(real) : real;
}

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
