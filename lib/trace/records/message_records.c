/* The wrappers report a message when MPI has accepted it, which is after the enter of the call. A send is recorded
 * at the time of the record before it, which is that enter if nothing happened in between: no receiver can have the
 * message earlier. The same holds for the begin of collective operations and of non-blocking receives. */
#include "trace/records/message_records.h"

#include "define/communicator.h"
#include "platform/arena.h"
#include "platform/log.h"
#include "trace/archive.h"
#include "trace/clocks/message_times.h"
#include "trace/mpi_objects.h"
#include "trace/records/parameter_records.h"
#include "trace/records/record.h"
#include "trace/ring/ring_markers.h"
#include "trace/stretches.h"

/* Writes a record of the location whose trace is in the variable trace. */
#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)
#define WRITE_BEGUN(...) FATHOM_TRACE_PUT_BEGUN(trace, __VA_ARGS__)

/* MPI calls were not recorded completely. Set once and never cleared, by any thread. */
static bool is_incomplete;

static OTF2_CommRef comm_of(const struct fathom_communicator *comm)
{
	return comm->number;
}

/* Counts a message for the comparison of clocks. */
static void count_message(struct fathom_location *self, struct fathom_trace *trace,
			  const struct fathom_communicator *comm, int32_t peer, int32_t tag, bool is_send,
			  uint64_t ticks)
{
	const struct fathom_message_kind key = { comm->number, peer, tag, is_send };

	fathom_message_times_add(&trace->message_times, &self->arena, &key, ticks);
	if (fathom_stretches_are_on())
		fathom_stretches_message(trace, comm->number, (uint32_t)peer, (uint32_t)tag, is_send);
}

void fathom_trace_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		       uint64_t bytes, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	uint64_t ticks;

	if (!trace)
		return;
	ticks = fathom_trace_event_ticks(trace);
	if (request == FATHOM_NO_REQUEST)
		WRITE_BEGUN(FATHOM_RECORD_MPI_SEND, (uint32_t)peer, comm_of(comm), (uint32_t)tag,
		      bytes);
	else
		WRITE_BEGUN(FATHOM_RECORD_MPI_ISEND, (uint32_t)peer, comm_of(comm), (uint32_t)tag,
		      bytes, request);
	trace->requests += request != FATHOM_NO_REQUEST;
	count_message(self, trace, comm, peer, tag, true, ticks);
}

void fathom_trace_send_complete(struct fathom_location *self, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_MPI_ISEND_COMPLETE, request);
	trace->requests--;
}

void fathom_trace_receive_begin(struct fathom_location *self, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	/* The request may be matched from the enter of the call on. */
	WRITE_BEGUN(FATHOM_RECORD_MPI_IRECV_REQUEST, request);
	trace->requests++;
}

void fathom_trace_receive_matched(struct fathom_location *self, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	WRITE(fathom_trace_time(trace, fathom_trace_now_after()), FATHOM_RECORD_MPI_IRECV_REQUEST, request);
	trace->requests++;
}

void fathom_trace_receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			  int32_t tag, uint64_t bytes, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	uint64_t now;

	if (!trace)
		return;
	now = fathom_trace_time(trace, fathom_trace_now_after());
	if (request == FATHOM_NO_REQUEST)
		WRITE(now, FATHOM_RECORD_MPI_RECV, (uint32_t)peer, comm_of(comm), (uint32_t)tag, bytes);
	else
		WRITE(now, FATHOM_RECORD_MPI_IRECV, (uint32_t)peer, comm_of(comm), (uint32_t)tag, bytes,
		      request);
	trace->requests -= request != FATHOM_NO_REQUEST;
	count_message(self, trace, comm, peer, tag, false, now);
}

void fathom_trace_request_cancelled(struct fathom_location *self, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_MPI_REQUEST_CANCELLED, request);
	trace->requests--;
}

void fathom_trace_request_tested(struct fathom_location *self, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (trace)
		WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_MPI_REQUEST_TEST, request);
}

static const OTF2_CollectiveOp operations[] = {
	[FATHOM_COLLECTIVE_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
	[FATHOM_COLLECTIVE_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
	[FATHOM_COLLECTIVE_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
	[FATHOM_COLLECTIVE_GATHERV] = OTF2_COLLECTIVE_OP_GATHERV,
	[FATHOM_COLLECTIVE_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
	[FATHOM_COLLECTIVE_SCATTERV] = OTF2_COLLECTIVE_OP_SCATTERV,
	[FATHOM_COLLECTIVE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
	[FATHOM_COLLECTIVE_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
	[FATHOM_COLLECTIVE_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
	[FATHOM_COLLECTIVE_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
	[FATHOM_COLLECTIVE_ALLTOALLW] = OTF2_COLLECTIVE_OP_ALLTOALLW,
	[FATHOM_COLLECTIVE_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
	[FATHOM_COLLECTIVE_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
	[FATHOM_COLLECTIVE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
	[FATHOM_COLLECTIVE_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
	[FATHOM_COLLECTIVE_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
	[FATHOM_COLLECTIVE_REDUCE_SCATTER_BLOCK] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
	/* OTF2 has no operation for exchanges with neighbours. */
	[FATHOM_COLLECTIVE_NEIGHBOR] = OTF2_COLLECTIVE_OP_ALLTOALLV,
	[FATHOM_COLLECTIVE_COMM] = OTF2_COLLECTIVE_OP_CREATE_HANDLE,
	[FATHOM_COLLECTIVE_COMM_FREE] = OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
};

void fathom_trace_collective_begin(struct fathom_location *self, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	WRITE_BEGUN(FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST, request);
	trace->requests++;
}

/* Texts are definitions, which must not be too long. */
enum { MOST_NEIGHBORS = 10000, RANK_CHARACTERS = 11 };

static size_t put_ranks(char *text, const uint32_t *ranks, uint32_t count)
{
	size_t length = 0;

	for (uint32_t i = 0; i < count; i++)
		length += (size_t)fathom_format(text + length, RANK_CHARACTERS + 1, i ? " %u" : "%u", ranks[i]);
	return length;
}

uint32_t fathom_trace_neighbors_text(const struct fathom_comm_neighbors *neighbors)
{
	size_t most = (size_t)neighbors->source_count + neighbors->destination_count, length;
	struct fathom_arena arena = { 0 };
	char *text = most > MOST_NEIGHBORS ? NULL : fathom_arena_alloc(&arena, (most + 1) * RANK_CHARACTERS + 1);
	uint32_t number = 0;

	if (text) {
		length = put_ranks(text, neighbors->sources, neighbors->source_count);
		text[length++] = ';';
		length += put_ranks(text + length, neighbors->destinations, neighbors->destination_count);
		number = fathom_trace_text_number(text, length);
	}
	fathom_arena_fini(&arena);
	return number;
}

static uint32_t root_of(int32_t root)
{
	switch (root) {
	case FATHOM_NO_ROOT:
		return OTF2_COLLECTIVE_ROOT_NONE;
	case FATHOM_ROOT_SELF:
		return OTF2_COLLECTIVE_ROOT_SELF;
	case FATHOM_ROOT_OWN_GROUP:
		return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
	default:
		return (uint32_t)root;
	}
}

void fathom_trace_collective(struct fathom_location *self, const struct fathom_communicator *comm,
			     enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
			     uint64_t bytes_received, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	const struct fathom_record_attribute neighbors = {
		.number = FATHOM_TRACE_ATTRIBUTE_NEIGHBORS,
		.type = OTF2_TYPE_STRING,
		.value = comm->neighbors,
	};
	bool has_neighbors = operation == FATHOM_COLLECTIVE_NEIGHBOR && comm->neighbors;
	bool is_blocking = request == FATHOM_NO_REQUEST;
	uint64_t now;

	/* Windows have records of their own (rma_records.c). */
	if (!trace || operation == FATHOM_COLLECTIVE_WINDOW)
		return;
	/* The operation began at the enter of the call, which is the time of the record before it if there was no
	 * event in between. */
	if (is_blocking)
		WRITE_BEGUN(FATHOM_RECORD_MPI_COLLECTIVE_BEGIN);
	now = fathom_trace_time(trace, fathom_trace_now_after());
	fathom_trace_put_with(trace, now, is_blocking ? FATHOM_RECORD_MPI_COLLECTIVE_END :
							FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE,
			      has_neighbors ? &neighbors : NULL,
			      (const uint64_t[]){ 0, operations[operation], comm_of(comm), root_of(root), bytes_sent,
						  bytes_received, request },
			      is_blocking ? 5 : 6);
	trace->requests -= !is_blocking;
}

/* Communicators are also created, freed and found for the first time in MPI calls that are not recorded. OTF2 demands
 * that their records are inside MPI calls. Returns NULL if nothing can be recorded. */
static struct fathom_trace *recording_mpi(const struct fathom_location *self)
{
	const struct fathom_region *region = self->top->region;

	if (region && region->paradigm == FATHOM_PARADIGM_MPI)
		return fathom_trace_recording(self);
	fathom_trace_incomplete();
	return NULL;
}

void fathom_trace_comm_create(struct fathom_location *self, const struct fathom_communicator *comm)
{
	struct fathom_trace *trace = recording_mpi(self);

	if (trace)
		fathom_trace_put_object(trace, fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_COMM_CREATE,
					(const uint64_t[]){ 0, comm_of(comm) }, 1);
}

void fathom_trace_comm_destroy(struct fathom_location *self, const struct fathom_communicator *comm)
{
	struct fathom_trace *trace = recording_mpi(self);

	if (!trace)
		return;
	WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_COMM_DESTROY, comm_of(comm));
	fathom_trace_ring_object_ends(trace, FATHOM_RECORD_COMM_CREATE, comm_of(comm));
}

void fathom_trace_incomplete(void)
{
	fathom_poke(&is_incomplete, true);
}

bool fathom_trace_messages_are_complete(void)
{
	int64_t requests = 0;

	/* Requests may be begun and completed by different threads. */
	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		requests += trace->requests;
	return !fathom_peek(&is_incomplete) && !requests && !fathom_trace_has_gaps();
}
