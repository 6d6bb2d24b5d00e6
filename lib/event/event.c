/*
 * The core's hot path. An event passes: wrapper -> here -> substrate.
 *
 * Each location keeps a stack of the regions it is in. For every one it also keeps where the thread's
 * own stack was, which costs one store and tells, at the next event, whether longjmp or an
 * exception has left regions without an exit: a frame below the present stack pointer is dead.
 */
#include "event/event.h"

#include <stddef.h>

#include "event/frame.h"
#include "event/location.h"
#include "event/state.h"
#include "platform/clock.h"

static inline void push(struct fathom_location *self, struct fathom_frame *frame, const struct fathom_region *region,
			uintptr_t here)
{
	fathom_location_begin(self, here);
	frame->region = region;
	fathom_poke(&frame->stack, here);
	fathom.substrate->enter(self, frame);	/* reads the clock last; exit reads it first */
}

/* An enter on a location that is busy (unborn, gone, or inside our own code), or with something to
 * be done to its stack of regions first. */
static FATHOM_COLD void unusual_enter(const struct fathom_region *region, uintptr_t here)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame;

	if (self->busy) {
		self = fathom_location_wake(self, here);
		if (!self)
			return;
	}
	frame = fathom_frame_room(self, here);
	if (frame)
		push(self, frame, region, here);
}

void fathom_event_enter(const struct fathom_region *region)
{
	struct fathom_location *self = fathom_self;
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
	struct fathom_frame *frame = self->top + 1;

	if (unlikely(self->busy || frame >= self->limit || here > frame[-1].stack))
		unusual_enter(region, here);
	else
		push(self, frame, region, here);
}

void fathom_event_enter_block(const struct fathom_region *region)
{
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
	struct fathom_location *self;
	struct fathom_frame *frame = fathom_frame_block(&self, here);

	if (unlikely(!frame))
		return;
	fathom_location_begin(self, here);
	frame->region = region;
	fathom_poke(&frame->stack, fathom_frame_block_stack(frame));
	fathom.substrate->enter(self, frame);
}

/* An exit that is not simply that of the innermost region. */
static FATHOM_COLD void unusual_exit(const struct fathom_region *region, uintptr_t here, uint64_t now)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame;

	if (self->busy) {
		self = fathom_location_wake(self, here);
		if (!self)
			return;
	}
	if (self->lost_depth && here <= self->top[-1].stack) {
		if (--self->lost_depth == 0)
			fathom_frame_forget_lost(self);
		return;
	}
	if (self->lost_depth)
		fathom_frame_forget_lost(self);
	/* The exit hook may be a tail call, its frame gone: then here is where the caller's
	 * stack was. A region is left behind for sure only if its caller's is, too. */
	while (here > self->top[-1].stack && fathom_location_is_stale(self->top[-1].stack, here))
		fathom_frame_pop(self, here, now);
	frame = self->top;
	while (frame->region != region && frame->stack != UINTPTR_MAX)
		frame--;
	if (frame->stack == UINTPTR_MAX) {
		self->dropped[FATHOM_DROP_UNBALANCED]++;
		return;
	}
	while (self->top >= frame)
		fathom_frame_pop(self, here, now);
}

static inline void leave(const struct fathom_region *region, uintptr_t here, uint64_t now)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;

	if (unlikely(self->busy || frame->region != region || here > frame[-1].stack)) {
		unusual_exit(region, here, now);
		return;
	}
	fathom_location_begin(self, here);
	fathom.substrate->exit(self, frame, now);
}

static FATHOM_COLD void leave_by_system_clock(const struct fathom_region *region, uintptr_t here)
{
	leave(region, here, fathom_clock_monotonic_ns());
}

void fathom_event_exit(const struct fathom_region *region)
{
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();

	if (fathom_clock_is_counter())
		leave(region, here, fathom_clock_counter());
	else
		leave_by_system_clock(region, here);
}

bool fathom_event_recording(void)
{
	return !fathom_self->busy;
}

/* What all records have in common: they belong to the innermost region of a thread that records. */
#define RECORD(call) \
	do { \
		struct fathom_location *self = fathom_self; \
		if (unlikely(self->busy)) \
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

void fathom_event_send_complete(uint64_t request)
{
	RECORD(send_complete(self, request));
}

void fathom_event_receive_begin(uint64_t request)
{
	RECORD(receive_begin(self, request));
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

void fathom_event_metric(const struct fathom_metric *metric, uint64_t bits)
{
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
