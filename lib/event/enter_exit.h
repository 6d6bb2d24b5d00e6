/*
 * enter_exit: the two functions that all enters and exits of regions pass.
 *
 * The compiler inlines fathom_enter_region and fathom_exit_region into those functions of event.h that wrappers and
 * hooks call (enter_exit.c). The argument hook is a constant there, so the compiler removes all tests of it. The
 * inlined code handles only the common case: the thread's location is not busy, there is room for the frame, and the
 * stack pointer shows that the innermost frame is active. fathom_enter_region_slow and fathom_exit_region_slow handle
 * all other cases.
 *
 * Each frame holds the thread's stack pointer at its enter, which costs one store. The next event compares this value
 * with the present stack pointer, and so finds out whether longjmp or an exception has left regions without an exit:
 * a frame whose stack pointer is below the present one is not active any more.
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
	FATHOM_HOOK_EARLY,	/* an early hook. stack is the stack pointer of the hook's caller. The hook has just
				 * found that the region is enabled; if another thread disables it now, both enter and
				 * exit are recorded */
	FATHOM_HOOK_LATE,	/* a late hook. At an enter, the hook has just found that the region is enabled. stack
				 * is the stack pointer at the function's first instruction, and at its last one; no
				 * other active frame has the same value. The hook needs its vector registers
				 * unchanged */
	FATHOM_HOOK_BLOCK,	/* a wrapper enters a block. A block ends with the frame around it, not when the stack
				 * pointer moves. The region may be disabled */
};

/*
 * Handle all enters and exits other than the common case: the location is busy, paused or without room, the innermost
 * frame is not active any more, the exit belongs to another frame, or the region is disabled. now: the time, or 0 if
 * the region is disabled. The exits of late hooks have a function of their own, because a fourth argument would cost
 * the common case two instructions. Context: birth.
 */
FATHOM_HIDDEN void fathom_enter_region_slow(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook);
FATHOM_HIDDEN void fathom_exit_region_slow(const struct fathom_region *region, uintptr_t stack, uint64_t now);
FATHOM_HIDDEN void fathom_exit_region_late_slow(const struct fathom_region *region, uintptr_t stack, uint64_t now);

/* Variants for late hooks: they save vector registers and call fathom_enter_region_slow or
 * fathom_exit_region_late_slow (platform/vectors.h). Context: birth. */
extern FATHOM_HIDDEN __typeof__(fathom_enter_region_slow) fathom_enter_region_slow_kept;
extern FATHOM_HIDDEN __typeof__(fathom_exit_region_late_slow) fathom_exit_region_late_slow_kept;

/* Returns true if a region that is entered with the stack pointer at stack can be inside the region of frame.
 * Context: hook. */
static inline bool fathom_enter_is_inside(const struct fathom_frame *frame, uintptr_t stack, enum fathom_hook hook)
{
	return hook == FATHOM_HOOK_LATE ? stack < frame->stack : stack <= frame->stack;
}

/* Returns true if an enter or exit of a disabled region changes nothing, because the innermost frame is active and
 * belongs to another region: this activation is not recorded, and no recorded activation ends. Context: hook. */
static inline bool fathom_activation_is_unrecorded(const struct fathom_location *self,
						   const struct fathom_region *region, uintptr_t stack,
						   enum fathom_hook hook)
{
	if (hook == FATHOM_HOOK_LATE)
		return likely(!self->busy && stack < self->top->stack);
	return likely(!self->busy && !self->lost_depth && fathom_frame_region(self->top) != region &&
		      stack <= self->top->stack);
}

/* Handles the enter of region with the stack pointer at stack, for a hook of this kind. Context: hook. */
static inline void fathom_enter_region(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook)
{
	bool is_enabled = hook == FATHOM_HOOK_EARLY || hook == FATHOM_HOOK_LATE || !fathom_region_is_disabled(region);
	struct fathom_location *self = fathom_self;
	struct fathom_frame *around = self->top;

	if (likely(is_enabled && fathom_enter_is_inside(around, stack, hook) && fathom_is_zero(&self->busy) &&
		   around + 1 < self->limit)) {
		fathom_frame_push(self, around + 1, region, hook == FATHOM_HOOK_BLOCK ? around->stack : stack, stack);
		fathom.enter(self, around + 1);		/* reads the clock last */
	} else if (hook == FATHOM_HOOK_LATE) {
		fathom_enter_region_slow_kept(region, stack, hook);
	} else if (is_enabled || !fathom_activation_is_unrecorded(self, region, stack, hook)) {
		fathom_enter_region_slow(region, stack, hook);
	}
}

/* Ends the region of frame, which is the innermost frame. Context: hook. */
static inline void fathom_exit_innermost(struct fathom_location *self, struct fathom_frame *frame, uintptr_t stack,
					 uint64_t now)
{
	fathom_location_begin(self, stack);
	fathom.exit(self, frame, now);
}

/* Handles the exit of region with the stack pointer at stack. now: the time, which the caller reads before anything
 * else. Context: hook. */
static inline void fathom_exit_region(const struct fathom_region *region, uintptr_t stack, uint64_t now,
				      enum fathom_hook hook)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;
	/* The function may call the hook by a jump at its end: then stack is the stack pointer of the function's
	 * caller. */
	bool is_its = frame->region == region &&
		      (hook == FATHOM_HOOK_LATE ? frame->stack == stack : stack <= frame[-1].stack);

	if (likely(fathom_is_zero(&self->busy) && is_its))
		fathom_exit_innermost(self, frame, stack, now);
	else if (hook == FATHOM_HOOK_LATE)
		fathom_exit_region_late_slow_kept(region, stack, now);
	else
		fathom_exit_region_slow(region, stack, now);
}

#endif
