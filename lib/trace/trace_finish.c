/*
 * The steps of the end:
 *
 * 1. Threads that still run stop recording, active regions are left, event files completed. The clocks are measured
 *    for the second time (clock_sync.h).
 * 2. If the trace has samples, each process finds the calling contexts of its events (samples/event_conversion.h).
 * 3. The definitions of all processes become one union (system/pool.h).
 * 4. Rank 0 receives what it must know about every location, and writes the definitions.
 * 5. Each process writes the tables from its numbers to those of the trace, and moves its files into the trace, or
 *    writes the events with their calling contexts there. The anchor gets its name last.
 */
#include "trace/trace_finish.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "comm/comm.h"
#include "platform/clock.h"
#include "platform/helper.h"
#include "platform/log.h"
#include "system/definition_pool.h"
#include "comm/clock_sync.h"
#include "trace/comms.h"
#include "trace/definitions/definitions.h"
#include "trace/message_check.h"
#include "trace/records/metric_records.h"
#include "trace/stretches.h"
#include "trace/records/pending_enters.h"
#include "trace/records/record.h"
#include "trace/records/team_records.h"
#include "trace/records/thread_records.h"
#include "trace/samples/calling_contexts.h"
#include "trace/samples/event_conversion.h"
#include "trace/samples/raw_samples.h"

/* --- stopping ------------------------------------------------------------------------------------ */

/*
 * Threads that are recording an event get one second to finish it, all together: a thread that writes its chunks to a
 * busy disk, or must wait for a processor, may need that long. The other threads are held meanwhile.
 */
#define MOST_STOP_NS UINT64_C(1000000000)
enum { STEP_NS = 100000 };

/* The largest distance between the interrupted code and a frame of the signal handler, if both are on the same stack.
 */
enum { OWN_STACK_BYTES = 64 << 10 };

/* Returns true if the calling thread, which may be a signal handler, has interrupted a record of its own location. */
static bool is_here(const struct fathom_trace *trace)
{
	uintptr_t busy = fathom_peek((const uintptr_t *)&trace->location->busy);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	return trace->location->trace_data == trace && busy >= here && busy - here < OWN_STACK_BYTES;
}

/* Makes the earlier stores of other threads visible to all running threads, and the stores of these threads visible
 * to others. If the kernel cannot do this, a pause must be enough. */
static void barrier_everywhere(void)
{
	const struct timespec while_ns = { .tv_nsec = STEP_NS };

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		nanosleep(&while_ns, NULL);
}

/* Waits until the thread has finished the event that it is recording. Returns false if it has not at the deadline. */
static bool has_stopped(const struct fathom_trace *trace, uint64_t deadline_ns)
{
	const struct timespec step = { .tv_nsec = STEP_NS };

	for (;;) {
		uintptr_t busy = fathom_peek((const uintptr_t *)&trace->location->busy);

		if (!busy || busy == FATHOM_BUSY_FOR_EVER || fathom_peek(&trace->is_paused))
			return true;
		if (is_here(trace))
			return true;	/* the interrupted record cannot continue before this function returns */
		if (fathom_clock_monotonic_ns() >= deadline_ns)
			return false;
		nanosleep(&step, NULL);
	}
}

/*
 * The longest time for which the other threads are held: until the event files of this process are complete. That takes
 * little time, but on a busy machine it may take long: a minute, after which threads do not wait for the saving thread
 * either (run/crash_saving.h). Meanwhile the process never waits for another process, which may need an action of the
 * held threads.
 */
enum { MOST_HELD_SECONDS = 60 };

/* The time at which active regions end; 0: recording has not been stopped yet. */
static uint64_t stop_ticks;

static void stop_threads(uint64_t end_ticks)
{
	const struct fathom_trace *newest;
	uint64_t deadline_ns;

	stop_ticks = end_ticks;
	fathom_trace_hold_threads(MOST_HELD_SECONDS);
	fathom_trace_archive_stop();
	newest = fathom_trace_archive_newest();
	for (struct fathom_trace *trace = (struct fathom_trace *)newest; trace; trace = trace->next)
		fathom_trace_add_state(trace, FATHOM_TRACE_CLOSED);
	if (!newest || !newest->next)
		return;
	/* After this barrier, the following loop sees busy set for each thread that set busy before it saw the new
	 * state. */
	barrier_everywhere();
	deadline_ns = fathom_clock_monotonic_ns() + MOST_STOP_NS;
	for (const struct fathom_trace *trace = newest; trace; trace = trace->next)
		if (!has_stopped(trace, deadline_ns))
			fathom_log(FATHOM_LOG_ERROR, "thread %u did not stop; its trace may be damaged", trace->id);
	barrier_everywhere();
}

/* --- closing regions ----------------------------------------------------------------------------- */

/* The state of leaving a location's regions: at first it is copied from the members of the location, then it follows
 * the outer tasks and teams. */
struct active {
	const struct fathom_frame *root, *top;
	const struct fathom_task *task;		/* the task that is executed; NULL: the implicit one */
	struct fathom_stack implicit;		/* if task is not NULL: the stack of the implicit task */
	const struct fathom_team *leads;
};

static void leave(struct fathom_trace *trace, const struct fathom_frame *frame, uint64_t now)
{
	if (!frame->region || (frame->flags & FATHOM_FRAME_PLACEHOLDER) || fathom_trace_is_untraced(frame))
		return;
	if (trace->location->meter)
		fathom_trace_metrics(trace->location, trace, now);
	FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_LEAVE, frame->region->id);
}

/* Leaves the explicit task that the thread executes, and those that wait for it. */
static void leave_tasks(struct fathom_trace *trace, struct active *active, uint64_t now)
{
	for (const struct fathom_task *task = active->task; task; task = task->below) {
		const struct fathom_frame *root = active->root, *frame = active->top;

		if (task != active->task) {
			fathom_trace_switch_to(trace->location, trace, task, now);
			root = task->stack.root;
			frame = task->stack.top;
		}
		for (; frame >= root; frame--)
			leave(trace, frame, now);
	}
	fathom_trace_switch_to(trace->location, trace, NULL, now);
	active->task = NULL;
	active->root = active->implicit.root;
	active->top = active->implicit.top;
}

/*
 * The core begins and ends a team in several steps, and a thread may have been stopped between two of them. So
 * team_records.c notes which records of a team it has written, and only the records that are missing are added here.
 */

/* Returns the team whose parallel region the frame is: one that the location leads, or one that was forked and not
 * joined. NULL: none. */
static const struct fathom_team *team_of(const struct fathom_location *self, const struct active *active,
					 const struct fathom_frame *frame)
{
	const struct fathom_team *team;

	if (!(frame->flags & FATHOM_FRAME_UNTRACED) || !frame->region)
		return NULL;
	for (team = active->leads; team; team = team->outer_leads)
		if (team->parallel == fathom_frame_region(frame) && active->root + team->depth == frame)
			return team;
	for (team = self->forked; team; team = team->next)
		if (fathom_peek(&team->references) && !team->led &&
		    team->parallel == fathom_frame_region(frame) && active->root + team->depth == frame)
			return team;
	return NULL;
}

static void leave_team(struct fathom_trace *trace, struct active *active, const struct fathom_team *team, uint64_t now)
{
	uint64_t open = fathom_trace_team_open(trace, team->records);

	if ((open & FATHOM_TRACE_OPEN_REGION) && trace->location->meter)
		fathom_trace_metrics(trace->location, trace, now);
	if (open & FATHOM_TRACE_OPEN_REGION)
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_LEAVE, team->parallel->id);
	if (open & FATHOM_TRACE_OPEN_TEAM)
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_THREAD_TEAM_END, fathom_trace_team_comm(trace, team));
	if (active->leads == team) {
		active->leads = team->outer_leads;
		active->task = team->outer_task;
		active->implicit = team->outer_implicit;
	}
	if (open & FATHOM_TRACE_OPEN_FORK)
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_THREAD_JOIN, OTF2_PARADIGM_OPENMP);
}

/* Writes the join of a team whose parallel region the core has just left: its frame was the one above the top. */
static void join_left_team(struct fathom_trace *trace, const struct active *active, uint64_t now)
{
	for (const struct fathom_team *team = trace->location->forked; team; team = team->next)
		if (fathom_trace_team_open(trace, team->records) == FATHOM_TRACE_OPEN_FORK && active->leads != team &&
		    active->root + team->depth == active->top + 1)
			FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_THREAD_JOIN, OTF2_PARADIGM_OPENMP);
}

/* Leaves all regions that are active on the location, from the innermost one outwards. */
static void leave_all(struct fathom_trace *trace, uint64_t now)
{
	struct fathom_location *self = trace->location;
	struct active active = { self->root, self->top, self->task, self->implicit, self->leads };
	bool is_done = false, is_in_team;

	is_in_team = fathom_trace_team_open(trace, trace->team_records);
	join_left_team(trace, &active, now);
	while (!is_done) {
		const struct fathom_team *team = NULL;

		if (active.task)
			leave_tasks(trace, &active, now);
		for (; active.top > active.root && !team; active.top--) {
			team = team_of(self, &active, active.top);
			if (team)
				leave_team(trace, &active, team, now);
			else
				leave(trace, active.top, now);
		}
		is_done = !team;
	}
	if (self->kind == FATHOM_KIND_INITIAL)
		leave(trace, active.root, now);
	if (is_in_team)
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_THREAD_TEAM_END,
				 fathom_trace_team_comm(trace, trace->team));
}

static uint64_t end_time(struct fathom_trace *trace, uint64_t now)
{
	const struct fathom_location *self = trace->location;

	if (self->team && self->team->end_ticks)
		now = self->team->end_ticks;
	else if (self->end_ticks)
		now = self->end_ticks;
	return fathom_trace_time(trace, now);
}

/* Leaves all active regions of the location and completes its event file. latest: the time of the newest record of
 * the other threads, as the program ends after all of them. */
static int close_location(struct fathom_trace *trace, uint64_t now, uint64_t latest)
{
	if (!trace->buffer.chunk_count)
		return fathom_trace_error();
	/* The event that the thread was recording will not end: the thread did not stop in time, or was interrupted
	 * by the signal that ends the program. */
	if (fathom_peek((const uintptr_t *)&trace->location->busy)) {
		fathom_trace_buffer_repair(trace, trace->location->top);
		fathom_trace_pending_repair(trace, trace->location->top);
	}
	fathom_stretches_settle(trace);
	fathom_trace_pending_end(trace);
	now = end_time(trace, now);
	if (trace->is_off)
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_ON);
	leave_all(trace, now);
	if (trace->thread_number)
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_THREAD_END, fathom_trace_threads_comm(),
				 trace->thread_number);
	if (trace->location->kind == FATHOM_KIND_INITIAL)
		FATHOM_TRACE_PUT(trace, fathom_trace_time(trace, now > latest ? now : latest),
				 FATHOM_RECORD_PROGRAM_END, OTF2_UNDEFINED_INT64);
	return fathom_trace_archive_close_events(trace);
}

/* Completes the event files of all locations; that of the thread that runs main comes last. */
static int close_all(void)
{
	uint64_t latest = 0;
	int err = 0;

	/* Records that were being written are newer than the stop; and the time of a team's join must not be before
	 * the records of its members. */
	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		if (trace->buffer.last_ticks > stop_ticks)
			stop_ticks = trace->buffer.last_ticks;
	for (int is_initial = 0; is_initial < 2; is_initial++)
		for (struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next) {
			int next;

			if ((trace->location->kind == FATHOM_KIND_INITIAL) != is_initial)
				continue;
			next = close_location(trace, stop_ticks, latest);
			err = err ? err : next;
			if (trace->buffer.last_ticks > latest)
				latest = trace->buffer.last_ticks;
		}
	fathom_trace_release_threads();
	return err;
}

static int closing_error;	/* result of close_all, if several processes write the trace together */

/* The event files are closed here before the profile is put together, in which the process waits for others. A process
 * that writes the trace alone may be crashing; then a copy of it closes the files. */
void fathom_trace_stop(const struct fathom_comm *comm, uint64_t end_ticks)
{
	if (stop_ticks)
		return;
	stop_threads(end_ticks);
	if (comm->size > 1)
		closing_error = close_all();
}

/* --- clocks -------------------------------------------------------------------------------------- */

static uint64_t read_clock(void *context)
{
	(void)context;
	return fathom_trace_now();
}

static double ticks_per_second(void *context)
{
	(void)context;
	return fathom_trace_ticks_per_second();
}

static struct fathom_clock_sync clocks = { .clock = { .now = read_clock, .ticks_per_second = ticks_per_second } };
static struct fathom_clock_sync first_comparison;	/* clocks as they are after the first comparison */
static bool has_begun;		/* first_comparison is complete and does not change any more: released, and acquired
				 * by fathom_trace_clock_copy */

void fathom_trace_synchronize(struct fathom_comm *comm)
{
	if (comm->size == 1 || has_begun)
		return;
	clocks.clock.name = fathom_clock_sync_name(fathom_trace_reads_counter);
	if (fathom_clock_sync_begin(&clocks, comm))
		return;
	first_comparison = clocks;
	__atomic_store_n(&has_begun, true, __ATOMIC_RELEASE);
}

/* --- the finish ---------------------------------------------------------------------------------- */

/* Sends the worst error of all processes, which is the smallest number, to all processes. */
static int agree(struct fathom_comm *comm, int err)
{
	int32_t worst = err, next;
	int parent, children[32], count = fathom_comm_tree(comm->rank, comm->size, &parent, children);

	for (int c = 0; c < count; c++) {
		int broken = comm->receive(comm, children[c], &next, sizeof(next));

		if (broken)
			return broken;
		worst = next < worst ? next : worst;
	}
	err = parent < 0 ? 0 : comm->send(comm, parent, &worst, sizeof(worst));
	if (!err)
		err = comm->broadcast(comm, 0, &worst, sizeof(worst));
	return err ? err : worst;
}

/* Removes the parts of a trace that could not be completed, so that no tool regards them as a trace. */
static void withdraw(struct fathom_comm *comm, const char *path, const struct fathom_definitions *defs)
{
	char file[4096 + 32];

	fathom_trace_archive_withdraw(path, defs->rank, defs->absent);
	if (agree(comm, 0) || comm->rank)
		return;
	fathom_format(file, sizeof(file), "%s/" FATHOM_TRACE_ANCHOR_PART, path);
	unlink(file);
	fathom_format(file, sizeof(file), "%s/traces.def", path);
	unlink(file);
	fathom_format(file, sizeof(file), "%s/traces", path);
	rmdir(file);
}

/* Merges the definitions of all processes, writes them, and moves the files to the trace. */
static int write_together(struct fathom_comm *comm, const struct fathom_result *result, struct fathom_definitions *defs,
			  const char *path, bool has_contexts)
{
	struct fathom_context_numbers numbers;
	int32_t err, next;

	err = fathom_definitions_unite(defs, comm, result);
	if (err)
		return err;
	next = comm->rank == 0 ? fathom_definitions_write(defs, comm, result, path) :
				 fathom_definitions_send(defs, comm);
	err = comm->broadcast(comm, 0, &next, sizeof(next));
	if (err || next)
		return err ? err : next;
	if (has_contexts)
		err = fathom_context_pools_hand_back(&defs->contexts, comm, &numbers);
	if (has_contexts && !err)
		err = fathom_trace_write_contexts(path, defs->rank, &numbers);
	next = fathom_definitions_place(defs, comm, path, has_contexts);
	return err ? err : next;
}

/* Finds the calling contexts of the events of this process, if any process is to have samples; then *has_contexts
 * becomes true. Returns the worst error of all processes. */
static int find_contexts(struct fathom_comm *comm, bool is_alive, bool *has_contexts)
{
	*has_contexts = agree(comm, fathom_trace_most_samples() ? -1 : 0);
	return *has_contexts ? agree(comm, fathom_trace_find_contexts(is_alive)) : 0;
}

/* Writes the trace. The event files of this process are complete, or err is the reason why not; the offsets of the
 * clocks are known. is_alive: this process has recorded the events. */
static int write_trace(struct fathom_comm *comm, const struct fathom_result *result, const char *path, int err,
		       const struct fathom_message_times_result *arrivals, bool is_alive)
{
	struct fathom_definitions defs;
	bool has_contexts = false;
	int next;

	err = agree(comm, err);
	if (!err)
		err = find_contexts(comm, is_alive, &has_contexts);
	if (!err) {
		fathom_definitions_init(&defs, comm, result, comm->size > 1 ? &clocks : NULL);
		if (comm->size == 1)
			fathom_trace_archive_undo(path, defs.rank, defs.absent);
		defs.arrivals = *arrivals;
		next = write_together(comm, result, &defs, path, has_contexts);
		err = agree(comm, next);
		if (err)
			withdraw(comm, path, &defs);
		else if (comm->rank == 0)
			err = fathom_trace_archive_show(path);
		if (comm->rank == 0)
			fathom_trace_archive_clear();
		fathom_definitions_fini(&defs);
	}
	fathom_trace_archive_remove();
	fathom_calling_contexts_fini();
	return err;
}

int fathom_trace_finish(struct fathom_comm *comm, const struct fathom_result *result)
{
	struct fathom_message_times_result arrivals = { 0 };
	char path[4096];
	int err;

	if (!result->trace_directory)
		return 0;
	fathom_trace_stop(comm, result->end_ticks);
	if (!comm->rank && result->may_allocate)
		fathom_stretches_report();
	/* A crashing process must not allocate memory. A copy of the process calls this again, and may allocate
	 * (run/crash_saving.h). */
	if (!result->may_allocate)
		return 0;
	fathom_format(path, sizeof(path), "%s", result->trace_directory);
	if (comm->size > 1 && comm->broadcast(comm, 0, path, sizeof(path)))
		return -EIO;
	if (comm->size == 1 && fathom_trace_archive_is_complete(path))
		return 0;
	err = comm->size > 1 ? closing_error : close_all();
	if (comm->size > 1) {
		int broken;

		fathom_trace_synchronize(comm);
		broken = fathom_clock_sync_end(&clocks, comm);
		if (!broken)
			broken = fathom_trace_check_messages(comm, &clocks, &arrivals);
		if (broken) {
			fathom_trace_archive_remove();
			return broken;
		}
	}
	return write_trace(comm, result, path, err, &arrivals, true);
}

/* --- killed processes ---------------------------------------------------------------------------- */

FATHOM_IN_HELPER void fathom_trace_clock_copy(struct fathom_trace_roots *roots)
{
	const uint64_t *from = (const uint64_t *)(const void *)&first_comparison;
	uint64_t *to = (uint64_t *)(void *)&roots->clock;

	roots->has_clock = __atomic_load_n(&has_begun, __ATOMIC_ACQUIRE);
	/* By words, because the compiler may make a call of memcpy, which may be the program's, of an assignment. */
	for (size_t i = 0; roots->has_clock && i < sizeof(first_comparison) / sizeof(*to); i++)
		to[i] = fathom_peek(&from[i]);
}

int fathom_trace_finish_killed(struct fathom_comm *comm, const struct fathom_result *result, int err, bool has_clock,
			       const struct fathom_clock_sync *clock)
{
	const struct fathom_message_times_result arrivals = { 0 };
	const struct fathom_clock_sync_source functions = clocks.clock;
	int broken;

	if (comm->size > 1) {
		if (has_clock)
			clocks = *clock;
		clocks.clock = functions;
		/* Some processes may have been killed during the comparison: then its result is not used. */
		if (agree(comm, has_clock ? 0 : -EAGAIN)) {
			clocks.clock_count = 0;
			clocks.rate = clocks.reference_rate = fathom_trace_ticks_per_second();
			clocks.points[0] = (struct fathom_clock_sync_point){ .ticks = fathom_trace_now() };
		}
		broken = fathom_clock_sync_end_without(&clocks, comm);
		if (broken) {
			fathom_trace_archive_remove();
			return broken;
		}
	}
	return write_trace(comm, result, result->trace_directory, err, &arrivals, false);
}
