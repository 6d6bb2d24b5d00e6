#include "trace/trace.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <stddef.h>
#include <unistd.h>

#include "platform/clock.h"
#include "platform/settings.h"
#include "platform/vectors.h"
#include "system/system_path.h"
#include "trace/archive.h"
#include "trace/comms.h"
#include "trace/detail_window.h"
#include "trace/cut_points.h"
#include "trace/ring/event_ring.h"
#include "trace/ring/ring_markers.h"
#include "trace/records/io_records.h"
#include "trace/records/lock_records.h"
#include "trace/records/message_records.h"
#include "trace/records/metric_records.h"
#include "trace/mpi_objects.h"
#include "trace/records/parameter_records.h"
#include "trace/records/pending_enters.h"
#include "trace/records/record.h"
#include "trace/records/rma_records.h"
#include "trace/records/team_records.h"
#include "trace/records/thread_records.h"
#include "trace/stretches.h"
#include "trace/reductions.h"
#include "trace/samples/raw_samples.h"
#include "trace/trace_copy.h"
#include "trace/trace_finish.h"

/* The profile, if the run has one, else NULL; it does not change after the start. */
static const struct fathom_substrate *profile;

/* --- birth --------------------------------------------------------------------------------------- */

/* The next stage: that of the profile, if there is one. It does not change after the start. */
static struct fathom_stage next;

/* Strings 0 and 1 of every process are the program's name and its arguments, see parameter_records.h. */
static void begin_program(const struct fathom_location *self, struct fathom_trace *trace,
			  const struct fathom_frame *root)
{
	const struct fathom_record_attribute process = {
		.number = FATHOM_TRACE_ATTRIBUTE_PROCESS,
		.type = OTF2_TYPE_UINT64,
		.value = (uint64_t)getpid(),
	};
	uint64_t now = fathom_trace_time(trace, root->enter_ticks);

	fathom_trace_put_with(trace, now, FATHOM_RECORD_PROGRAM_BEGIN, &process, (const uint64_t[]){ 0, 0, 1, 1 }, 3);
	if (self->meter)
		fathom_trace_metrics(self, trace, now);
	FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_ENTER, root->region->id);
}

static int birth(struct fathom_location *self, struct fathom_frame *root)
{
	int err = next.birth(self, root);	/* before the location gets an event file, which would stay */
	const struct fathom_trace_reductions *reductions = fathom_trace_reductions();
	bool is_scratch = self->kind == FATHOM_KIND_SCRATCH;
	struct fathom_trace *trace;

	if (err)
		return err;
	trace = is_scratch ? fathom_trace_archive_scratch(self) : fathom_trace_archive_add(self);
	if (!trace)
		return -ENOMEM;
	self->trace_data = trace;
	if (trace->state > FATHOM_TRACE_LIMITED)
		return 0;
	if (reductions->ring.bytes && !is_scratch)
		err = fathom_trace_buffer_use_ring(trace, &reductions->ring, fathom_trace_left_out_class(),
						   self->meter ? self->meter->count : 0);
	if (err)
		return err;
	if (reductions->whole_periods && !is_scratch)
		fathom_trace_buffer_use_most(trace);
	if (self->kind == FATHOM_KIND_INITIAL)
		fathom_stretches_begin(trace);
	if (self->kind == FATHOM_KIND_INITIAL) {
		fathom_detail_window_begin(root->enter_ticks);
		begin_program(self, trace, root);
	}
	if (reductions->drops_older && trace->buffer.ring)
		err = fathom_trace_ring_use_cuts(trace);
	if (!err && fathom_trace_granularity())
		err = fathom_trace_pending_init(trace);
	return err;
}

/* --- the stage of the records of regions --------------------------------------------------------- */

FATHOM_HIDDEN void fathom_trace_enter_rarely(struct fathom_location *self, struct fathom_frame *frame);
FATHOM_COLD void fathom_trace_enter_rarely(struct fathom_location *self, struct fathom_frame *frame)
{
	uint64_t now = fathom_trace_now();

	fathom_trace_enter_rare(self->trace_data, frame, now);
	next.enter_at(self, frame, now);
}
FATHOM_KEEPS_VECTORS(fathom_trace_enter_rarely);

/* is_last: only the end of the chain follows; this function then does the work of the end, which saves 4 per cent of
 * the instructions. */
static inline __attribute__((always_inline)) void enter(struct fathom_location *self, struct fathom_frame *frame,
						       bool is_last)
{
	uint64_t now;

	if (unlikely(!fathom_trace_reads_counter || !fathom_trace_is_plain(self->trace_data))) {
		fathom_trace_enter_rarely_kept(self, frame);
		return;
	}
	now = fathom_clock_counter();
	fathom_trace_region(self->trace_data, now, FATHOM_RECORD_ENTER, frame);
	if (!is_last) {
		next.enter_at(self, frame, now);
		return;
	}
	fathom_poke(&frame->enter_ticks, now);
	fathom_location_end(self, frame);
}

static void enter_region(struct fathom_location *self, struct fathom_frame *frame)
{
	enter(self, frame, true);
}

static void enter_region_and_pass(struct fathom_location *self, struct fathom_frame *frame)
{
	enter(self, frame, false);
}

static void enter_region_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (!fathom_trace_is_untraced(frame))
		fathom_trace_enter_rare(self->trace_data, frame, now);
	next.enter_at(self, frame, now);
}

FATHOM_HIDDEN void fathom_trace_leave_rarely(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
FATHOM_COLD void fathom_trace_leave_rarely(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	if (!fathom_trace_is_untraced(frame))
		fathom_trace_exit_rare(self->trace_data, frame, now);
	next.exit(self, frame, now);
}
FATHOM_KEEPS_VECTORS(fathom_trace_leave_rarely);

static inline __attribute__((always_inline)) void leave(struct fathom_location *self, struct fathom_frame *frame,
						       uint64_t now, bool is_last)
{
	if (unlikely(!fathom_trace_is_plain(self->trace_data) || fathom_trace_is_untraced(frame))) {
		fathom_trace_leave_rarely_kept(self, frame, now);
		return;
	}
	fathom_trace_region(self->trace_data, now, FATHOM_RECORD_LEAVE, frame);
	if (is_last)
		fathom_location_end(self, frame - 1);
	else
		next.exit(self, frame, now);
}

static void leave_region(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	leave(self, frame, now, true);
}

static void leave_region_and_pass(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	leave(self, frame, now, false);
}

FATHOM_HIDDEN void fathom_trace_leave_and_divide(struct fathom_location *self, struct fathom_frame *frame,
						 uint64_t now);
FATHOM_COLD void fathom_trace_leave_and_divide(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	fathom_stretches_divide(self, frame - 1, now);
	next.exit(self, frame, now);
}
FATHOM_KEEPS_VECTORS(fathom_trace_leave_and_divide);

/* With FATHOM_TRACE_REPEAT: in a program without MPI, a stretch may end here. */
static void leave_region_and_stretch(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;

	if (unlikely(!fathom_trace_is_plain(trace) || fathom_trace_is_untraced(frame))) {
		fathom_trace_leave_rarely_kept(self, frame, now);
		return;
	}
	fathom_trace_region(trace, now, FATHOM_RECORD_LEAVE, frame);
	if (unlikely(trace->buffer.events >= trace->division_events) && fathom_stretches_may_end(self, trace, frame))
		fathom_trace_leave_and_divide_kept(self, frame, now);
	else
		next.exit(self, frame, now);
}

/* Returns the stage of the records of locations and regions, which calls the stage after. */
static struct fathom_stage region_records_before(struct fathom_stage after, bool is_last)
{
	struct fathom_stage stage = after;

	next = after;
	if (fathom_trace_granularity()) {
		stage = fathom_trace_pending_enters_before(after);
		stage.birth = birth;
		return stage;
	}
	stage.birth = birth;
	stage.enter = is_last ? enter_region : enter_region_and_pass;
	stage.enter_at = enter_region_at;
	stage.exit = is_last ? leave_region : leave_region_and_pass;
	if (fathom_stretches_are_on())
		stage.exit = leave_region_and_stretch;
	return stage;
}

/* --- a function that only profiles need --------------------------------------------------------------- */

static void *no_origin(struct fathom_location *self)
{
	(void)self;
	return NULL;
}

/* --- messages ------------------------------------------------------------------------------------ */

/* Returns whether the innermost MPI call is in the trace. The profile gets the messages of all calls. */
static inline bool is_traced(const struct fathom_location *self)
{
	return likely(!(self->top->flags & FATHOM_FRAME_MATCH_ONLY));
}

static void send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		 uint64_t bytes, uint64_t request)
{
	if (is_traced(self))
		fathom_trace_send(self, comm, peer, tag, bytes, request);
	if (profile)
		profile->send(self, comm, peer, tag, bytes, request);
}

static void receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		    uint64_t bytes, uint64_t request)
{
	if (is_traced(self))
		fathom_trace_receive(self, comm, peer, tag, bytes, request);
	if (profile)
		profile->receive(self, comm, peer, tag, bytes, request);
}

/* Functions for requests that a profile needs only if it records operations for the search for wait states. */
#define RECORD_REQUEST(event) \
	static void event(struct fathom_location *self, uint64_t request) \
	{ \
		if (is_traced(self)) \
			fathom_trace_##event(self, request); \
		if (profile && profile->event) \
			profile->event(self, request); \
	}

RECORD_REQUEST(send_complete)
RECORD_REQUEST(receive_begin)
RECORD_REQUEST(receive_matched)
RECORD_REQUEST(request_cancelled)
RECORD_REQUEST(collective_begin)

static void collective(struct fathom_location *self, const struct fathom_communicator *comm,
		       enum fathom_collective operation, int32_t root, uint64_t bytes_sent, uint64_t bytes_received,
		       uint64_t request)
{
	if (is_traced(self))
		fathom_trace_collective(self, comm, operation, root, bytes_sent, bytes_received, request);
	if (profile)
		profile->collective(self, comm, operation, root, bytes_sent, bytes_received, request);
}

static uint32_t comm_note_neighbors(uint32_t number, const struct fathom_comm_neighbors *neighbors)
{
	if (profile && profile->comm_note_neighbors)
		profile->comm_note_neighbors(number, neighbors);
	return fathom_trace_neighbors_text(neighbors);
}

static void rma_step(struct fathom_location *self, const struct fathom_rma_step *step)
{
	fathom_trace_rma_step(self, step);
	if (profile && profile->rma_step)
		profile->rma_step(self, step);
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

static void parameter(struct fathom_location *self, const struct fathom_parameter *what,
		      const struct fathom_parameter_value *value)
{
	fathom_trace_parameter(self, what, value);
	if (profile)
		profile->parameter(self, what, value);
}

static void keep_newest(void)
{
	fathom_event_ring_keep_all(fathom_trace_now());
}

static void iteration(struct fathom_location *self, uint64_t number)
{
	struct fathom_trace *trace = self->trace_data;
	uint64_t slow_factor = fathom_trace_reductions()->slow_factor;

	fathom_trace_iteration(self, number);
	if (!trace->chosen_phase &&
	    fathom_detail_window_begin_iteration(self->top->region, number, self->top->enter_ticks)) {
		trace->chosen_phase = self->top->region;
		trace->chosen_depth = self->top - self->root;
	}
	if (slow_factor && fathom_slow_iterations_begin(&trace->iterations, self->top->region, self->top->enter_ticks,
							slow_factor))
		keep_newest();
	if (profile && profile->iteration)
		profile->iteration(self, number);
}

static void metric(struct fathom_location *self, const struct fathom_metric *what, uint64_t bits)
{
	fathom_trace_give(self, what, bits);
	if (profile)
		profile->metric(self, what, bits);
}

static void synchronize(struct fathom_comm *comm)
{
	fathom_stretches_use_votes();
	fathom_trace_synchronize(comm);
}

static void on_off_both(struct fathom_location *self, bool is_on, uint64_t now)
{
	fathom_trace_on_off(self, is_on, now);
	profile->on_off(self, is_on, now);
}

static void synchronize_both(struct fathom_comm *comm)
{
	synchronize(comm);
	if (profile->synchronize)
		profile->synchronize(comm);
}

/* --- events interrupted by a jump out of a signal handler --------------------------------------------- */

static void repair(struct fathom_location *self)
{
	struct fathom_trace *trace = self->trace_data;

	if (fathom_peek(&trace->state) & (FATHOM_TRACE_LOST | FATHOM_TRACE_CLOSED))
		return;
	fathom_trace_buffer_repair(trace, self->top);
	fathom_trace_pending_repair(trace, self->top);
}

/* --- samples ------------------------------------------------------------------------------------- */

static void sample_both(struct fathom_location *self, struct fathom_frame *top, const struct fathom_sample *sample)
{
	profile->sample(self, top, sample);
	fathom_trace_sample(self, top, sample);
}

static void choose_samples(struct fathom_substrate *substrate, const struct fathom_settings *settings)
{
	fathom_trace_samples_choose(settings->trace_samples, settings->sampling);
	if (settings->trace_samples)
		substrate->sample = substrate->sample ? sample_both : fathom_trace_sample;
}

/* --- repetitions --------------------------------------------------------------------------------- */

static void choose_repeats(struct fathom_substrate *substrate)
{
	if (fathom_trace_reductions()->drops_older)
		fathom_cut_points_use();
	if (fathom_stretches_init(fathom_trace_reductions()->whole_periods) || !fathom_stretches_are_on())
		return;
	substrate->vote = fathom_stretches_vote;
	substrate->vote_result = fathom_stretches_vote_result;
}

/* --- the end, and the table ---------------------------------------------------------------------- */

static int finish_both(struct fathom_comm *comm, const struct fathom_result *result)
{
	int err;

	if (result->trace_directory)
		fathom_trace_stop(comm, result->end_ticks);
	err = profile->finish(comm, result);
	*result->trace_error = fathom_trace_finish(comm, result);
	return err;
}

/* Removes the local archive in a child after fork: its parent wrote the trace. */
static void discard(void)
{
	fathom_trace_release_threads();
	fathom_trace_archive_discard();
}

static void trace_alone(struct fathom_substrate *substrate)
{
	substrate->keeps_vectors = true;
	substrate->origin = no_origin;
	substrate->finish = fathom_trace_finish;
}

/* is_written: the profile is also a result. */
static void trace_with_profile(struct fathom_substrate *substrate, bool is_written)
{
	substrate->keeps_vectors = profile->keeps_vectors;
	substrate->scratch_ticks = profile->scratch_ticks;
	substrate->uncount_visit = profile->uncount_visit;
	substrate->origin = profile->origin;
	substrate->lock_wait = is_written ? profile->lock_wait : NULL;
	substrate->lock_blame = is_written ? profile->lock_blame : NULL;
	substrate->task_wait = is_written ? profile->task_wait : NULL;
	substrate->idle_blame = is_written ? profile->idle_blame : NULL;
	substrate->sampling_point = profile->sampling_point;
	substrate->synchronize = synchronize_both;
	if (profile->on_off)
		substrate->on_off = on_off_both;
	substrate->matches_unrecorded = profile->matches_unrecorded;
	substrate->comm_note = profile->comm_note;
	substrate->comm_note_operation = profile->comm_note_operation;
	substrate->window_note = profile->window_note;
	substrate->sample = is_written ? profile->sample : NULL;
	substrate->finish = is_written ? finish_both : fathom_trace_finish;
}

/* Composes the chain of stages: the trace's in front of the profile's. */
static void compose(struct fathom_substrate *substrate)
{
	struct fathom_stage behind = profile ? profile->chain : fathom_event_end_stage();

	behind = fathom_trace_team_records_before(region_records_before(behind, !profile));
	if (fathom_metric_strict_count()) {
		struct fathom_stage regions = behind;

		behind = fathom_trace_metric_records_before(behind);
		substrate->keeps_vectors = false;
		if (fathom_trace_granularity()) {
			behind.enter = regions.enter;
			behind.enter_at = regions.enter_at;
			behind.exit = regions.exit;
		}
	}
	substrate->chain = behind;
}

/* MPI calls that must always be recorded completely; otherwise messages are missing from the trace. */
enum {
	COMMUNICATION = FATHOM_MPI_GROUP_P2P | FATHOM_MPI_GROUP_REQUEST | FATHOM_MPI_GROUP_COLL |
			FATHOM_MPI_GROUP_RMA | FATHOM_MPI_GROUP_COMM,
};

const struct fathom_substrate *fathom_trace_substrate(const struct fathom_settings *settings,
						      const struct fathom_substrate *with_profile)
{
	static struct fathom_substrate substrate = {
		.synchronize = synchronize,
		.fork = fathom_trace_fork,
		.join = fathom_trace_join,
		.task_create = fathom_trace_task_create,
		.task_switch = fathom_trace_task_switch,
		.thread_create = fathom_trace_thread_create,
		.thread_begin = fathom_trace_thread_begin,
		.thread_end = fathom_trace_thread_end,
		.thread_wait = fathom_trace_thread_wait,
		.lock_acquire = fathom_trace_lock_acquire,
		.lock_release = fathom_trace_lock_release,
		.comm_define = fathom_trace_comm_define,
		.comm_of_operation = fathom_trace_comm_of_operation,
		.comm_name = fathom_trace_comm_name,
		.comm_note_neighbors = comm_note_neighbors,
		.comm_create = fathom_trace_comm_create,
		.comm_destroy = fathom_trace_comm_destroy,
		.incomplete = fathom_trace_incomplete,
		.on_off = fathom_trace_on_off,
		.keep_newest = keep_newest,
		.object_define = fathom_trace_object_define,
		.window_name = fathom_trace_window_name,
		.rma_step = rma_step,
		.io_step = fathom_trace_io_step,
		.send = send,
		.send_complete = send_complete,
		.receive_begin = receive_begin,
		.receive_matched = receive_matched,
		.receive = receive,
		.request_cancelled = request_cancelled,
		.request_tested = fathom_trace_request_tested,
		.collective_begin = collective_begin,
		.collective = collective,
		.rma = rma,
		.io = io,
		.metric = metric,
		.parameter = parameter,
		.iteration = iteration,
		.discard = discard,
		.repair = repair,
		.copy = fathom_trace_copy,
		.note_snapshot = fathom_trace_archive_note_snapshot,
	};

	profile = with_profile;
	substrate.copied_roots = fathom_trace_copied_roots();
	if (profile)
		trace_with_profile(&substrate, settings->mode & FATHOM_MODE_PROFILE);
	else
		trace_alone(&substrate);
	choose_samples(&substrate, settings);
	fathom_system_path_remember();
	fathom_trace_set_clock(settings->trace_tick);
	fathom_trace_reductions_set(settings);
	fathom_trace_set_granularity(fathom_trace_reductions()->granularity_ns);
	fathom_trace_copy_settings(settings->trace_samples, fathom_trace_reductions());
	fathom_trace_metrics_init(fathom_trace_granularity() || fathom_trace_reductions()->ring.bytes,
				  fathom_trace_reductions()->whole_periods);
	if (fathom_trace_reductions()->whole_periods || fathom_trace_reductions()->drops_older)
		choose_repeats(&substrate);
	compose(&substrate);
	if ((settings->mpi & COMMUNICATION) != COMMUNICATION)
		fathom_trace_incomplete();
	if (fathom_trace_archive_open(settings->dir, settings->trace_memory, settings->trace_limit))
		return NULL;
	return &substrate;
}
