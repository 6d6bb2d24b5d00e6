/*
 * The core's hot path. An event passes: wrapper -> here -> substrate.
 *
 * Each location keeps a stack of the regions it is in. For every one it also keeps where the thread's
 * own stack was, which costs one store and tells, at the next event, whether longjmp or an
 * exception has left regions without an exit: a frame below the present stack pointer is dead.
 */
#include "event/event.h"

#include <stdatomic.h>
#include <stddef.h>

#include "event/location.h"
#include "event/state.h"
#include "platform/clock.h"

/*
 * Between these two the location is half changed. A signal handler on this thread must find busy set
 * before any such change. Same processor, so a compiler fence is enough; nobody else looks.
 */
static inline void core_enter(struct fathom_location *self, uintptr_t here)
{
	self->busy = here;
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void core_leave(struct fathom_location *self)
{
	atomic_signal_fence(memory_order_seq_cst);
	self->busy = 0;
}

/* Leave the innermost region. The frame goes last: until then a snapshot sees it active. */
static inline void pop(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	fathom.substrate->exit(self, frame, now);
	atomic_signal_fence(memory_order_seq_cst);
	fathom_poke(&self->top, frame - 1);
}

/* End the regions that cannot be active any more, now that the stack pointer is back at here. */
static void end_stale(struct fathom_location *self, uintptr_t here, uint64_t now)
{
	while (here > self->top->stack && fathom_location_is_stale(self->top->stack, here))
		pop(self, self->top, now);
}

/* A place for one more frame when the usual one cannot be taken at once. NULL: drop the enter. */
static FATHOM_COLD struct fathom_frame *unusual_frame(struct fathom_location *self, uintptr_t here)
{
	if (self->lost_depth) {
		self->lost_depth++;
		return NULL;
	}
	core_enter(self, here);
	end_stale(self, here, fathom_clock_ticks());
	core_leave(self);
	if (self->top + 1 < self->limit || fathom_location_grow(self))
		return self->top + 1;
	self->lost_depth = 1;
	self->dropped[FATHOM_DROP_DEPTH]++;
	return NULL;
}

void fathom_event_enter(const struct fathom_region *region)
{
	struct fathom_location *self = fathom_self;
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();
	struct fathom_frame *frame;

	if (unlikely(self->busy)) {	/* unborn, gone, or inside our own code */
		self = fathom_location_wake(self, here);
		if (!self)
			return;
	}
	frame = self->top + 1;
	if (unlikely(frame == self->limit || here > frame[-1].stack)) {
		frame = unusual_frame(self, here);
		if (!frame)
			return;
	}

	core_enter(self, here);
	frame->region = region;
	frame->stack = here;
	fathom.substrate->enter(self, frame);	/* reads the clock last; exit reads it first */
	atomic_signal_fence(memory_order_seq_cst);
	fathom_poke(&self->top, frame);
	core_leave(self);
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
	if (self->lost_depth) {
		self->lost_depth--;
		return;
	}
	core_enter(self, here);
	/* The exit hook may be a tail call, its frame gone: then here is where the caller's
	 * stack was. A region is left behind for sure only if its caller's is, too. */
	while (here > self->top[-1].stack && self->top->region != NULL &&
	       fathom_location_is_stale(self->top[-1].stack, here))
		pop(self, self->top, now);
	frame = self->top;
	while (frame->region != region && frame->stack != UINTPTR_MAX)
		frame--;
	if (frame->stack == UINTPTR_MAX) {
		self->dropped[FATHOM_DROP_UNBALANCED]++;
	} else {
		while (self->top > frame)
			pop(self, self->top, now);
		pop(self, frame, now);
	}
	core_leave(self);
}

void fathom_event_exit(const struct fathom_region *region)
{
	uint64_t now = fathom_clock_ticks();
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;
	uintptr_t here = (uintptr_t)__builtin_dwarf_cfa();

	if (unlikely(self->busy || frame->region != region || here > frame[-1].stack || self->lost_depth)) {
		unusual_exit(region, here, now);
		return;
	}
	core_enter(self, here);
	pop(self, frame, now);
	core_leave(self);
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
		core_enter(self, (uintptr_t)__builtin_dwarf_cfa()); \
		fathom.substrate->call; \
		core_leave(self); \
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
