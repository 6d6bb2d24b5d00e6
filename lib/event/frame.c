#include "event/frame.h"

#include <signal.h>
#include <stddef.h>

#include "define/region.h"
#include "event/nesting.h"
#include "event/state.h"
#include "event/teams/tasks.h"
#include "platform/clock.h"

const struct fathom_region fathom_placeholder_region = { .name = "placeholder" };

void fathom_frame_pop(struct fathom_location *self, uintptr_t here, uint64_t now)
{
	bool is_pause = self->top->flags & FATHOM_FRAME_PAUSE;

	fathom_location_begin(self, here);
	if (likely(!fathom_frame_is_placeholder(self->top)))
		fathom.exit(self, self->top, now);
	else
		fathom_location_end(self, self->top - 1);
	if (unlikely(is_pause && self->is_paused)) {
		fathom_location_set_paused(self, false);
		FATHOM_NOTIFY(self, here, on_off, true, now);
	}
}

void fathom_frame_pop_to(struct fathom_location *self, struct fathom_frame *frame, uintptr_t here, uint64_t now)
{
	if (self->lost_depth)
		fathom_frame_forget_lost(self);
	while (self->top > frame)
		fathom_frame_pop(self, here, now);
}

void fathom_frame_end_stale(struct fathom_location *self, uintptr_t here, uint64_t now)
{
	while (here > self->top->stack && fathom_location_is_stale(self->top->stack, here))
		fathom_frame_pop(self, here, now);
}

/* Returns true if a jump to the stack pointer here leaves a region that was entered with the stack pointer at old:
 * old is deeper on the same stack, or on the alternate signal stack, which the jump leaves. */
static bool is_left_behind(uintptr_t old, uintptr_t here)
{
	stack_t alternate;

	if (old < here && here - old <= FATHOM_LARGEST_STACK_BYTES)
		return true;
	if (old == FATHOM_STACK_HIGHEST || (old >= here && old - here <= FATHOM_LARGEST_STACK_BYTES) ||
	    sigaltstack(NULL, &alternate))
		return false;
	return (alternate.ss_flags & SS_ONSTACK) && old - (uintptr_t)alternate.ss_sp <= alternate.ss_size;
}

void fathom_frame_unwind(uintptr_t here)
{
	struct fathom_location *self = fathom_self;
	uint64_t now;

	if (self->busy == FATHOM_BUSY_FOR_EVER || self->lost_depth)
		return;
	if (self->busy) {
		if (here - self->busy > FATHOM_LARGEST_STACK_BYTES)
			return;		/* the signal handler that interrupted the core jumps within itself */
		fathom_location_repair(self);
		self->busy = 0;
	}
	now = fathom_clock_ticks();
	while (is_left_behind(self->top->stack, here))
		fathom_frame_pop(self, (uintptr_t)__builtin_dwarf_cfa(), now);
}

void fathom_frame_forget_lost(struct fathom_location *self)
{
	self->lost_depth = 0;
	fathom_poke(&self->top, self->top - 1);
}

/* Ends the worker's part in the team if the team is over. The innermost frame is the worker's last barrier. */
static void end_orphan(struct fathom_location *self)
{
	if (self->team)
		self->team->end_orphan(self);
}

struct fathom_frame *fathom_frame_room(struct fathom_location *self, uintptr_t here)
{
	if (self->lost_depth && here <= self->top[-1].stack) {
		self->lost_depth++;
		return NULL;
	}
	if (self->lost_depth)
		fathom_frame_forget_lost(self);
	if (self->top->flags & FATHOM_FRAME_ORPHANED)
		end_orphan(self);
	if (here > self->top->stack)
		fathom_frame_end_stale(self, here, fathom_clock_ticks());
	if (self->top + 1 < self->end || fathom_location_grow(self))
		return self->top + 1;
	/* One frame without a region stands for all activations that are lost. allocate_frames left room for it. */
	self->top[1] = (struct fathom_frame){ .region = NULL, .stack = 0, .flags = FATHOM_FRAME_LOST };
	fathom_poke(&self->top, self->top + 1);
	self->lost_depth = 1;
	fathom_location_drop(self, FATHOM_DROP_DEPTH);
	return NULL;
}

void fathom_frame_note_open(const struct fathom_location *self, const struct fathom_frame *frame,
			    const struct fathom_region *outer)
{
	for (const struct fathom_frame *open = self->top; open > frame; open--) {
		const struct fathom_region *region = open->region;

		if (region && region->paradigm == FATHOM_PARADIGM_USER &&
		    !(open->flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_PAUSE)))
			fathom_nesting_note(region, outer);
	}
}

struct fathom_frame *fathom_frame_block(struct fathom_location **self, uintptr_t here)
{
	*self = fathom_self;
	if (unlikely((*self)->busy)) {
		*self = fathom_location_resolve_busy(*self, here);
		if (!*self)
			return NULL;
	}
	return fathom_frame_room(*self, here);
}

void fathom_frame_enter_placeholder(struct fathom_location *self, struct fathom_frame *frame,
			       const struct fathom_region *region, uintptr_t stack, uintptr_t here)
{
	fathom_location_begin(self, here);
	fathom_poke(&frame->flags, FATHOM_FRAME_PLACEHOLDER);
	fathom_poke(&frame->unrecorded, region);
	fathom_poke(&frame->region, &fathom_placeholder_region);
	fathom_poke(&frame->stack, stack);
	fathom_poke(&frame->node, frame[-1].node);
	fathom_poke(&frame->enter_ticks, frame[-1].enter_ticks);
	fathom_location_end(self, frame);
}

void fathom_frame_match_only(struct fathom_location *self)
{
	const bool *is_wanted = fathom.substrate->matches_unrecorded;

	if (!is_wanted || !fathom_peek(is_wanted))
		return;
	self->match_only_begin = fathom_clock_ticks();
	fathom_poke(&self->top->flags, self->top->flags | FATHOM_FRAME_MATCH_ONLY);
}

void fathom_frame_enter_at(struct fathom_location *self, struct fathom_frame *frame, const struct fathom_region *region,
			   uintptr_t here, uint64_t now)
{
	uintptr_t stack = fathom_frame_block_stack(frame);

	if (unlikely(fathom_region_is_disabled(region) || self->is_paused)) {
		fathom_frame_enter_placeholder(self, frame, region, stack, here);
		return;
	}
	fathom_frame_push(self, frame, region, stack, here);
	fathom_poke(&frame->flags, FATHOM_FRAME_UNTRACED);
	fathom.substrate->chain.enter_at(self, frame, now);
}
