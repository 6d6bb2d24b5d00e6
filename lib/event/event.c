#include "event/event.h"

#include <stddef.h>
#include <string.h>

#include "define/region.h"
#include "define/topology.h"
#include "event/frame.h"
#include "event/location.h"
#include "event/pause.h"
#include "event/state.h"
#include "event/substrate.h"
#include "platform/clock.h"

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
		self = fathom_location_resolve_busy(self, here);
	if (!self || on != self->is_paused)
		return;
	if (on)
		fathom_pause_end(self, here, now);
	else
		fathom_pause_begin(self, here, now);
}

void fathom_event_keep_newest(void)
{
	if (fathom_peek(&fathom.phase) == FATHOM_PHASE_RECORDING && fathom.substrate->keep_newest)
		fathom.substrate->keep_newest();
}

bool fathom_event_is_recording(void)
{
	struct fathom_location *self = fathom_self;

	if (self->busy)
		self = fathom_location_resolve_busy(self, (uintptr_t)__builtin_dwarf_cfa());
	return self && !self->is_paused;
}

/* Returns true if a record is dropped because the thread is paused or its MPI call is excluded. During a pause a
 * record is kept if its MPI call is recorded for the trace: then the innermost frame is that of the call. is_matched:
 * the record is kept if the substrate matches it. */
static inline bool is_dropped(const struct fathom_location *self, bool is_matched)
{
	uint32_t flags = self->top->flags;

	if (likely(!(flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_PAUSE))))
		return false;
	return flags & FATHOM_FRAME_MATCH_ONLY ? !is_matched : self->is_paused;
}

/* Passes a record to the substrate, for the innermost region of the calling thread; does nothing if the thread
 * records nothing. RECORD_MATCHED passes records of MPI calls that are not recorded, too. */
#define RECORD(call) RECORD_UNLESS(is_dropped(self, false), call)
#define RECORD_MATCHED(call) RECORD_UNLESS(is_dropped(self, true), call)
#define RECORD_UNLESS(condition, call) \
	do { \
		struct fathom_location *self = fathom_self; \
		if (unlikely(self->busy || condition)) \
			return; \
		fathom_location_begin(self, (uintptr_t)__builtin_dwarf_cfa()); \
		fathom.substrate->call; \
		fathom_location_end(self, self->top); \
	} while (0)

void fathom_event_send(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes)
{
	RECORD_MATCHED(send(self, comm, peer, tag, bytes, FATHOM_NO_REQUEST));
}

void fathom_event_receive(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes)
{
	RECORD_MATCHED(receive(self, comm, peer, tag, bytes, FATHOM_NO_REQUEST));
}

void fathom_event_send_begin(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes,
			     uint64_t request)
{
	RECORD_MATCHED(send(self, comm, peer, tag, bytes, request));
}

/* As RECORD_MATCHED, if the substrate needs records about requests besides the arrival of a message. */
#define RECORD_REQUEST(call) RECORD_UNLESS(!follows_requests() || is_dropped(self, true), call)

/* Returns whether the substrate needs such records; it is not called before there is a substrate. */
static inline bool follows_requests(void)
{
	const bool *follows = fathom.follows_requests;

	return follows ? fathom_peek(follows) : fathom.substrate->send_complete != NULL;
}

void fathom_event_send_complete(uint64_t request)
{
	RECORD_REQUEST(send_complete(self, request));
}

void fathom_event_receive_begin(uint64_t request)
{
	RECORD_REQUEST(receive_begin(self, request));
}

void fathom_event_receive_matched(uint64_t request)
{
	RECORD_REQUEST(receive_matched(self, request));
}

void fathom_event_receive_complete(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes,
				   uint64_t request)
{
	RECORD_MATCHED(receive(self, comm, peer, tag, bytes, request));
}

void fathom_event_request_cancelled(uint64_t request)
{
	RECORD_REQUEST(request_cancelled(self, request));
}

void fathom_event_request_tested(uint64_t request)
{
	if (fathom_event_traces())
		RECORD(request_tested(self, request));
}

void fathom_event_collective(const struct fathom_communicator *comm, enum fathom_collective operation, int32_t root,
			     uint64_t bytes_sent, uint64_t bytes_received)
{
	RECORD_MATCHED(collective(self, comm, operation, root, bytes_sent, bytes_received, FATHOM_NO_REQUEST));
}

void fathom_event_collective_begin(uint64_t request)
{
	RECORD_REQUEST(collective_begin(self, request));
}

void fathom_event_collective_complete(const struct fathom_communicator *comm, enum fathom_collective operation,
				      int32_t root, uint64_t bytes_sent, uint64_t bytes_received, uint64_t request)
{
	RECORD_MATCHED(collective(self, comm, operation, root, bytes_sent, bytes_received, request));
}

bool fathom_event_votes(void)
{
	return fathom_peek(&fathom.phase) == FATHOM_PHASE_RECORDING && fathom.substrate->vote;
}

/* A process that cannot take part votes against whatever is decided. */
void fathom_event_vote(uint64_t number, uint64_t *words)
{
	words[0] = 1;
	words[1] = 0;
	RECORD_UNLESS(!fathom.substrate->vote, vote(self, number, words));
}

void fathom_event_vote_result(uint64_t number, const uint64_t *sums)
{
	RECORD_UNLESS(!fathom.substrate->vote_result, vote_result(self, number, sums));
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
		self = fathom_location_resolve_busy(self, (uintptr_t)__builtin_dwarf_cfa());
	if (self && !fathom_topology_place(topology, is_thread ? self : NULL, at))
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
}

void fathom_event_metric(const struct fathom_metric *metric, uint64_t bits)
{
	/* The metric may be the first event of the thread. */
	if (unlikely(fathom_self->busy) && !fathom_location_resolve_busy(fathom_self, (uintptr_t)__builtin_dwarf_cfa()))
		return;
	RECORD(metric(self, metric, bits));
}

bool fathom_event_traces(void)
{
	return fathom.substrate && fathom.substrate->comm_define;
}

bool fathom_event_knows_comms(void)
{
	return fathom_event_traces() || (fathom.substrate && fathom.substrate->comm_note);
}

/* Returns the number of a new communicator where no trace is recorded, which numbers them itself. */
static uint32_t next_comm_number(void)
{
	static uint32_t count;

	return __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

uint32_t fathom_event_comm_define(const struct fathom_comm_members *members)
{
	uint32_t number;

	if (!fathom_event_knows_comms())
		return 0;
	number = fathom_event_traces() ? fathom.substrate->comm_define(members) : next_comm_number();
	if (fathom.substrate->comm_note && number != FATHOM_NO_COMM)
		fathom.substrate->comm_note(number, members);
	return number;
}

uint32_t fathom_event_comm_of_operation(uint32_t comm, uint32_t operation, const char *call)
{
	uint32_t number;

	if (!fathom_event_knows_comms())
		return comm;
	number = fathom_event_traces() ? fathom.substrate->comm_of_operation(comm, operation, call) :
					 next_comm_number();
	if (fathom.substrate->comm_note_operation && number != comm)
		fathom.substrate->comm_note_operation(number, comm, operation);
	return number;
}

uint32_t fathom_event_comm_neighbors(uint32_t comm, const struct fathom_comm_neighbors *neighbors)
{
	if (!fathom.substrate || !fathom.substrate->comm_note_neighbors)
		return 0;
	return fathom.substrate->comm_note_neighbors(comm, neighbors);
}

uint32_t fathom_event_window_note(uint32_t comm, uint32_t order)
{
	if (!fathom.substrate || !fathom.substrate->window_note)
		return FATHOM_NO_OBJECT;
	return fathom.substrate->window_note(comm, order);
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
	if (fathom.substrate && fathom.substrate->rma_step)
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

bool fathom_event_has_active(bool (*matches)(const void *code))
{
	const struct fathom_frame *frame = fathom_self->top;

	for (; !(frame->flags & FATHOM_FRAME_BOTTOM); frame--) {
		const struct fathom_region *region = fathom_frame_region(frame);

		if (region && region->code && matches(region->code))
			return true;
	}
	return false;
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
