#include "event/enter_exit.h"

#include <stddef.h>

#include "event/event.h"
#include "event/jumps/coroutine.h"
#include "event/nesting.h"
#include "event/pause.h"
#include "platform/clock.h"
#include "platform/vectors.h"

/* The stack pointer of the caller of the function that uses this macro. */
#define HERE ((uintptr_t)__builtin_dwarf_cfa())

FATHOM_KEEPS_VECTORS(fathom_enter_region_slow);
FATHOM_KEEPS_VECTORS(fathom_exit_region_late_slow);

/* --- the rare enter --------------------------------------------------------------------------------- */

/* Handles an enter on a paused thread: it pushes a placeholder frame and returns NULL. Traces need both ends of a
 * message; therefore MPI calls are recorded even on a paused thread if there is a trace. For these the function
 * returns the frame to use. */
static struct fathom_frame *enter_paused(struct fathom_location *self, const struct fathom_region *region,
					 struct fathom_frame *frame, uintptr_t frame_stack, uintptr_t here)
{
	bool is_recorded = region->paradigm == FATHOM_PARADIGM_MPI && fathom_event_traces();

	fathom_pause_notify(self, here, is_recorded, is_recorded ? fathom_clock_ticks() : 0);
	if (is_recorded)
		return frame;
	fathom_frame_enter_placeholder(self, frame, region, frame_stack, here);
	if (region->paradigm == FATHOM_PARADIGM_MPI)
		fathom_frame_match_only(self);
	return NULL;
}

/* Ends the frames that are not active any more with the stack pointer at here, and returns the frame above the top.
 * If the frame of MEASUREMENT OFF was among the ended ones, the function pauses the thread again. NULL: drop the
 * enter. */
static struct fathom_frame *room(struct fathom_location *self, uintptr_t here)
{
	bool was_paused = self->is_paused;
	struct fathom_frame *frame = fathom_frame_room(self, here);

	if (unlikely(was_paused != self->is_paused)) {
		fathom_pause_begin(self, here, fathom_clock_ticks());
		frame = fathom_frame_room(self, here);
	}
	fathom_location_set_limit(self);
	return frame;
}

FATHOM_COLD void fathom_enter_region_slow(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook)
{
	bool is_enabled = hook == FATHOM_HOOK_EARLY || hook == FATHOM_HOOK_LATE || !fathom_region_is_disabled(region);
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame;
	uintptr_t frame_stack;

	if (!is_enabled && fathom_peek(&region->switched) == FATHOM_SWITCH_DRAINED)
		return;
	if (self->busy) {
		self = fathom_location_resolve_busy(self, stack);
		if (!self)
			return;
	}
	/* Each active frame has a different stack pointer with late hooks: a frame that has the same one is not
	 * active any more. */
	frame = room(self, hook == FATHOM_HOOK_LATE ? stack + 1 : stack);
	if (!frame)
		return;
	frame_stack = hook == FATHOM_HOOK_BLOCK ? fathom_frame_block_stack(frame) : stack;
	if (!is_enabled) {
		if (fathom_frame_region(self->top) == region)
			fathom_frame_enter_placeholder(self, frame, region, frame_stack, stack);
		return;
	}
	if (self->is_paused)
		frame = enter_paused(self, region, frame, frame_stack, stack);
	if (!frame)
		return;
	fathom_frame_push(self, frame, region, frame_stack, stack);
	fathom.enter(self, frame);
}

/* The region of MPI calls that are not recorded. It is in no list of regions. */
static const struct fathom_region unrecorded_call = {
	.name = "unrecorded MPI call",
	.paradigm = FATHOM_PARADIGM_MPI,
	.switched = FATHOM_SWITCH_DISABLED,
};

const struct fathom_region *fathom_event_enter_unrecorded(void)
{
	const struct fathom_substrate *substrate = fathom.substrate;
	struct fathom_location *self;
	struct fathom_frame *frame;

	if (!substrate || !substrate->matches_unrecorded || !fathom_peek(substrate->matches_unrecorded))
		return NULL;
	frame = fathom_frame_block(&self, HERE);
	if (!frame)
		return NULL;
	fathom_frame_enter_placeholder(self, frame, &unrecorded_call, HERE, HERE);
	fathom_frame_match_only(self);
	return &unrecorded_call;
}

/* --- the rare exit ---------------------------------------------------------------------------------- */

/*
 * Returns the frame that an exit of region with the stack pointer at stack belongs to. NULL: there is none, which is
 * an error only if all enters of the region are recorded.
 */
static struct fathom_frame *frame_of(struct fathom_location *self, const struct fathom_region *region, uintptr_t stack,
				     enum fathom_hook hook)
{
	bool is_exact = hook == FATHOM_HOOK_LATE;
	bool was_switched = fathom_peek(&region->switched) != FATHOM_SWITCH_ON;

	for (struct fathom_frame *frame = self->top; !(frame->flags & FATHOM_FRAME_BOTTOM); frame--) {
		if (fathom_frame_region(frame) == region && (!is_exact || stack == frame->stack))
			return frame;
		if (was_switched && fathom_enter_is_inside(frame, stack, hook))
			return NULL;	/* frame is active, and the activation that ends was entered above it without
					 * a record */
	}
	if (!was_switched)
		fathom_location_drop(self, FATHOM_DROP_UNBALANCED);
	return NULL;
}

/* Ends the region of frame and the regions above it. User regions above frame are noted, because the program should
 * have ended them itself. */
static void leave_to(struct fathom_location *self, struct fathom_frame *frame, const struct fathom_region *region,
		     uintptr_t here, uint64_t now)
{
	for (; self->top > frame; fathom_frame_pop(self, here, now)) {
		const struct fathom_region *inner = self->top->region;

		if (inner && inner->paradigm == FATHOM_PARADIGM_USER &&
		    !(self->top->flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_PAUSE)))
			fathom_nesting_note(inner, region);
	}
	fathom_frame_pop(self, here, now);
}

/* Returns true if the exit belongs to an enter that was too deep to be recorded. */
static bool is_lost(const struct fathom_location *self, uintptr_t stack, enum fathom_hook hook)
{
	return self->lost_depth && fathom_enter_is_inside(&self->top[-1], stack, hook);
}

/* Handles the exit of region on self, which is not busy. */
static void exit_on(struct fathom_location *self, const struct fathom_region *region, uintptr_t stack, uint64_t now,
		    enum fathom_hook hook)
{
	bool was_paused = self->is_paused;
	struct fathom_frame *frame;

	if (self->lost_depth)
		fathom_frame_forget_lost(self);
	if (unlikely(self->coroutine))
		fathom_coroutine_follow(self, stack, now);
	/* The function may call the exit hook by a jump at its end: then stack is the stack pointer of the function's
	 * caller. Therefore the top frame is certainly not active any more only if the frame below it is not active
	 * either. */
	while (hook != FATHOM_HOOK_LATE && stack > self->top[-1].stack &&
	       fathom_location_is_stale(self->top[-1].stack, stack))
		fathom_frame_pop(self, stack, now);
	frame = frame_of(self, region, stack, hook);
	if (frame)
		leave_to(self, frame, region, stack, now);
	else if (hook == FATHOM_HOOK_LATE)
		fathom_frame_end_stale(self, stack, now);
	/* The exit may have ended the frame of MEASUREMENT OFF together with its own; the thread stays paused all the
	 * same. */
	if (was_paused && !self->is_paused)
		fathom_pause_begin(self, stack, now);
}

static void exit_rarely(const struct fathom_region *region, uintptr_t stack, uint64_t now, enum fathom_hook hook)
{
	struct fathom_location *self = fathom_self;

	if (!now) {
		/* Late hooks do not report enters of disabled regions to the core, so such an activation is not among
		 * the lost ones. */
		if (fathom_peek(&region->switched) == FATHOM_SWITCH_DRAINED ||
		    (hook == FATHOM_HOOK_LATE && is_lost(self, stack, hook)))
			return;
		now = fathom_clock_ticks();
	}
	if (self->busy) {
		self = fathom_location_resolve_busy(self, stack);
		if (!self)
			return;
	}
	if (!is_lost(self, stack, hook))
		exit_on(self, region, stack, now, hook);
	else if (--self->lost_depth == 0)
		fathom_frame_forget_lost(self);
}

FATHOM_COLD void fathom_exit_region_slow(const struct fathom_region *region, uintptr_t stack, uint64_t now)
{
	exit_rarely(region, stack, now, FATHOM_HOOK_CALL);
}

FATHOM_COLD void fathom_exit_region_late_slow(const struct fathom_region *region, uintptr_t stack, uint64_t now)
{
	exit_rarely(region, stack, now, FATHOM_HOOK_LATE);
}

/* --- exits of enabled and of disabled regions ----------------------------------------------------------- */

static FATHOM_COLD void exit_by_system_clock(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook)
{
	fathom_exit_region(region, stack, fathom_clock_monotonic_ns(), hook);
}

static inline void exit_enabled(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook)
{
	if (fathom_clock_is_counter())
		fathom_exit_region(region, stack, fathom_clock_counter(), hook);
	else
		exit_by_system_clock(region, stack, hook);
}

/* Calls the substrate's sampling point, where the substrate finds out which disabled regions are drained by now. */
FATHOM_HIDDEN void fathom_event_sampling_point(struct fathom_location *self);
FATHOM_COLD void fathom_event_sampling_point(struct fathom_location *self)
{
	if (fathom.substrate->sampling_point)
		fathom.substrate->sampling_point(self);
}
FATHOM_KEEPS_VECTORS(fathom_event_sampling_point);

/* Number of exits of disabled regions between two sampling points. */
enum { EXITS_PER_SAMPLING_POINT = 1 << 14 };

static inline void exit_disabled(const struct fathom_region *region, uintptr_t stack, enum fathom_hook hook)
{
	struct fathom_location *self = fathom_self;
	bool is_unrecorded = fathom_activation_is_unrecorded(self, region, stack, hook);

	if (is_unrecorded && likely(++self->disabled_exits % EXITS_PER_SAMPLING_POINT))
		return;
	if (hook == FATHOM_HOOK_LATE && is_unrecorded)
		fathom_event_sampling_point_kept(self);
	else if (hook == FATHOM_HOOK_LATE)
		fathom_exit_region_late_slow_kept(region, stack, 0);
	else if (is_unrecorded)
		fathom_event_sampling_point(self);
	else
		fathom_exit_region_slow(region, stack, 0);
}

/* --- the functions that wrappers and hooks call ----------------------------------------------------------- */

void fathom_event_enter(const struct fathom_region *region)
{
	fathom_enter_region(region, HERE, FATHOM_HOOK_CALL);
}

void fathom_event_enter_block(const struct fathom_region *region)
{
	fathom_enter_region(region, HERE, FATHOM_HOOK_BLOCK);
}

void fathom_event_exit(const struct fathom_region *region)
{
	if (unlikely(fathom_region_is_disabled(region)))
		exit_disabled(region, HERE, FATHOM_HOOK_CALL);
	else
		exit_enabled(region, HERE, FATHOM_HOOK_CALL);
}

/* Stores the time of the exit in the record of the operation. */
static inline void end_operation(struct fathom_location *self, uint64_t now)
{
	/* The two lowest bits say that the record is an operation, see waits/operation.h. */
	fathom_poke(self->operation_end, now << 2);
	self->operation_end = NULL;
}

void fathom_event_exit_operation(const struct fathom_region *region)
{
	struct fathom_location *self = fathom_self;
	uint64_t now;

	if (unlikely(fathom_region_is_disabled(region))) {
		if (self->operation_end)
			end_operation(self, fathom_clock_ticks());
		exit_disabled(region, HERE, FATHOM_HOOK_CALL);
		return;
	}
	now = fathom_clock_ticks();
	if (self->operation_end)
		end_operation(self, now);
	fathom_exit_region(region, HERE, now, FATHOM_HOOK_CALL);
}

void fathom_event_enter_early(const struct fathom_region *region)
{
	fathom_enter_region(region, HERE, FATHOM_HOOK_EARLY);
}

void fathom_event_exit_early(const struct fathom_region *region)
{
	exit_enabled(region, HERE, FATHOM_HOOK_EARLY);
}

void fathom_event_enter_late(const struct fathom_region *region, uintptr_t stack)
{
	fathom_enter_region(region, stack, FATHOM_HOOK_LATE);
}

void fathom_event_exit_late(const struct fathom_region *region, uintptr_t stack)
{
	if (unlikely(fathom_region_is_disabled(region)))
		exit_disabled(region, stack, FATHOM_HOOK_LATE);
	else
		exit_enabled(region, stack, FATHOM_HOOK_LATE);
}

static void no_exit(const uint8_t *code, uintptr_t stack)
{
	(void)code, (void)stack;
}

static void (*exit_of_other_code)(const uint8_t *code, uintptr_t stack) = no_exit;

void fathom_event_set_other_exit(void (*other)(const uint8_t *code, uintptr_t stack))
{
	exit_of_other_code = other;
}

void fathom_event_exit_late_code(const uint8_t *code, uintptr_t stack)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;

	/* Frames without a region have another stack pointer, and the region of placeholder frames has no code. */
	if (likely(frame->stack == stack && frame->region->code == code && fathom_is_zero(&self->busy)))
		fathom_exit_innermost(self, frame, stack, fathom_clock_counter());
	else
		exit_of_other_code(code, stack);
}

bool fathom_event_keeps_vectors(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(FATHOM_FOR_THREAD_SANITIZER)
	return false;
#else
	return fathom_clock_is_counter() && fathom.substrate && fathom.substrate->keeps_vectors;
#endif
}
