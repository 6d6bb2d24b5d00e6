#include "killed_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "define/metric.h"
#include "trace/comms.h"
#include "trace/records/record.h"
#include "trace/records/team_records.h"
#include "tools/common/command.h"

/* An active region or fork: the trace has its enter or fork, but no leave or join. */
struct active {
	bool is_fork;
	uint32_t region;
};

struct stack {
	struct active *active;	/* the innermost one is the last */
	size_t count, room;
};

/* An explicit task that has run on the location and is not complete. */
struct task {
	uint32_t creator, number;
	uint64_t switches;	/* how often the location had switched tasks when this task last ran */
	uint64_t ticks;		/* the time at which this task last ran */
	struct stack stack;
};

/* The activity of a location in a team. The lowest level is the activity outside of all teams. */
struct level {
	uint32_t comm;
	struct stack implicit;	/* the active regions and forks of the implicit task */
	struct task *tasks;
	size_t task_count, task_room;
	size_t running;		/* 1 + index of the running explicit task; 0: the implicit task runs */
};

/* The newest values of counters that are read at the same moment. */
struct reading {
	uint32_t count;
	uint8_t types[FATHOM_METRIC_MOST_STRICT];
	uint64_t values[FATHOM_METRIC_MOST_STRICT];
};

enum { MOST_READINGS = 2 };	/* one for the counters of the thread, one for those of the process */

struct killed_events {
	struct fathom_trace *trace;
	const struct event_limits *limits;
	struct reading readings[MOST_READINGS];
	uint32_t strict_metrics;
	struct level *levels;
	size_t level_count, level_room;
	uint64_t switches;
	uint64_t thread_number;	/* number of the created thread whose begin is recorded and whose end is not; 0: none */
	uint32_t thread_comm;
	bool program_runs, is_off, is_damaged;
	uint64_t count;
};

/* --- what is active --------------------------------------------------------------------------------- */

static struct level *innermost(struct killed_events *events)
{
	return &events->levels[events->level_count - 1];
}

static void push_level(struct killed_events *events, uint32_t comm)
{
	events->levels = fathom_tool_grow(events->levels, events->level_count, &events->level_room,
					  sizeof(*events->levels));
	events->levels[events->level_count++] = (struct level){ .comm = comm };
}

static void free_level(struct level *level)
{
	for (size_t i = 0; i < level->task_count; i++)
		free(level->tasks[i].stack.active);
	free(level->tasks);
	free(level->implicit.active);
}

static struct stack *stack_of(struct level *level)
{
	return level->running ? &level->tasks[level->running - 1].stack : &level->implicit;
}

static void push(struct stack *stack, bool is_fork, uint32_t region)
{
	stack->active = fathom_tool_grow(stack->active, stack->count, &stack->room, sizeof(*stack->active));
	stack->active[stack->count++] = (struct active){ is_fork, region };
}

/* Ends the innermost active region or fork. Returns false if it is a different one. This is no fault for a task, which
 * may have entered the region on another location. */
static bool pop(struct level *level, bool is_fork, uint32_t region)
{
	struct stack *stack = stack_of(level);
	const struct active *top = stack->count ? &stack->active[stack->count - 1] : NULL;

	if (!top)
		return level->running && !is_fork;
	if (top->is_fork != is_fork || top->region != region)
		return false;
	stack->count--;
	return true;
}

static void switch_to(struct killed_events *events, const struct event *event)
{
	struct level *level = innermost(events);
	uint32_t creator = (uint32_t)event->fields[1], number = (uint32_t)event->fields[2];
	struct task *task;
	size_t i;

	events->switches++;
	level->running = 0;
	if (!number)
		return;
	for (i = 0; i < level->task_count; i++)
		if (level->tasks[i].creator == creator && level->tasks[i].number == number)
			break;
	if (i == level->task_count) {
		level->tasks = fathom_tool_grow(level->tasks, i, &level->task_room, sizeof(*level->tasks));
		level->tasks[level->task_count++] = (struct task){ .creator = creator, .number = number };
	}
	task = &level->tasks[i];
	task->switches = events->switches;
	task->ticks = event->ticks;
	level->running = i + 1;
}

static void complete(struct killed_events *events)
{
	struct level *level = innermost(events);
	struct task *task = level->running ? &level->tasks[level->running - 1] : NULL;

	if (!task)
		return;
	free(task->stack.active);
	*task = level->tasks[--level->task_count];
	level->running = 0;
}

static void note_reading(struct killed_events *events, const struct event *event)
{
	struct reading *reading;

	if (event->fields[0] >= events->strict_metrics || event->fields[0] >= MOST_READINGS ||
	    event->value_count > FATHOM_METRIC_MOST_STRICT)
		return;
	reading = &events->readings[event->fields[0]];
	reading->count = event->value_count;
	memcpy(reading->types, event->types, event->value_count * sizeof(*event->types));
	memcpy(reading->values, event->values, event->value_count * sizeof(*event->values));
}

/* Applies an event to the state of the location. Returns false if the event cannot follow the events before it. */
static bool follow(struct killed_events *events, const struct event *event)
{
	uint32_t number = (uint32_t)event->fields[0];

	switch (event->record) {
	case FATHOM_RECORD_ENTER:
		push(stack_of(innermost(events)), false, number);
		return true;
	case FATHOM_RECORD_LEAVE:
		return pop(innermost(events), false, number);
	case FATHOM_RECORD_THREAD_FORK:
		push(stack_of(innermost(events)), true, 0);
		return true;
	case FATHOM_RECORD_THREAD_JOIN:
		return pop(innermost(events), true, 0);
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		push_level(events, number);
		return true;
	case FATHOM_RECORD_THREAD_TEAM_END:
		if (events->level_count < 2 || innermost(events)->comm != number)
			return false;
		free_level(&events->levels[--events->level_count]);
		return true;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
		switch_to(events, event);
		return true;
	case FATHOM_RECORD_THREAD_TASK_COMPLETE:
		complete(events);
		return true;
	case FATHOM_RECORD_THREAD_BEGIN:
		events->thread_comm = number;
		events->thread_number = event->fields[1];
		return true;
	case FATHOM_RECORD_THREAD_END:
		events->thread_number = 0;
		return true;
	case FATHOM_RECORD_PROGRAM_BEGIN:
		events->program_runs = true;
		return true;
	case FATHOM_RECORD_PROGRAM_END:
		events->program_runs = false;
		return true;
	case FATHOM_RECORD_MEASUREMENT_ON_OFF:
		events->is_off = number == OTF2_MEASUREMENT_OFF;
		return true;
	case FATHOM_RECORD_METRIC:
		note_reading(events, event);
		return true;
	default:
		return true;
	}
}

/* --- chunks ----------------------------------------------------------------------------------------- */

/* The bytes of a chunk that the file or the copy has. */
struct chunk {
	const uint8_t *bytes;
	size_t length;
	bool is_of_file;
};

static bool is_defined(const struct killed_events *events, const struct event *event)
{
	const struct fathom_trace_comm *comm;

	if (!event_is_defined(event, events->limits))
		return false;
	if (event->record != FATHOM_RECORD_THREAD_TEAM_BEGIN || event->fields[0] >= events->limits->comms)
		return true;
	/* The copy shows that the location is a member of the team. */
	comm = fathom_trace_comm_by_number((uint32_t)event->fields[0]);
	return comm->kind != FATHOM_TRACE_COMM_TEAM ||
	       fathom_trace_team_membership(events->trace, (uint32_t)event->fields[0]);
}

static uint64_t number_at(const uint8_t *bytes)
{
	uint64_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

static uint64_t count_records(const struct chunk *chunk)
{
	struct record_reader reader = { 0 };
	static struct event event;
	uint64_t count = 0;

	if (!record_reader_begin(&reader, chunk->bytes, chunk->length))
		return 0;
	while (record_reader_next(&reader, &event) == RECORD_READ)
		count++;
	return count;
}

/* Takes the events of a chunk. Returns whether another chunk may follow. */
static bool take_chunk(struct killed_events *events, const struct chunk *chunk, int *err)
{
	struct record_reader reader = { .ticks = events->trace->buffer.last_ticks };
	enum record_result result;
	static struct event event;
	uint64_t before = events->count;
	const uint8_t *end;
	uint64_t ticks = reader.ticks;
	bool is_full, is_known = true;

	if (record_reader_begin(&reader, chunk->bytes, chunk->length) != before + 1) {
		events->is_damaged = true;
		return false;
	}
	for (;;) {
		end = reader.at;
		result = record_reader_next(&reader, &event);
		if (result != RECORD_READ)
			break;
		is_known = is_defined(events, &event);
		if (!is_known || !follow(events, &event)) {
			events->is_damaged |= is_known;
			break;
		}
		events->count++;
		ticks = event.ticks;
	}
	/* The head of a full chunk has the number of its last record. The last chunk of a closed file ends with a
	 * mark. */
	is_full = result == RECORD_END && chunk->length == FATHOM_TRACE_CHUNK_BYTES &&
		  number_at(chunk->bytes + 2 + sizeof(uint64_t)) == events->count &&
		  (end == reader.end || *end == 0) && events->count > before;
	/* The last chunk of a file may be cut off. */
	if (result == RECORD_DAMAGED && !(chunk->is_of_file && chunk->length < FATHOM_TRACE_CHUNK_BYTES))
		events->is_damaged = true;
	if (is_full)
		*err = fathom_trace_buffer_restore_full(events->trace, chunk->bytes, events->count - before, ticks);
	else if (events->count > before)
		fathom_trace_buffer_restore_part(events->trace, chunk->bytes, (size_t)(end - chunk->bytes),
						 events->count - before, ticks);
	return is_full && !*err;
}

/* Finds the chunk in the copy whose first record has the number first. */
static bool find_copied(struct chunk *chunk, const struct fathom_trace *old, const struct copy *copy, uint64_t first)
{
	struct record_reader reader = { 0 };

	*chunk = (struct chunk){ .length = FATHOM_TRACE_CHUNK_BYTES };
	for (uint32_t i = 0; i < FATHOM_TRACE_MOST_CHUNKS; i++) {
		chunk->bytes = copy_at(copy, (uintptr_t)old->buffer.chunks[i], FATHOM_TRACE_CHUNK_BYTES);
		if (chunk->bytes && record_reader_begin(&reader, chunk->bytes, chunk->length) == first)
			return true;
	}
	return false;
}

static void take_chunks(struct killed_events *events, const struct fathom_trace *old, const struct copy *copy,
			const uint8_t *file, size_t bytes, int *err)
{
	size_t offset = 0;
	bool may_go_on = true;

	while (may_go_on) {
		size_t rest = bytes - offset;
		struct chunk copied, written = { file + offset, rest, true };
		bool is_copied = find_copied(&copied, old, copy, events->count + 1);

		if (rest > FATHOM_TRACE_CHUNK_BYTES)
			written.length = FATHOM_TRACE_CHUNK_BYTES;
		if (!is_copied && !rest)
			return;
		/* The copy may have events of an incomplete chunk that the file lacks, and the file may have events
		 * that the copy lacks. */
		if (is_copied && written.length < FATHOM_TRACE_CHUNK_BYTES &&
		    count_records(&copied) >= (rest ? count_records(&written) : 0)) {
			may_go_on = take_chunk(events, &copied, err);
			offset = bytes;
		} else {
			may_go_on = take_chunk(events, &written, err);
			offset += written.length;
		}
	}
}

/* Returns whether events are missing behind the first count events. The process had written all events that precede the
 * first chunk in its memory, so if that chunk begins with a later event, the file has lost some. */
static bool is_gap(const struct fathom_trace *old, const struct copy *copy, uint64_t count)
{
	const uint8_t *first = copy_at(copy, (uintptr_t)old->buffer.chunks[0], FATHOM_TRACE_CHUNK_BYTES);
	struct record_reader reader = { 0 };

	return first ? record_reader_begin(&reader, first, FATHOM_TRACE_CHUNK_BYTES) > count + 1
		     : old->buffer.flushes && !count;
}

struct killed_events *killed_events_read(struct fathom_trace *trace, const struct fathom_trace *old, const char *path,
					 const struct copy *copy, const struct event_limits *limits,
					 uint32_t strict_metrics, int *err)
{
	struct killed_events *events = fathom_tool_alloc(1, sizeof(*events));
	int file = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	struct stat status = { 0 };

	events->trace = trace;
	events->limits = limits;
	events->strict_metrics = strict_metrics;
	push_level(events, UINT32_MAX);
	if (file >= 0 && !fstat(file, &status) && status.st_size > 0)
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	take_chunks(events, old, copy, bytes == MAP_FAILED ? NULL : bytes,
		    bytes == MAP_FAILED ? 0 : (size_t)status.st_size, err);
	if (is_gap(old, copy, events->count))
		events->is_damaged = true;
	if (bytes != MAP_FAILED)
		munmap(bytes, (size_t)status.st_size);
	if (file >= 0)
		close(file);
	return events;
}

bool killed_events_are_damaged(const struct killed_events *events)
{
	return events->is_damaged;
}

/* --- the end of what is active ------------------------------------------------------------------------ */

/* Returns the time of the newest event. */
static uint64_t now_of(const struct killed_events *events)
{
	return events->trace->buffer.last_ticks;
}

static void leave_all(struct killed_events *events, struct stack *stack)
{
	struct fathom_trace *trace = events->trace;
	uint64_t now = now_of(events);

	while (stack->count) {
		const struct active *active = &stack->active[--stack->count];

		if (active->is_fork) {
			FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_THREAD_JOIN, OTF2_PARADIGM_OPENMP);
			continue;
		}
		for (uint32_t i = 0; i < MOST_READINGS; i++)
			if (events->readings[i].count)
				fathom_trace_put_metric(trace, now, i, events->readings[i].count,
							events->readings[i].types, events->readings[i].values);
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_LEAVE, active->region);
	}
}

/* Returns whether another location continued the task after it ran here. */
static bool has_moved(const struct task *task, uint32_t comm, const struct killed_events *events,
		      struct killed_events **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t l = 0; list[i] != events && l < list[i]->level_count; l++) {
			const struct level *level = &list[i]->levels[l];

			for (size_t t = 0; level->comm == comm && t < level->task_count; t++)
				if (level->tasks[t].creator == task->creator &&
				    level->tasks[t].number == task->number && level->tasks[t].ticks > task->ticks)
					return true;
		}
	return false;
}

/* Returns the communicator of the tasks at a level: that of the team, or outside of teams the one that the thread has
 * for itself. */
static uint32_t comm_of_tasks(const struct killed_events *events, const struct level *level)
{
	if (level->comm != UINT32_MAX)
		return level->comm;
	for (uint32_t i = 0; i < fathom_trace_comm_count(); i++) {
		const struct fathom_trace_comm *comm = fathom_trace_comm_by_number(i);

		if (comm->kind == FATHOM_TRACE_COMM_TEAM && comm->level == FATHOM_TRACE_ALONE &&
		    comm->leader == events->trace->location)
			return i;
	}
	return UINT32_MAX;
}

/* Returns the number of the location in the team of a level. */
static uint32_t number_in_team(const struct killed_events *events, const struct level *level)
{
	const struct fathom_trace_membership *part = level->comm == UINT32_MAX ? NULL :
					       fathom_trace_team_membership(events->trace, level->comm);

	return part ? part->number : 0;
}

/* Returns the task that ran last among the tasks that have active regions. NULL: there is none. */
static struct task *newest_task(struct killed_events *events, struct level *level, struct killed_events **list,
				size_t count)
{
	struct task *newest = NULL;

	for (size_t i = 0; i < level->task_count; i++) {
		struct task *task = &level->tasks[i];

		if (task->stack.count && (!newest || task->switches > newest->switches) &&
		    !has_moved(task, level->comm, events, list, count))
			newest = task;
	}
	return newest;
}

static void leave_level(struct killed_events *events, struct level *level, struct killed_events **list, size_t count)
{
	struct fathom_trace *trace = events->trace;
	struct task *running = level->running ? &level->tasks[level->running - 1] : NULL, *task;
	uint32_t comm = comm_of_tasks(events, level);

	if (running)
		leave_all(events, &running->stack);
	while ((task = newest_task(events, level, list, count)) != NULL) {
		FATHOM_TRACE_PUT(trace, now_of(events), FATHOM_RECORD_THREAD_TASK_SWITCH, comm, task->creator,
				 task->number);
		leave_all(events, &task->stack);
		running = task;
	}
	if (running)
		FATHOM_TRACE_PUT(trace, now_of(events), FATHOM_RECORD_THREAD_TASK_SWITCH, comm,
				 number_in_team(events, level), 0);
	leave_all(events, &level->implicit);
}

/* Ends all active regions of a location. latest is the time of the newest event of all other locations. */
static int close_location(struct killed_events *events, uint64_t latest, struct killed_events **list, size_t count)
{
	struct fathom_trace *trace = events->trace;
	uint64_t now;

	if (events->is_off)
		FATHOM_TRACE_PUT(trace, now_of(events), FATHOM_RECORD_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_ON);
	while (events->level_count) {
		struct level *level = innermost(events);

		leave_level(events, level, list, count);
		if (events->level_count > 1)
			FATHOM_TRACE_PUT(trace, now_of(events), FATHOM_RECORD_THREAD_TEAM_END, level->comm);
		free_level(level);
		events->level_count--;
	}
	if (events->thread_number)
		FATHOM_TRACE_PUT(trace, now_of(events), FATHOM_RECORD_THREAD_END, events->thread_comm,
				 events->thread_number);
	now = now_of(events) > latest ? now_of(events) : latest;
	if (events->program_runs)
		FATHOM_TRACE_PUT(trace, now, FATHOM_RECORD_PROGRAM_END, OTF2_UNDEFINED_INT64);
	fathom_trace_buffer_restore_end(trace);
	return fathom_trace_archive_close_events(trace);
}

int killed_events_close(struct killed_events **list, size_t count)
{
	uint64_t latest = 0;
	int err = 0;

	/* The location that runs the program ends last. */
	for (int runs_program = 0; runs_program < 2; runs_program++)
		for (size_t i = 0; i < count; i++) {
			int next = 0;

			if (list[i]->program_runs == runs_program)
				next = close_location(list[i], latest, list, count);
			err = err ? err : next;
			if (now_of(list[i]) > latest)
				latest = now_of(list[i]);
		}
	for (size_t i = 0; i < count; i++) {
		free(list[i]->levels);
		free(list[i]);
	}
	return err;
}
