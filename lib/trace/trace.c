#include "trace/trace.h"

#include <errno.h>
#include <stddef.h>

#include "platform/clock.h"
#include "platform/settings.h"
#include "system/place.h"
#include "trace/comms.h"
#include "trace/finish.h"
#include "trace/objects.h"
#include "trace/record.h"
#include "trace/teams.h"

/* The other substrate, where there are two; constant once events begin. */
static const struct fathom_substrate *profile;

/* --- birth --------------------------------------------------------------------------------------- */

static int birth(struct fathom_location *self, struct fathom_frame *root)
{
	/* What records nothing: the location that only measures the measurement. */
	static struct fathom_trace scratch = { .state = FATHOM_TRACE_CLOSED };
	struct fathom_trace *trace;

	if (self->kind == FATHOM_KIND_SCRATCH) {
		self->trace_data = &scratch;
		return 0;
	}
	trace = fathom_trace_archive_add(self);
	if (!trace)
		return -ENOMEM;
	self->trace_data = trace;
	if (trace->state || self->kind != FATHOM_KIND_INITIAL)
		return 0;
	/* Strings 0 and 1 of every process: the program's name and its arguments. */
	fathom_trace_begin_program(trace, root);
	return 0;
}

static int birth_both(struct fathom_location *self, struct fathom_frame *root)
{
	int err = profile->birth(self, root);

	return err ? err : birth(self, root);
}

/* --- regions ------------------------------------------------------------------------------------- */

static void enter(struct fathom_location *self, struct fathom_frame *frame)
{
	uint64_t now = fathom_trace_now();

	fathom_trace_enter(self->trace_data, frame, now);
	fathom_poke(&frame->enter_ticks, now);
	fathom_location_end(self, frame);
}

static void leave(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	fathom_trace_exit(self->trace_data, frame, now);
	fathom_location_end(self, frame - 1);
}

static void enter_both(struct fathom_location *self, struct fathom_frame *frame)
{
	uint64_t now = fathom_trace_now();

	fathom_trace_enter(self->trace_data, frame, now);
	profile->enter_at(self, frame, now);
}

static void leave_both(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	fathom_trace_exit(self->trace_data, frame, now);
	profile->exit(self, frame, now);
}

/* Regions that a trace tells by other records. */
static void enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	fathom_poke(&frame->enter_ticks, now);
	fathom_location_end(self, frame);
}

/* --- what only profiles ask for ------------------------------------------------------------------ */

static void *origin(struct fathom_location *self)
{
	(void)self;
	return NULL;
}

static void hang(struct fathom_location *self, struct fathom_frame *frame, void *under)
{
	(void)self, (void)frame, (void)under;
}

static void ignore_task(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	(void)self, (void)frame, (void)now;
}

static void ignore_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	(void)self, (void)frame, (void)now, (void)is_moved;
}

/* --- messages ------------------------------------------------------------------------------------ */

static void send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		 uint64_t bytes, uint64_t request)
{
	fathom_trace_send(self, comm, peer, tag, bytes, request);
	if (profile)
		profile->send(self, comm, peer, tag, bytes, request);
}

static void receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		    uint64_t bytes, uint64_t request)
{
	fathom_trace_receive(self, comm, peer, tag, bytes, request);
	if (profile)
		profile->receive(self, comm, peer, tag, bytes, request);
}

static void collective(struct fathom_location *self, const struct fathom_communicator *comm,
		       enum fathom_collective operation, int32_t root, uint64_t bytes_sent, uint64_t bytes_received,
		       uint64_t request)
{
	fathom_trace_collective(self, comm, operation, root, bytes_sent, bytes_received, request);
	if (profile)
		profile->collective(self, comm, operation, root, bytes_sent, bytes_received, request);
}

static void rma(struct fathom_location *self, uint64_t bytes_put, uint64_t bytes_got)
{
	if (profile)
		profile->rma(self, bytes_put, bytes_got);
}

static void io(struct fathom_location *self, uint64_t bytes_read, uint64_t bytes_written)
{
	if (profile)
		profile->io(self, bytes_read, bytes_written);
}

static void metric(struct fathom_location *self, const struct fathom_metric *what, uint64_t bits)
{
	if (profile)
		profile->metric(self, what, bits);
}

/* --- the end, and the table ---------------------------------------------------------------------- */

static int finish_both(struct fathom_comm *comm, const struct fathom_result *result)
{
	int err;

	if (result->trace_directory)
		fathom_trace_stop();
	err = profile->finish(comm, result);
	*result->trace_error = fathom_trace_finish(comm, result);
	return err;
}

/* Who goes on here is not who wrote the trace. */
static void discard(void)
{
	fathom_trace_hold_threads(false);
	fathom_trace_archive_discard();
}

static void trace_alone(struct fathom_substrate *substrate)
{
	substrate->birth = birth;
	substrate->enter = enter;
	substrate->exit = leave;
	substrate->enter_at = enter_at;
	substrate->origin = origin;
	substrate->hang = hang;
	substrate->task_begin = ignore_task;
	substrate->task_end = ignore_task;
	substrate->suspend = ignore_task;
	substrate->resume = ignore_resume;
	substrate->finish = fathom_trace_finish;
}

static void trace_with_profile(struct fathom_substrate *substrate)
{
	substrate->birth = birth_both;
	substrate->enter = enter_both;
	substrate->exit = leave_both;
	substrate->enter_at = profile->enter_at;
	substrate->origin = profile->origin;
	substrate->hang = profile->hang;
	substrate->task_begin = profile->task_begin;
	substrate->task_end = profile->task_end;
	substrate->suspend = profile->suspend;
	substrate->resume = profile->resume;
	substrate->finish = finish_both;
}

/* Calls that all of it must be recorded of if a trace shall have all messages. */
enum {
	COMMUNICATION = FATHOM_MPI_GROUP_P2P | FATHOM_MPI_GROUP_REQUEST | FATHOM_MPI_GROUP_COLL |
			FATHOM_MPI_GROUP_RMA | FATHOM_MPI_GROUP_COMM,
};

const struct fathom_substrate *fathom_trace_substrate(const struct fathom_settings *settings,
						      const struct fathom_substrate *with_profile)
{
	static struct fathom_substrate substrate = {
		.synchronize = fathom_trace_synchronize,
		.fork = fathom_trace_fork,
		.team_begin = fathom_trace_team_begin,
		.team_end = fathom_trace_team_end,
		.join = fathom_trace_join,
		.task_create = fathom_trace_task_create,
		.task_start = fathom_trace_task_start,
		.task_switch = fathom_trace_task_switch,
		.task_complete = fathom_trace_task_complete,
		.thread_create = fathom_trace_thread_create,
		.thread_begin = fathom_trace_thread_begin,
		.thread_end = fathom_trace_thread_end,
		.thread_wait = fathom_trace_thread_wait,
		.lock_acquire = fathom_trace_lock_acquire,
		.lock_release = fathom_trace_lock_release,
		.comm_define = fathom_trace_comm_define,
		.comm_name = fathom_trace_comm_name,
		.comm_create = fathom_trace_comm_create,
		.comm_destroy = fathom_trace_comm_destroy,
		.incomplete = fathom_trace_incomplete,
		.on_off = fathom_trace_on_off,
		.object_define = fathom_trace_object_define,
		.window_name = fathom_trace_window_name,
		.rma_step = fathom_trace_rma_step,
		.io_step = fathom_trace_io_step,
		.send = send,
		.send_complete = fathom_trace_send_complete,
		.receive_begin = fathom_trace_receive_begin,
		.receive = receive,
		.request_cancelled = fathom_trace_request_cancelled,
		.request_tested = fathom_trace_request_tested,
		.collective_begin = fathom_trace_collective_begin,
		.collective = collective,
		.rma = rma,
		.io = io,
		.metric = metric,
		.discard = discard,
	};

	profile = with_profile;
	if (profile)
		trace_with_profile(&substrate);
	else
		trace_alone(&substrate);
	fathom_place_remember();
	fathom_trace_set_clock(settings->trace_tick);
	if ((settings->mpi & COMMUNICATION) != COMMUNICATION)
		fathom_trace_incomplete();
	if (fathom_trace_archive_open(settings->dir, settings->trace_memory, settings->trace_limit))
		return NULL;
	return &substrate;
}
