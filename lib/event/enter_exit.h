/*
 * enter_exit: the one door through which enters and exits of regions come.
 *
 * fathom_door_enter and fathom_door_exit are inlined into the functions of event.h that wrappers and hooks call
 * (enter_exit.c); which kind of hook calls is a constant there. What is left of a call is the common case alone: the
 * thread's location is not busy, there is room for the frame, and the stack pointer shows that the innermost frame is
 * active. Everything else is in fathom_door_enter_rarely and fathom_door_exit_rarely.
 *
 * For each frame the location keeps where the thread's stack pointer was, which costs one store and tells, at the next
 * event, whether longjmp or an exception has left regions without an exit: a frame below the present stack pointer
 * is not active any more.
 */
#ifndef FATHOM_EVENT_ENTER_EXIT_H
#define FATHOM_EVENT_ENTER_EXIT_H

#include <stdbool.h>
#include <stdint.h>

#include "define/region.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/state.h"

/* The kind of code that reports an enter or exit. */
enum fathom_hook {
	FATHOM_HOOK_CALL,	/* a wrapper. The region may be disabled; stack is the stack pointer of the wrapper's
				 * caller */
	FATHOM_HOOK_EARLY,	/* an early hook: the same, but the region was enabled a moment ago. (Where it is not
				 * any more, the exit will be recorded, too.) */
	FATHOM_HOOK_LATE,	/* a late hook. At enters, the region was enabled a moment ago. stack is the stack
				 * pointer at the function's first instruction, and again at its last: no other
				 * active frame has the same. The hook wants its vector registers back as they are */
	FATHOM_HOOK_BLOCK,	/* a wrapper enters a block, which ends with the frame around it and not when the stack
				 * pointer moves. The region may be disabled */
};

/*
 * All other enters and exits: the location is busy, paused or without room, the innermost frame is not active any
 * more, the exit belongs to another frame, or the region is disabled. now: 0 if the region is disabled. An exit says
 * by the function whether a late hook calls: a fourth argument would cost the common case two instructions.
 * Context: birth.
 */
FATHOM_HIDDEN void fathom_door_enter_rarely(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook);
FATHOM_HIDDEN void fathom_door_exit_rarely(const struct fathom_region *region, uintptr_t stack, uint64_t now);
FATHOM_HIDDEN void fathom_door_exit_late_rarely(const struct fathom_region *region, uintptr_t stack, uint64_t now);

/* Call the first and the third of these for late hooks: they leave vector registers as they are (platform/vectors.h).
 * Context: birth. */
extern FATHOM_HIDDEN __typeof__(fathom_door_enter_rarely) fathom_door_enter_rarely_kept;
extern FATHOM_HIDDEN __typeof__(fathom_door_exit_late_rarely) fathom_door_exit_late_rarely_kept;

/* Whether a region that is entered with the stack pointer at stack can be inside the region of frame. Context: hook. */
static inline bool fathom_door_is_inside(const struct fathom_frame *frame, uintptr_t stack, enum fathom_hook hook)
{
	return hook == FATHOM_HOOK_LATE ? stack < frame->stack : stack <= frame->stack;
}

/* Whether an enter or exit of a disabled region changes nothing: the innermost frame is active and belongs to another
 * region, so this activation is not recorded, and no recorded activation ends. Context: hook. */
static inline bool fathom_door_is_unrecorded(const struct fathom_location *self, const struct fathom_region *region,
					     uintptr_t stack, enum fathom_hook hook)
{
	if (hook == FATHOM_HOOK_LATE)
		return likely(!self->busy && stack < self->top->stack);
	return likely(!self->busy && !self->lost_depth && fathom_frame_region(self->top) != region &&
		      stack <= self->top->stack);
}

/* Context: hook. */
static inline void fathom_door_enter(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook)
{
	bool is_enabled = hook == FATHOM_HOOK_EARLY || hook == FATHOM_HOOK_LATE || !fathom_region_is_disabled(region);
	struct fathom_location *self = fathom_self;
	struct fathom_frame *around = self->top;

	if (likely(is_enabled && fathom_door_is_inside(around, stack, hook) && fathom_is_zero(&self->busy) &&
		   around + 1 < self->limit)) {
		fathom_frame_push(self, around + 1, region, hook == FATHOM_HOOK_BLOCK ? around->stack : stack, stack);
		fathom.enter(self, around + 1);		/* reads the clock last */
	} else if (hook == FATHOM_HOOK_LATE) {
		fathom_door_enter_rarely_kept(region, stack, hook);
	} else if (is_enabled || !fathom_door_is_unrecorded(self, region, stack, hook)) {
		fathom_door_enter_rarely(region, stack, hook);
	}
}

/* The region of the innermost frame ends. Context: hook. */
static inline void fathom_door_exit_innermost(struct fathom_location *self, struct fathom_frame *frame, uintptr_t stack,
					      uint64_t now)
{
	fathom_location_begin(self, stack);
	fathom.exit(self, frame, now);
}

/* now: the time, which the caller has read first of all. Context: hook. */
static inline void fathom_door_exit(const struct fathom_region *region, uintptr_t stack, uint64_t now,
				    enum fathom_hook hook)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;
	/* A hook may be called by a jump from the function's end: then stack is the stack pointer of its caller. */
	bool is_its = frame->region == region &&
		      (hook == FATHOM_HOOK_LATE ? frame->stack == stack : stack <= frame[-1].stack);

	if (likely(fathom_is_zero(&self->busy) && is_its))
		fathom_door_exit_innermost(self, frame, stack, now);
	else if (hook == FATHOM_HOOK_LATE)
		fathom_door_exit_late_rarely_kept(region, stack, now);
	else
		fathom_door_exit_rarely(region, stack, now);
}

#endif
