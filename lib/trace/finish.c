/*
 * The end of a trace.
 *
 * 1. Threads that are still at work stop recording, open regions are left, event files completed. Clocks are
 *    compared once more (sync.h).
 * 2. Regions and communicators of all processes are made one (system/pool.h): rank 0 knows the union, the others
 *    the numbers of theirs in it.
 * 3. Rank 0 collects what every location is called and has, and writes the definitions.
 * 4. Each process writes the tables from its numbers to those of the trace, and moves its files there.
 */
#include "trace/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/log.h"
#include "system/pool.h"
#include "trace/comms.h"
#include "trace/define.h"
#include "trace/record.h"
#include "trace/sync.h"

/* --- stopping ------------------------------------------------------------------------------------ */

/* Threads that are in the middle of a record get this long to finish it. */
enum { STEP_NS = 100000, MOST_STEPS = 5000 };

/* From now on nobody records; who just does, has finished when this returns. False: somebody did not come back. */
static bool stop(struct fathom_trace *trace)
{
	const struct timespec step = { .tv_nsec = STEP_NS };

	for (int i = 0; i < MOST_STEPS; i++) {
		uintptr_t busy = fathom_peek((const uintptr_t *)&trace->location->busy);

		if (!busy || busy == FATHOM_BUSY_FOR_EVER)
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}

static void stop_all(void)
{
	struct fathom_trace *trace;

	for (trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		trace->state |= FATHOM_TRACE_CLOSED;
	/* A thread that set busy before it saw the state is seen busy after this. Where the kernel cannot do it,
	 * time does. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0)) {
		const struct timespec while_ns = { .tv_nsec = STEP_NS };

		nanosleep(&while_ns, NULL);
	}
	for (trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		if (!stop(trace))
			fathom_log(FATHOM_LOG_ERROR, "thread %u did not stop; its trace may be damaged", trace->id);
}

/* --- closing regions ----------------------------------------------------------------------------- */

/* Leave the regions of one task, the lowest frame included if it is one. */
static void leave_all(struct fathom_trace *trace, const struct fathom_frame *frame, bool has_root, uint64_t now)
{
	for (; frame->stack != UINTPTR_MAX; frame--)
		if (frame->region && !(frame->stack & FATHOM_STACK_QUIET))
			OTF2_EvtWriter_Leave(trace->writer, NULL, now, frame->region->id);
	if (has_root)
		OTF2_EvtWriter_Leave(trace->writer, NULL, now, frame->region->id);
}

/* Explicit tasks that are executed, and those that wait for them, end here. */
static void leave_tasks(struct fathom_trace *trace, uint64_t now)
{
	struct fathom_location *self = trace->location;
	const struct fathom_task *task = self->task;
	const struct fathom_frame *top = self->top;

	for (; task; task = task->below) {
		if (task != self->task) {
			fathom_trace_switch_to(self, trace, task, now);
			top = task->stack.top;
		}
		leave_all(trace, top, true, now);
	}
	if (self->task)
		fathom_trace_switch_to(self, trace, NULL, now);
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

static void close_location(struct fathom_trace *trace, uint64_t now)
{
	struct fathom_location *self = trace->location;
	bool is_initial = self->kind == FATHOM_KIND_INITIAL;

	if (!trace->writer)
		return;
	now = end_time(trace, now);
	leave_tasks(trace, now);
	leave_all(trace, self->task ? self->implicit.top : self->top, is_initial, now);
	if (trace->thread_number)
		OTF2_EvtWriter_ThreadEnd(trace->writer, NULL, now, fathom_trace_threads_comm(), trace->thread_number);
	if (is_initial)
		OTF2_EvtWriter_ProgramEnd(trace->writer, NULL, now, OTF2_UNDEFINED_INT64);
	fathom_trace_archive_close_events(trace);
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

static struct fathom_sync clocks = { .clock = { .now = read_clock, .ticks_per_second = ticks_per_second } };
static bool has_begun;

/* Processes that run on one kernel since it was started read one clock, and the same kind of it. */
static uint64_t clock_name(void)
{
	uint64_t name = fathom_trace_reads_counter ? 0x9e3779b97f4a7c15u : 0xcbf29ce484222325u;
	char text[256] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		gethostname(text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	for (const char *at = text; *at; at++)
		name = (name ^ (unsigned char)*at) * 0x100000001b3u;
	return name;
}

void fathom_trace_synchronize(struct fathom_comm *comm)
{
	if (comm->size == 1 || has_begun)
		return;
	clocks.clock.name = clock_name();
	has_begun = !fathom_sync_begin(&clocks, comm);
}

/* --- the whole ----------------------------------------------------------------------------------- */

/* Where the trace goes: beside profile.cubex, or for a rank alone into a directory of its own. */
static int directory(char *path, size_t bytes, const struct fathom_result *result)
{
	const char *slash = strrchr(result->path, '/'), *name = slash ? slash + 1 : result->path;
	size_t length;

	if (!strcmp(name, "profile.cubex"))
		length = slash ? (size_t)(slash - result->path) : 0;
	else
		length = strlen(result->path) - (sizeof(".cubex") - 1);
	if (length >= bytes)
		return -ENAMETOOLONG;
	memcpy(path, result->path, length);
	path[length] = '\0';
	if (!length)
		strcpy(path, ".");
	return 0;
}

/* Every process has what the others need to know; the union, and the place, are ready at rank 0. */
static int write_together(struct fathom_comm *comm, const struct fathom_result *result, struct fathom_definitions *own,
			  const char *path)
{
	int32_t err, next;

	err = fathom_definitions_unite(own, comm);
	if (err)
		return err;
	next = comm->rank == 0 ? fathom_definitions_write(own, comm, result, path) :
				 fathom_definitions_send(own, comm);
	err = comm->broadcast(comm, 0, &next, sizeof(next));
	if (err || next)
		return err ? err : next;
	return fathom_definitions_place(own, comm, path);
}

int fathom_trace_finish(struct fathom_comm *comm, const struct fathom_result *result)
{
	struct fathom_definitions own;
	uint64_t now = fathom_trace_now();
	char path[4096];
	int err;

	/* A crashing process has nothing to allocate with; a copy of it comes here again, and has. */
	if (!result->may_allocate)
		return 0;
	err = directory(path, sizeof(path), result);
	if (comm->broadcast(comm, 0, path, sizeof(path)) || err)
		return err ? err : -EIO;
	stop_all();
	if (comm->size > 1) {
		fathom_trace_synchronize(comm);
		err = fathom_sync_end(&clocks, comm);
		if (err) {
			fathom_trace_archive_remove();
			return err;
		}
	}
	for (struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		close_location(trace, now);
	err = fathom_definitions_init(&own, comm, result, comm->size > 1 ? &clocks : NULL);
	err = write_together(comm, result, &own, path);
	fathom_definitions_fini(&own);
	fathom_trace_archive_remove();
	return err;
}
