/*
 * The core's hot path. An event passes: wrapper -> here -> substrate.
 *
 * Each location keeps a stack of the regions it is in. For every one it also keeps where the thread's
 * own stack was, which costs one store and tells, at the next event, whether longjmp or an
 * exception has left regions without an exit: a frame below the present stack pointer is dead.
 */
#include "event/event.h"

#include <stddef.h>
#include <string.h>

#include "define/region.h"
#include "define/topology.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/pause.h"
#include "event/nesting.h"
#include "event/state.h"
#include "event/coroutine.h"
#include "platform/clock.h"
#include "platform/vectors.h"

static inline void push(struct fathom_location *self, struct fathom_frame *frame, const struct fathom_region *region,
			uintptr_t here)
{
	fathom_location_begin(self, here);
	fathom_poke(&frame->region, region);
	fathom_poke(&frame->stack, here);
	fathom_poke(&frame->flags, 0);
	fathom.enter(self, frame);	/* reads the clock last; exit reads it first */
}

/* A paused thread: what is entered leaves a placeholder frame. Returns a place for what is recorded all the same. */
static FATHOM_COLD struct fathom_frame *enter_paused(struct fathom_location *self, const struct fathom_region *region,
						    struct fathom_frame *frame, uintptr_t stack, uintptr_t here)
{
	bool is_recorded = region->paradigm == FATHOM_PARADIGM_MPI && fathom_event_traces();

	fathom_pause_notify(self, here, is_recorded, is_recorded ? fathom_clock_ticks() : 0);
	if (is_recorded)
		return frame;
	fathom_frame_enter_placeholder(self, frame, region, stack, here);
	return NULL;
}

/* Room where a frame may be put on top. What the thread left without an exit is over by now; if MEASUREMENT OFF was
 * among that, the thread is still paused. */
static struct fathom_frame *room(struct fathom_location *self, uintptr_t here)
{
	bool was_paused = self->is_paused;
	struct fathom_frame *frame = fathom_frame_room(self, here);

	if (likely(was_paused == self->is_paused))
		return frame;
	fathom_pause_begin(self, here, fathom_clock_ticks());
	return fathom_frame_room(self, here);
}

/* An enter on a location that is busy (initial_location, gone, or inside our own code), or with something to
 * be done to its stack of regions first. Regions entered below floor are over. */
static void enter_unusually(const struct fathom_region *region, uintptr_t here, uintptr_t floor)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame;

	if (self->busy) {
		self = fathom_location_wake(self, here);
		if (!self)
			return;
	}
	frame = room(self, floor);
	fathom_location_set_limit(self);
	if (frame && unlikely(self->is_paused))
		frame = enter_paused(self, region, frame, here, here);
	if (frame)
		push(self, frame, region, here);
}

static FATHOM_COLD void unusual_enter(const struct fathom_region *region, uintptr_t here)
{
	enter_unusually(region, here, here);
}

FATHOM_HIDDEN void fathom_event_unusual_enter_here(const struct fathom_region *region, uintptr_t here);
FATHOM_COLD void fathom_event_unusual_enter_here(const struct fathom_region *region, uintptr_t here)
{
	enter_unusually(region, here, here + 1);	/* also those entered there */
}
FATHOM_KEEPS_VECTORS(fathom_event_unusual_enter_here);

/* Whether what is entered with the stack pointer at here may be inside frame. is_sled: see below. */
static inline bool is_inside(const struct fathom_frame *frame, uintptr_t here, bool is_sled)
{
	return is_sled ? here < frame->stack : here <= frame->stack;
}

/*
 * is_sled: here is where the stack pointer was before the function did anything, and will be at its exit. No other that
 * is active has the same, so who has is left behind. And the caller wants its vector registers back as they are, see
 * platform/vectors.h.
 */
static inline void enter(const struct fathom_region *region, uintptr_t here, bool is_sled)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *around = self->top;

	if (likely(is_inside(around, here, is_sled) && fathom_is_zero(&self->busy) && around + 1 < self->limit))
		push(self, around + 1, region, here);
	else if (is_sled)
		fathom_event_unusual_enter_here_kept(region, here);
	else
		unusual_enter(region, here);
}

/* A region that is off is entered directly inside itself, or there is something to be done first. */
static FATHOM_COLD void unusual_enter_off(const struct fathom_region *region, uintptr_t here, bool is_block)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame;

	if (fathom_peek(&region->switched) == FATHOM_SWITCH_DRAINED)
		return;
	if (self->busy) {
		self = fathom_location_wake(self, here);
		if (!self)
			return;
	}
	frame = fathom_frame_room(self, here);
	if (frame && fathom_frame_region(self->top) == region)
		fathom_frame_enter_placeholder(self, frame, region, is_block ? fathom_frame_block_stack(frame) : here,
					       here);
}

/* Nothing is recorded of a region that is off. But unless it is quiet, an exit may come that is, so the enters
 * inside it must be told from it (location.h). */
static inline void enter_off(const struct fathom_region *region, uintptr_t here, bool is_block)
{
	const struct fathom_location *self = fathom_self;

	if (unlikely(self->busy || self->lost_depth || fathom_frame_region(self->top) == region ||
		     here > self->top->stack))
		unusual_enter_off(region, here, is_block);
}

void fathom_event_enter_on(const struct fathom_region *region)
{
	enter(region, (uintptr_t)__builtin_dwarf_cfa(), false);
}

void fathom_event_enter_on_here(const struct fathom_region *region, uintptr_t here)
{
	enter(region, here, true);
}

void fathom_event_enter_here(const struct fathom_region *region, uintptr_t here)
{
	if (likely(!fathom_region_is_disabled(region)))
		enter(region, here, true);
}

void fathom_event_enter(const struct fathom_region *region)
{
	if (unlikely(fathom_region_is_disabled(region)))
		enter_off(region, (uintptr_t)__builtin_dwarf_cfa(), false);
	else
		enter(region, (uintptr_t)__builtin_dwarf_cfa(), false);
}

void fathom_event_enter_block(const struct fathom_region *region)
{
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
	struct fathom_location *self;
	struct fathom_frame *frame;

	if (unlikely(fathom_region_is_disabled(region))) {
		enter_off(region, here, true);
		return;
	}
	frame = fathom_frame_block(&self, here);
	if (unlikely(frame && self->is_paused))
		frame = enter_paused(self, region, frame, fathom_frame_block_stack(frame), here);
	if (unlikely(!frame))
		return;
	fathom_location_begin(self, here);
	fathom_poke(&frame->region, region);
	fathom_poke(&frame->stack, fathom_frame_block_stack(frame));
	fathom_poke(&frame->flags, 0);
	fathom.enter(self, frame);
}

/*
 * The frame that an exit of region belongs to, with the stack pointer at here. NULL: none; that is an error only where
 * all enters are recorded. is_sled: as for enter, so it is that which was entered with the stack pointer there.
 */
static struct fathom_frame *frame_of(struct fathom_location *self, const struct fathom_region *region, uintptr_t here,
				     bool is_sled)
{
	bool was_switched = fathom_peek(&region->switched) != FATHOM_SWITCH_ON;

	for (struct fathom_frame *frame = self->top; !(frame->flags & FATHOM_FRAME_BOTTOM); frame--) {
		if (fathom_frame_region(frame) == region && (!is_sled || here == frame->stack))
			return frame;
		if (was_switched && (is_sled ? here < frame->stack : here <= frame->stack))
			return NULL;	/* it was entered inside this one, which is active */
	}
	if (!was_switched)
		self->dropped[FATHOM_DROP_UNBALANCED]++;
	return NULL;
}

/* Region, whose frame that is, ends, and those inside it. */
static void leave_to(struct fathom_location *self, struct fathom_frame *frame, const struct fathom_region *region,
		     uintptr_t here, uint64_t now)
{
	for (; self->top > frame; fathom_frame_pop(self, here, now)) {
		const struct fathom_region *inner = self->top->region;

		if (!fathom_frame_is_placeholder(self->top) && inner && inner->paradigm == FATHOM_PARADIGM_USER &&
		    !fathom_pause_is_region(inner))
			fathom_nesting_note(inner, region);
	}
	fathom_frame_pop(self, here, now);
}

/* An exit that is not simply that of the innermost region. */
static void exit_unusually(const struct fathom_region *region, uintptr_t here, uint64_t now, bool is_sled)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame;
	bool was_paused;

	if (self->busy) {
		self = fathom_location_wake(self, here);
		if (!self)
			return;
	}
	was_paused = self->is_paused;
	if (self->lost_depth && (is_sled ? here < self->top[-1].stack : here <= self->top[-1].stack)) {
		if (--self->lost_depth == 0)
			fathom_frame_forget_lost(self);
		return;
	}
	if (self->lost_depth)
		fathom_frame_forget_lost(self);
	if (unlikely(self->coroutine))
		fathom_coroutine_follow(self, here, now);
	/* The exit hook may be a tail call, its frame gone: then here is where the caller's
	 * stack was. A region is left behind for sure only if its caller's is, too. */
	while (!is_sled && here > self->top[-1].stack && fathom_location_is_stale(self->top[-1].stack, here))
		fathom_frame_pop(self, here, now);
	frame = frame_of(self, region, here, is_sled);
	if (frame)
		leave_to(self, frame, region, here, now);
	else if (is_sled)
		fathom_frame_end_stale(self, here, now);
	/* Regions around may end; the thread does not begin to record by that. */
	if (was_paused && !self->is_paused)
		fathom_pause_begin(self, here, now);
}

static FATHOM_COLD void unusual_exit(const struct fathom_region *region, uintptr_t here, uint64_t now)
{
	exit_unusually(region, here, now, false);
}

FATHOM_HIDDEN void fathom_event_unusual_exit_here(const struct fathom_region *region, uintptr_t here, uint64_t now);
FATHOM_COLD void fathom_event_unusual_exit_here(const struct fathom_region *region, uintptr_t here, uint64_t now)
{
	exit_unusually(region, here, now, true);
}
FATHOM_KEEPS_VECTORS(fathom_event_unusual_exit_here);

/* is_sled: as for enter. */
static inline void leave(const struct fathom_region *region, uintptr_t here, uint64_t now, bool is_sled)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;
	bool is_its = frame->region == region && (is_sled ? here == frame->stack : here <= frame[-1].stack);

	if (likely(fathom_is_zero(&self->busy) && is_its)) {
		fathom_location_begin(self, here);
		fathom.exit(self, frame, now);
	} else if (is_sled) {
		fathom_event_unusual_exit_here_kept(region, here, now);
	} else {
		unusual_exit(region, here, now);
	}
}

static FATHOM_COLD void leave_by_system_clock(const struct fathom_region *region, uintptr_t here, bool is_sled)
{
	leave(region, here, fathom_clock_monotonic_ns(), is_sled);
}

static inline void exit_on(const struct fathom_region *region, uintptr_t here, bool is_sled)
{
	if (fathom_clock_is_counter())
		leave(region, here, fathom_clock_counter(), is_sled);
	else
		leave_by_system_clock(region, here, is_sled);
}

static FATHOM_COLD void unusual_exit_off(const struct fathom_region *region, uintptr_t here)
{
	if (fathom_peek(&region->switched) != FATHOM_SWITCH_DRAINED)
		unusual_exit(region, here, fathom_clock_ticks());
}

/* Whoever switched regions off may find that they are quiet by now. */
FATHOM_HIDDEN void fathom_event_sampling_point(struct fathom_location *self);
FATHOM_COLD void fathom_event_sampling_point(struct fathom_location *self)
{
	if (fathom.substrate->sampling_point)
		fathom.substrate->sampling_point(self);
}
FATHOM_KEEPS_VECTORS(fathom_event_sampling_point);

/* So many exits of regions that are off: */
enum { EXITS_PER_SAMPLING_POINT = 1 << 14 };

/* Its enter was not recorded, if what is innermost is active; else this may be the end of what was entered while it
 * was on. */
static inline void exit_off(const struct fathom_region *region, uintptr_t here)
{
	struct fathom_location *self = fathom_self;

	if (unlikely(self->busy || self->lost_depth || fathom_frame_region(self->top) == region ||
		     here > self->top->stack))
		unusual_exit_off(region, here);
	else if (unlikely(++self->exits_off % EXITS_PER_SAMPLING_POINT == 0))
		fathom_event_sampling_point(self);
}

void fathom_event_exit_on(const struct fathom_region *region)
{
	exit_on(region, (uintptr_t)__builtin_dwarf_cfa(), false);
}

void fathom_event_exit(const struct fathom_region *region)
{
	if (unlikely(fathom_region_is_disabled(region)))
		exit_off(region, (uintptr_t)__builtin_dwarf_cfa());
	else
		exit_on(region, (uintptr_t)__builtin_dwarf_cfa(), false);
}

void fathom_event_exit_on_here(const struct fathom_region *region, uintptr_t here)
{
	exit_on(region, here, true);
}

static void no_exit(const uint8_t *code, uintptr_t here)
{
	(void)code, (void)here;
}

static void (*other_exit)(const uint8_t *code, uintptr_t here) = no_exit;

void fathom_event_set_other_exit(void (*other)(const uint8_t *code, uintptr_t here))
{
	other_exit = other;
}

void fathom_event_exit_code_here(const uint8_t *code, uintptr_t here)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;

	/* Frames without a region have no such stack pointer, and the region of placeholder frames has no code. */
	if (likely(frame->stack == here && frame->region->code == code && fathom_is_zero(&self->busy))) {
		uint64_t now = fathom_clock_counter();

		fathom_location_begin(self, here);
		fathom.exit(self, frame, now);
	} else {
		other_exit(code, here);
	}
}

/* An exit of a region that is off: where the stack pointer is says which frame is its own, if there is one. */
FATHOM_HIDDEN void fathom_event_unusual_exit_off_here(const struct fathom_region *region, uintptr_t here);
FATHOM_COLD void fathom_event_unusual_exit_off_here(const struct fathom_region *region, uintptr_t here)
{
	const struct fathom_location *self = fathom_self;

	/* What is off is not among what is lost, as its enter does not call. */
	if (fathom_peek(&region->switched) != FATHOM_SWITCH_DRAINED &&
	    !(self->lost_depth && here < self->top[-1].stack))
		fathom_event_unusual_exit_here(region, here, fathom_clock_ticks());
}
FATHOM_KEEPS_VECTORS(fathom_event_unusual_exit_off_here);

void fathom_event_exit_here(const struct fathom_region *region, uintptr_t here)
{
	struct fathom_location *self = fathom_self;

	if (!fathom_region_is_disabled(region))
		exit_on(region, here, true);
	else if (unlikely(self->busy || self->top->stack <= here))
		fathom_event_unusual_exit_off_here_kept(region, here);
	else if (unlikely(++self->exits_off % EXITS_PER_SAMPLING_POINT == 0))
		fathom_event_sampling_point_kept(self);
}

bool fathom_event_keeps_vectors(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return false;
#else
	return fathom_clock_is_counter() && fathom.substrate && fathom.substrate->keeps_vectors;
#endif
}

bool fathom_event_recording(void)
{
	return !fathom_self->busy && (!fathom_self->is_paused || fathom_event_traces());
}

void fathom_event_record(bool on)
{
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
	uint64_t now = fathom_clock_ticks();
	struct fathom_location *self = fathom_self;

	if (self->busy)
		self = fathom_location_wake(self, here);
	if (!self || on != self->is_paused)
		return;
	if (on)
		fathom_pause_end(self, here, now);
	else
		fathom_pause_begin(self, here, now);
}

bool fathom_event_is_recording(void)
{
	struct fathom_location *self = fathom_self;

	if (self->busy)
		self = fathom_location_wake(self, (uintptr_t)__builtin_dwarf_cfa());
	return self && !self->is_paused;
}

/* Of a paused thread, only what is inside of a call that is recorded all the same. */
static inline bool is_dropped(const struct fathom_location *self)
{
	return unlikely(self->is_paused) &&
	       (fathom_frame_is_placeholder(self->top) || fathom_pause_is_region(self->top->region));
}

/* What all records have in common: they belong to the innermost region of a thread that records. */
#define RECORD(call) \
	do { \
		struct fathom_location *self = fathom_self; \
		if (unlikely(self->busy || is_dropped(self))) \
			return; \
		fathom_location_begin(self, (uintptr_t)__builtin_dwarf_cfa()); \
		fathom.substrate->call; \
		fathom_location_end(self, self->top); \
	} while (0)

void fathom_event_send(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes)
{
	RECORD(send(self, comm, peer, tag, bytes, FATHOM_NO_REQUEST));
}

void fathom_event_receive(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes)
{
	RECORD(receive(self, comm, peer, tag, bytes, FATHOM_NO_REQUEST));
}

void fathom_event_send_begin(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes,
			     uint64_t request)
{
	RECORD(send(self, comm, peer, tag, bytes, request));
}

/* How a request goes on is nothing to a profile, before a message has come. */
void fathom_event_send_complete(uint64_t request)
{
	if (fathom_event_traces())
		RECORD(send_complete(self, request));
}

void fathom_event_receive_begin(uint64_t request)
{
	if (fathom_event_traces())
		RECORD(receive_begin(self, request));
}

void fathom_event_receive_matched(uint64_t request)
{
	if (fathom_event_traces())
		RECORD(receive_matched(self, request));
}

void fathom_event_receive_complete(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes,
				   uint64_t request)
{
	RECORD(receive(self, comm, peer, tag, bytes, request));
}

void fathom_event_request_cancelled(uint64_t request)
{
	RECORD(request_cancelled(self, request));
}

void fathom_event_request_tested(uint64_t request)
{
	if (fathom_event_traces())
		RECORD(request_tested(self, request));
}

void fathom_event_collective(const struct fathom_communicator *comm, enum fathom_collective operation, int32_t root,
			     uint64_t bytes_sent, uint64_t bytes_received)
{
	RECORD(collective(self, comm, operation, root, bytes_sent, bytes_received, FATHOM_NO_REQUEST));
}

void fathom_event_collective_begin(uint64_t request)
{
	RECORD(collective_begin(self, request));
}

void fathom_event_collective_complete(const struct fathom_communicator *comm, enum fathom_collective operation,
				      int32_t root, uint64_t bytes_sent, uint64_t bytes_received, uint64_t request)
{
	RECORD(collective(self, comm, operation, root, bytes_sent, bytes_received, request));
}

void fathom_event_rma(uint64_t bytes_put, uint64_t bytes_got)
{
	RECORD(rma(self, bytes_put, bytes_got));
}

void fathom_event_io(uint64_t bytes_read, uint64_t bytes_written)
{
	RECORD(io(self, bytes_read, bytes_written));
}

void fathom_event_place(const struct fathom_topology *topology, const uint32_t *at, bool is_thread)
{
	struct fathom_location *self = fathom_self;

	if (self->busy)
		self = fathom_location_wake(self, (uintptr_t)__builtin_dwarf_cfa());
	if (self && !fathom_topology_place(topology, is_thread ? self : NULL, at))
		self->dropped[FATHOM_DROP_MEMORY]++;
}

void fathom_event_metric(const struct fathom_metric *metric, uint64_t bits)
{
	/* It may be the first that a thread tells. */
	if (unlikely(fathom_self->busy) && !fathom_location_wake(fathom_self, (uintptr_t)__builtin_dwarf_cfa()))
		return;
	RECORD(metric(self, metric, bits));
}

bool fathom_event_traces(void)
{
	return fathom.substrate && fathom.substrate->comm_define;
}

uint32_t fathom_event_comm_define(const struct fathom_comm_members *members)
{
	return fathom_event_traces() ? fathom.substrate->comm_define(members) : 0;
}

uint32_t fathom_event_comm_of_operation(uint32_t comm, uint32_t operation, const char *call)
{
	return fathom_event_traces() ? fathom.substrate->comm_of_operation(comm, operation, call) : comm;
}

void fathom_event_comm_name(const struct fathom_communicator *comm, const char *name)
{
	if (fathom_event_traces())
		fathom.substrate->comm_name(comm, name);
}

void fathom_event_comm_create(const struct fathom_communicator *comm)
{
	if (fathom_event_traces())
		RECORD(comm_create(self, comm));
}

void fathom_event_incomplete(void)
{
	if (fathom_event_traces())
		fathom.substrate->incomplete();
}

uint32_t fathom_event_object_define(const struct fathom_object *object)
{
	return fathom_event_traces() ? fathom.substrate->object_define(object) : FATHOM_NO_OBJECT;
}

void fathom_event_window_name(uint32_t window, const char *name)
{
	if (fathom_event_traces())
		fathom.substrate->window_name(window, name);
}

void fathom_event_rma_step(const struct fathom_rma_step *step)
{
	if (fathom_event_traces())
		RECORD(rma_step(self, step));
}

void fathom_event_io_step(const struct fathom_io_step *step)
{
	if (fathom_event_traces())
		RECORD(io_step(self, step));
}

void fathom_event_comm_destroy(const struct fathom_communicator *comm)
{
	if (fathom_event_traces())
		RECORD(comm_destroy(self, comm));
}

const struct fathom_region *fathom_event_innermost(void)
{
	return fathom_frame_region(fathom_self->top);
}

const struct fathom_region *fathom_event_find_user(const char *name, size_t length)
{
	const struct fathom_frame *frame = fathom_self->top;

	for (; !(frame->flags & FATHOM_FRAME_BOTTOM); frame--) {
		const struct fathom_region *region = fathom_frame_region(frame);

		if (region && region->paradigm == FATHOM_PARADIGM_USER && !strncmp(region->name, name, length) &&
		    !region->name[length])
			return region;
	}
	return NULL;
}

void fathom_event_parameter(const struct fathom_parameter *parameter, const struct fathom_parameter_value *value)
{
	if (fathom.substrate && fathom.substrate->parameter)
		RECORD(parameter(self, parameter, value));
}

void fathom_event_iteration(uint64_t number)
{
	if (fathom.substrate && fathom.substrate->iteration)
		RECORD(iteration(self, number));
}
