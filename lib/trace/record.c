#include "trace/record.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "define/communicator.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "trace/comms.h"
#include "trace/message_times.h"
#include "trace/metric_records.h"
#include "trace/mpi_objects.h"

/* A record of the location whose trace is at hand. */
#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)

uint64_t fathom_trace_tick_mask = UINT64_MAX;
bool fathom_trace_reads_counter;

/* Bits that stand for less than a tick are cleared: the largest power of two that is not longer. */
void fathom_trace_set_clock(uint64_t tick_ns)
{
	enum { MEASURING_NS = 1000000 };
	const struct timespec while_ns = { .tv_nsec = MEASURING_NS };
	uint64_t tick_units = (uint64_t)((double)tick_ns * (FATHOM_UNITS_PER_SECOND / 1e9));
	struct fathom_tick_scale scale;
	unsigned bits = 0;

	fathom_trace_reads_counter = fathom_clock_reads_counter();
	if (!tick_ns)
		return;
	nanosleep(&while_ns, NULL);	/* the process just began: how long a tick is must be measured first */
	scale = fathom_clock_scale();
	while (bits < 40 && fathom_ticks_to_units(scale, (uint64_t)2 << bits) <= tick_units)
		bits++;
	fathom_trace_tick_mask = ~(((uint64_t)1 << bits) - 1);
}

double fathom_trace_ticks_per_second(void)
{
	return FATHOM_UNITS_PER_SECOND / ((double)fathom_clock_scale().units_per_tick_q32 / 4294967296.0);
}

static struct fathom_record_attribute attribute(uint32_t name, uint64_t value)
{
	return (struct fathom_record_attribute){ .number = name, .type = OTF2_TYPE_UINT64, .value = value };
}

/* Strings 0 and 1 of every process are its name and its arguments, see trace_finish.c. */
void fathom_trace_begin_program(const struct fathom_location *self, struct fathom_trace *trace,
				const struct fathom_frame *root)
{
	const struct fathom_record_attribute process = attribute(FATHOM_TRACE_ATTRIBUTE_PROCESS, (uint64_t)getpid());
	uint64_t now = fathom_trace_time(trace, root->enter_ticks);

	fathom_trace_put_with(trace, now, FATHOM_RECORD_PROGRAM_BEGIN, &process, (const uint64_t[]){ 0, 0, 1, 1 }, 3);
	if (self->meter)
		fathom_trace_metrics(self, trace, now);
	WRITE(now, FATHOM_RECORD_ENTER, root->region->id);
}

void fathom_trace_lose(struct fathom_trace *trace)
{
	static uint32_t said;

	if (fathom_peek(&trace->state) & FATHOM_TRACE_LOST)
		return;
	fathom_trace_add_state(trace, FATHOM_TRACE_LOST);
	trace->lost++;
	if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		fathom_log(FATHOM_LOG_ERROR, "events cannot be written (%s): there will be no trace",
			   strerrordesc_np(-fathom_trace_archive_error()));
}

static uint32_t threads_are_held;

void fathom_trace_hold_threads(bool hold)
{
	__atomic_store_n(&threads_are_held, hold, __ATOMIC_SEQ_CST);
}

/* Not for ever: whoever closes the trace could wait for something this thread holds. */
static void wait_for_the_end(struct fathom_trace *trace)
{
	enum { STEP_NS = 200000, MOST_STEPS = 10000 };
	const struct timespec step = { .tv_nsec = STEP_NS };
	int saved = errno;

	int i;

	__atomic_store_n(&trace->is_paused, 1, __ATOMIC_SEQ_CST);
	for (i = 0; i < MOST_STEPS && __atomic_load_n(&threads_are_held, __ATOMIC_SEQ_CST); i++)
		syscall(SYS_nanosleep, &step, NULL);	/* not the C library's: thread cancellation */
	trace->has_waited = i == MOST_STEPS;
	__atomic_store_n(&trace->is_paused, 0, __ATOMIC_SEQ_CST);
	errno = saved;
}

void fathom_trace_enter_rare(struct fathom_trace *trace, struct fathom_frame *frame, uint64_t now)
{
	uint32_t state = fathom_peek(&trace->state);
	bool is_left_out = state > FATHOM_TRACE_LIMITED ||
			   (state && frame->region->paradigm == FATHOM_PARADIGM_COMPILER);

	if (is_left_out)
		fathom_trace_miss(trace);
	else if (fathom_trace_buffer_room(trace, fathom_trace_time(trace, now), FATHOM_TRACE_REGION_BYTES))
		fathom_trace_region(trace, now, FATHOM_RECORD_ENTER, frame);
	else
		is_left_out = true;
	if (is_left_out)
		frame->stack |= FATHOM_STACK_QUIET;
}

void fathom_trace_exit_rare(struct fathom_trace *trace, const struct fathom_frame *frame, uint64_t now)
{
	if (fathom_peek(&trace->state) > FATHOM_TRACE_LIMITED)
		fathom_trace_miss(trace);
	else if (fathom_trace_buffer_room(trace, fathom_trace_time(trace, now), FATHOM_TRACE_REGION_BYTES))
		fathom_trace_region(trace, now, FATHOM_RECORD_LEAVE, frame);
}

void fathom_trace_miss(struct fathom_trace *trace)
{
	if (!(fathom_peek(&trace->state) & FATHOM_TRACE_CLOSED))
		trace->lost++;
	else if (fathom_peek(&threads_are_held) && !trace->has_waited)
		wait_for_the_end(trace);
}

/* --- created threads ----------------------------------------------------------------------------- */

uint32_t fathom_trace_threads_comm(void)
{
	static const struct fathom_trace_comm spec = { .kind = FATHOM_TRACE_COMM_THREADS };
	static uint32_t number;		/* + 1; racing threads find the same */

	if (unlikely(!fathom_peek(&number)))
		fathom_poke(&number, fathom_trace_comm_add(&spec) + 1);
	return fathom_peek(&number) - 1;
}

void fathom_trace_thread_create(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (trace)
		WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_CREATE, fathom_trace_threads_comm(),
		      origin->number);
}

void fathom_trace_thread_begin(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	struct fathom_record_attribute thread;

	if (!trace)
		return;
	trace->thread_number = origin->number;
	thread = attribute(FATHOM_TRACE_ATTRIBUTE_THREAD, (uint64_t)syscall(SYS_gettid));
	fathom_trace_put_with(trace, fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_BEGIN, &thread,
			      (const uint64_t[]){ 0, fathom_trace_threads_comm(), origin->number }, 2);
}

void fathom_trace_thread_end(struct fathom_location *self, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace || !trace->thread_number)
		return;
	WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_END, fathom_trace_threads_comm(),
	      trace->thread_number);
	trace->thread_number = 0;
}

/* --- messages ------------------------------------------------------------------------------------ */

static OTF2_CommRef comm_of(const struct fathom_communicator *comm)
{
	return comm->number;
}

/* Wrappers tell of a message when MPI has taken it; a send is recorded at the time of the record before, which is
 * the enter of the call where nothing happened in between. Nobody receives before that. */
static void note(struct fathom_location *self, struct fathom_trace *trace, const struct fathom_communicator *comm,
		 int32_t peer, int32_t tag, bool is_send, uint64_t ticks)
{
	const struct fathom_arrivals_key key = { comm->number, peer, tag, is_send };

	fathom_arrivals_note(&trace->arrivals, &self->arena, &key, ticks);
}

void fathom_trace_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		       uint64_t bytes, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	if (request == FATHOM_NO_REQUEST)
		WRITE(trace->buffer.last_ticks, FATHOM_RECORD_MPI_SEND, (uint32_t)peer, comm_of(comm), (uint32_t)tag,
		      bytes);
	else
		WRITE(trace->buffer.last_ticks, FATHOM_RECORD_MPI_ISEND, (uint32_t)peer, comm_of(comm), (uint32_t)tag,
		      bytes, request);
	trace->requests += request != FATHOM_NO_REQUEST;
	note(self, trace, comm, peer, tag, true, trace->buffer.last_ticks);
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
	/* It may be matched from the enter of the call on. */
	WRITE(trace->buffer.last_ticks, FATHOM_RECORD_MPI_IRECV_REQUEST, request);
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
	note(self, trace, comm, peer, tag, false, now);
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
	/* What a neighbourhood exchanges has no operation of its own. */
	[FATHOM_COLLECTIVE_NEIGHBOR] = OTF2_COLLECTIVE_OP_ALLTOALLV,
	[FATHOM_COLLECTIVE_COMM] = OTF2_COLLECTIVE_OP_CREATE_HANDLE,
	[FATHOM_COLLECTIVE_COMM_FREE] = OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
};

void fathom_trace_collective_begin(struct fathom_location *self, uint64_t request)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	WRITE(trace->buffer.last_ticks, FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST, request);
	trace->requests++;
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
	uint32_t otf2_root = root_of(root);
	uint64_t now;

	/* Windows have records of their own. */
	if (!trace || operation == FATHOM_COLLECTIVE_WINDOW)
		return;
	/* It began with the region, where nothing happened since. */
	if (request == FATHOM_NO_REQUEST)
		WRITE(trace->buffer.last_ticks, FATHOM_RECORD_MPI_COLLECTIVE_BEGIN);
	now = fathom_trace_time(trace, fathom_trace_now_after());
	if (request == FATHOM_NO_REQUEST)
		WRITE(now, FATHOM_RECORD_MPI_COLLECTIVE_END, operations[operation], comm_of(comm), otf2_root,
		      bytes_sent, bytes_received);
	else
		WRITE(now, FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE, operations[operation], comm_of(comm),
		      otf2_root, bytes_sent, bytes_received, request);
	trace->requests -= request != FATHOM_NO_REQUEST;
}

/* Communicators come and go, and are met for the first time, in calls that are not recorded, too: records of them
 * stand inside calls of MPI only. */
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
		WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_COMM_CREATE, comm_of(comm));
}

void fathom_trace_comm_destroy(struct fathom_location *self, const struct fathom_communicator *comm)
{
	struct fathom_trace *trace = recording_mpi(self);

	if (trace)
		WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_COMM_DESTROY, comm_of(comm));
}

/* --- completeness -------------------------------------------------------------------------------- */

/* Of MPI, or of all, something is not told; go from false to true. */
static bool incomplete, has_gaps;

void fathom_trace_on_off(struct fathom_location *self, bool is_on, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace || trace->is_off == !is_on)
		return;
	fathom_poke(&has_gaps, true);
	trace->is_off = !is_on;
	WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_MEASUREMENT_ON_OFF,
	      is_on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
}

bool fathom_trace_has_gaps(void)
{
	return fathom_peek(&has_gaps);
}

void fathom_trace_incomplete(void)
{
	fathom_poke(&incomplete, true);
}

bool fathom_trace_locks_are_complete(void)
{
	int64_t locks = 0;

	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		locks += trace->locks;
	return !locks && !has_gaps;
}

bool fathom_trace_is_complete(void)
{
	int64_t requests = 0;

	/* Requests may be begun and completed by different threads. */
	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		requests += trace->requests;
	return !incomplete && !requests && !has_gaps;
}
