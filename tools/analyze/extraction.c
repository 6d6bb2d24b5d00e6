#include "tools/analyze/extraction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/event_region.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

/* The part of a task's call path that is where the task runs. The task itself has its call paths below TASKS. */
struct stub {
	struct fathom_table_entry entry;	/* location */
	uint32_t path;
};

/* --- regions ------------------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static enum fathom_region_use mpi_use(const char *name)
{
	static const char *const never_waiting[] = {
		"MPI_Test", "MPI_Iprobe", "MPI_Improbe", "MPI_Request_get_status",
	};
	static const struct {
		const char *name;
		enum fathom_region_use use;
	} window_calls[] = {
		{ "MPI_Win_post", FATHOM_USE_MPI_POST }, { "MPI_Win_start", FATHOM_USE_MPI_START },
		{ "MPI_Win_complete", FATHOM_USE_MPI_COMPLETE }, { "MPI_Win_wait", FATHOM_USE_MPI_WIN_WAIT },
		{ "MPI_Win_test", FATHOM_USE_MPI_WIN_WAIT },
	};
	size_t i;

	if (strcmp(name, "MPI_Init") == 0 || strcmp(name, "MPI_Init_thread") == 0)
		return FATHOM_USE_MPI_INIT;
	if (strcmp(name, "MPI_Finalize") == 0)
		return FATHOM_USE_MPI_FINALIZE;
	if (starts_with(name, "MPI_Neighbor_") || starts_with(name, "MPI_Ineighbor_"))
		return FATHOM_USE_MPI_NEIGHBOR;
	for (i = 0; i < sizeof(window_calls) / sizeof(window_calls[0]); i++)
		if (strcmp(name, window_calls[i].name) == 0)
			return window_calls[i].use;
	for (i = 0; i < sizeof(never_waiting) / sizeof(never_waiting[0]); i++)
		if (starts_with(name, never_waiting[i]))
			return FATHOM_USE_MPI_TEST;
	return FATHOM_USE_MPI;
}

static enum fathom_region_use use_of(const struct fathom_otf2_defs *defs, const struct fathom_otf2_region *region)
{
	switch (region->paradigm) {
	case OTF2_PARADIGM_MPI:
		return mpi_use(fathom_otf2_text(defs, region->name));
	case OTF2_PARADIGM_OPENMP:
		if (region->role == OTF2_REGION_ROLE_BARRIER)
			return FATHOM_USE_BARRIER;
		if (region->role == OTF2_REGION_ROLE_IMPLICIT_BARRIER)
			return FATHOM_USE_IMPLICIT_BARRIER;
		if (region->role == OTF2_REGION_ROLE_CRITICAL || region->role == OTF2_REGION_ROLE_ORDERED)
			return FATHOM_USE_CRITICAL;
		return region->role == OTF2_REGION_ROLE_WRAPPER ? FATHOM_USE_LOCK : FATHOM_USE_NONE;
	case OTF2_PARADIGM_PTHREAD:
		if (strstr(fathom_otf2_text(defs, region->name), "cond_") ||
		    starts_with(fathom_otf2_text(defs, region->name), "cnd_"))
			return FATHOM_USE_CONDITION;
		return FATHOM_USE_LOCK;
	default:
		return FATHOM_USE_NONE;
	}
}

static bool is_program(const struct fathom_otf2_defs *defs, const struct fathom_otf2_region *region)
{
	const char *name = fathom_otf2_text(defs, region->name);

	return region->role == OTF2_REGION_ROLE_ARTIFICIAL && region->paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM &&
	       strcmp(name, "TRACE BUFFER FLUSH") != 0 && *name != '(' && *name != '{';
}

static void look_at_regions(struct fathom_extraction *extraction)
{
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	uint32_t i;

	extraction->region_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_REGION);
	extraction->uses = fathom_tool_alloc(extraction->region_count + 1, sizeof(*extraction->uses));
	extraction->program_region = extraction->region_count;
	for (i = 0; i < extraction->region_count; i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, i);

		extraction->uses[i] = use_of(defs, region);
		if (extraction->program_region == extraction->region_count && is_program(defs, region)) {
			extraction->program_region = i;
			extraction->program = fathom_otf2_text(defs, region->name);
		}
	}
	extraction->tasks_region = extraction->region_count +
				   (extraction->program_region == extraction->region_count);
	extraction->off_region = extraction->tasks_region + 1;
}

/* --- life ------------------------------------------------------------------------------------------ */

void fathom_extraction_init(struct fathom_extraction *extraction, struct fathom_otf2_archive *trace)
{
	const struct fathom_otf2_defs *defs = &trace->defs;
	uint32_t i;

	*extraction = (struct fathom_extraction){ .trace = trace, .program = "", .first = UINT64_MAX };
	look_at_regions(extraction);
	fathom_call_tree_init(&extraction->tree);
	fathom_otf2_stacks_init(&extraction->stacks, defs);
	extraction->location_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	extraction->locations = fathom_tool_alloc(extraction->location_count + 1, sizeof(*extraction->locations));
	extraction->instances = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_PROCESS) + 1,
						  sizeof(*extraction->instances));
	for (i = 0; i < extraction->location_count; i++) {
		const struct fathom_otf2_location *definition = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);
		struct fathom_extraction_location *location = &extraction->locations[i];

		location->process = definition->process;
		location->off_path = FATHOM_NO_CALL_PATH;
		location->teams = fathom_otf2_memory_grow(NULL, 0, &location->team_room, sizeof(*location->teams));
		location->teams[0] = (struct fathom_extraction_team){ .anchor = FATHOM_NO_CALL_PATH };
	}
	fathom_table_init(&extraction->requests, fathom_extraction_request_bytes);
	fathom_table_init(&extraction->creations, fathom_extraction_creation_bytes);
	fathom_table_init(&extraction->task_stubs, sizeof(struct stub));
	fathom_counters_init(&extraction->counters);
	fathom_neighborhoods_init(&extraction->neighborhoods, &trace->defs);
}

void fathom_extraction_fini(struct fathom_extraction *extraction)
{
	uint32_t i;

	for (i = 0; i < extraction->location_count; i++) {
		struct fathom_extraction_location *location = &extraction->locations[i];

		free(location->values);
		free(location->map_ticks);
		free(location->touched);
		free(location->teams);
		fathom_operation_log_fini(&location->log);
	}
	free(extraction->locations);
	free(extraction->uses);
	free(extraction->forks);
	free(extraction->instances);
	fathom_table_fini(&extraction->requests);
	fathom_table_fini(&extraction->creations);
	fathom_table_fini(&extraction->task_stubs);
	fathom_counters_fini(&extraction->counters);
	fathom_neighborhoods_fini(&extraction->neighborhoods);
	fathom_otf2_stacks_fini(&extraction->stacks);
	fathom_call_tree_fini(&extraction->tree);
}

/* --- call paths and time ------------------------------------------------------------------------- */

struct fathom_extraction_team *fathom_extraction_team(struct fathom_extraction *extraction, uint32_t location)
{
	return &extraction->locations[location].teams[extraction->stacks.threads[location].team_count - 1];
}

static struct fathom_otf2_task *task_of(const struct fathom_extraction *extraction, uint32_t location)
{
	const struct fathom_otf2_thread *thread = &extraction->stacks.threads[location];

	return thread->teams[thread->team_count - 1].task;
}

static uint32_t root(struct fathom_extraction *extraction)
{
	return fathom_call_tree_child(&extraction->tree, FATHOM_NO_CALL_PATH, extraction->program_region);
}

uint32_t fathom_extraction_path(struct fathom_extraction *extraction, uint32_t location)
{
	const struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&extraction->stacks, location);
	const struct fathom_extraction_location *state = &extraction->locations[location];

	if (stack->count)
		return stack->regions[stack->count - 1];
	if (task_of(extraction, location))
		return fathom_call_tree_child(&extraction->tree, root(extraction), extraction->tasks_region);
	if (extraction->stacks.threads[location].team_count > 1)
		return fathom_extraction_team(extraction, location)->anchor;
	if (state->teams[0].anchor != FATHOM_NO_CALL_PATH)
		return state->teams[0].anchor;
	return state->is_in_program ? root(extraction) : FATHOM_NO_CALL_PATH;
}

static void make_room(struct fathom_extraction_location *location, uint32_t path)
{
	uint32_t room = location->value_room ? location->value_room : 16;

	if (path < location->value_room)
		return;
	while (room <= path)
		room *= 2;
	location->values = realloc(location->values, room * sizeof(*location->values));
	location->map_ticks = realloc(location->map_ticks, room * sizeof(*location->map_ticks));
	if (!location->values || !location->map_ticks)
		fathom_tool_out_of_memory(room * sizeof(*location->values));
	memset(location->values + location->value_room, 0, (room - location->value_room) * sizeof(*location->values));
	memset(location->map_ticks + location->value_room, 0,
	       (room - location->value_room) * sizeof(*location->map_ticks));
	location->value_room = room;
}

struct fathom_call_values *fathom_extraction_values(struct fathom_extraction *extraction, uint32_t location,
						    uint32_t path)
{
	make_room(&extraction->locations[location], path);
	return &extraction->locations[location].values[path];
}

/* Adds time to the next time map. */
static void add_to_map(struct fathom_extraction_location *location, uint32_t path, uint64_t ticks)
{
	if (ticks == 0)
		return;
	if (location->map_ticks[path] == 0) {
		location->touched = fathom_otf2_memory_grow(location->touched, location->touched_count,
							    &location->touched_room, sizeof(*location->touched));
		location->touched[location->touched_count++] = path;
	}
	location->map_ticks[path] += ticks;
}

void fathom_extraction_charge(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	const struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&extraction->stacks, event->location);
	uint64_t ticks = event->time - location->since;
	const struct stub *stub;
	uint32_t path;

	if (event->time <= location->since)
		return;
	location->since = event->time;
	if (stack->count)
		path = stack->regions[stack->count - 1];
	else if (location->is_in_program && extraction->stacks.threads[event->location].team_count == 1)
		path = root(extraction);
	else
		return;
	if (location->is_off && path == location->paused_path)
		path = location->off_path;
	make_room(location, path);
	location->values[path].own_ticks += ticks;
	if (location->open.use != FATHOM_USE_NONE && path == location->open.path)
		location->open.own_ticks += ticks;
	else if (!extraction->without_logs)
		add_to_map(location, path, ticks);
	if (!task_of(extraction, event->location))
		return;
	location->open.task_ticks += ticks;
	stub = fathom_table_find(&extraction->task_stubs, event->location, 0, 0);
	if (stub && stub->path != FATHOM_NO_CALL_PATH) {
		make_room(location, stub->path);
		location->values[stub->path].own_ticks += ticks;
	}
}

/* --- operations ------------------------------------------------------------------------------------- */

/* Appends a time map of the time since the last one. */
static void write_map(struct fathom_extraction_location *location)
{
	struct fathom_waits_map_entry entries[256];
	uint32_t count = 0, i;

	for (i = 0; i < location->touched_count; i++) {
		uint32_t path = location->touched[i];

		entries[count++] = (struct fathom_waits_map_entry){ path, location->map_ticks[path] };
		location->map_ticks[path] = 0;
		if (count == sizeof(entries) / sizeof(entries[0]) || i + 1 == location->touched_count) {
			fathom_operation_log_map(&location->log, entries, count);
			count = 0;
		}
	}
	location->touched_count = 0;
}

void fathom_extraction_begin(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			     enum fathom_region_use use)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];

	location->open.use = use;
	location->open.path = fathom_extraction_path(extraction, event->location);
	location->open.begin = event->time;
	location->open.own_ticks = location->open.task_ticks = 0;
	location->open.record = FATHOM_WAITS_NO_RECORD;
}

void fathom_extraction_end(struct fathom_extraction *extraction, uint32_t index, uint64_t time)
{
	struct fathom_extraction_location *location = &extraction->locations[index];
	struct fathom_waits_record *record;

	if (location->open.use == FATHOM_USE_NONE)
		return;
	if (location->open.record == FATHOM_WAITS_NO_RECORD) {
		add_to_map(location, location->open.path, location->open.own_ticks);
	} else {
		fathom_operation_log_end(&location->log, location->open.record, time);
		record = &location->log.records[location->open.record];
		if (record->operation.part.kind == FATHOM_WAITS_BARRIER)
			record->operation.part.posted = (uint32_t)(location->open.task_ticks / 1024);
	}
	location->open.use = FATHOM_USE_NONE;
}

static bool is_barrier(enum fathom_region_use use)
{
	return use == FATHOM_USE_BARRIER || use == FATHOM_USE_IMPLICIT_BARRIER;
}

/* Returns whether a time map should precede an operation with this part: its time may be a synchronisation point. */
static bool needs_map(const struct fathom_waits_part *part)
{
	return part->kind != FATHOM_WAITS_RECEIVE_POSTED && part->kind != FATHOM_WAITS_COLLECTIVE_POSTED &&
	       part->kind != FATHOM_WAITS_UNLOCK;
}

/* Appends an operation and its first part to the log of a location. Returns its record. */
static uint32_t begin_record(struct fathom_extraction_location *location, uint32_t path, uint64_t begin,
			     struct fathom_waits_part *part)
{
	if (needs_map(part))
		write_map(location);
	if (part->posted == FATHOM_SAME_RECORD)
		part->posted = location->log.count;
	return fathom_operation_log_begin(&location->log, path, begin, part);
}

uint32_t fathom_extraction_part(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
				struct fathom_waits_part part)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	uint32_t record;

	if (extraction->without_logs)
		return FATHOM_WAITS_NO_RECORD;
	if (location->open.use == FATHOM_USE_NONE) {
		record = begin_record(location, fathom_extraction_path(extraction, event->location), event->time,
				      &part);
		if (record != FATHOM_WAITS_NO_RECORD)
			fathom_operation_log_end(&location->log, record, event->time);
		return record;
	}
	if (is_barrier(location->open.use) && part.kind != FATHOM_WAITS_BARRIER) {
		location->nested++;
		return FATHOM_WAITS_NO_RECORD;
	}
	if (location->open.use == FATHOM_USE_MPI_TEST)
		part.flags |= FATHOM_WAITS_TEST;
	if (location->open.record == FATHOM_WAITS_NO_RECORD) {
		location->open.record = begin_record(location, location->open.path, location->open.begin, &part);
		return location->open.record;
	}
	if (part.posted == FATHOM_SAME_RECORD)
		part.posted = location->open.record;
	fathom_operation_log_part(&location->log, location->open.record, &part);
	return location->open.record;
}

/* --- events ------------------------------------------------------------------------------------------ */

/* Returns the index of the region that an event enters or leaves; UINT32_MAX: it is not defined. */
static uint32_t region_of(const struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	int64_t index = fathom_otf2_event_region(&extraction->trace->defs, event);

	return index < 0 ? UINT32_MAX : (uint32_t)index;
}

static void set_stub(struct fathom_extraction *extraction, uint32_t location, uint32_t path)
{
	struct stub *stub = fathom_table_find(&extraction->task_stubs, location, 0, 0);

	if (!stub)
		stub = fathom_table_add(&extraction->task_stubs, location, 0, 0);
	stub->path = path;
}

/* Begins the stub of a task that begins or continues on a location in the call path around. */
static void begin_stub(struct fathom_extraction *extraction, uint32_t location, uint32_t around, uint32_t region)
{
	uint32_t path = FATHOM_NO_CALL_PATH;

	if (around != FATHOM_NO_CALL_PATH) {
		path = fathom_call_tree_child(&extraction->tree, around, region);
		make_room(&extraction->locations[location], path);
		extraction->locations[location].values[path].visits++;
	}
	set_stub(extraction, location, path);
}

/* Returns the call path of the implicit task of the location, in which explicit tasks run. */
static uint32_t path_around_task(struct fathom_extraction *extraction, uint32_t location)
{
	const struct fathom_otf2_thread *thread = &extraction->stacks.threads[location];
	const struct fathom_otf2_stack *stack = &thread->teams[thread->team_count - 1].stack;

	return stack->count ? stack->regions[stack->count - 1] : fathom_extraction_team(extraction, location)->anchor;
}

static void take_enter(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&extraction->stacks, event->location);
	uint32_t region = region_of(extraction, event), parent, path;
	enum fathom_region_use use;

	fathom_extraction_charge(extraction, event);
	if (region == UINT32_MAX) {
		path = fathom_extraction_path(extraction, event->location);
		fathom_otf2_stack_push(stack, path == FATHOM_NO_CALL_PATH ? root(extraction) : path);
		return;
	}
	parent = fathom_extraction_path(extraction, event->location);
	if (region == extraction->program_region && stack->count == 0)
		parent = FATHOM_NO_CALL_PATH;
	else if (parent == FATHOM_NO_CALL_PATH)
		parent = root(extraction);
	path = fathom_call_tree_child(&extraction->tree, parent, region);
	if (stack->count == 0 && task_of(extraction, event->location)) {
		uint32_t around = path_around_task(extraction, event->location);

		begin_stub(extraction, event->location, around, region);
	}
	fathom_otf2_stack_push(stack, path);
	make_room(location, path);
	location->values[path].visits++;
	use = extraction->uses[region];
	if (use == FATHOM_USE_NONE || extraction->without_logs || location->open.use != FATHOM_USE_NONE)
		return;
	fathom_extraction_begin(extraction, event, use);
	if (is_barrier(use))
		fathom_extraction_barrier(extraction, event, use == FATHOM_USE_IMPLICIT_BARRIER);
}

static void take_leave(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&extraction->stacks, event->location);
	uint32_t path;

	fathom_extraction_charge(extraction, event);
	if (stack->count == 0)
		return;
	path = stack->regions[stack->count - 1];
	if (location->open.use != FATHOM_USE_NONE && path == location->open.path)
		fathom_extraction_end(extraction, event->location, event->time);
	stack->count--;
}

static void take_task(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_otf2_task *task;

	fathom_extraction_charge(extraction, event);
	task = fathom_otf2_stacks_task(&extraction->stacks, extraction->locations[event->location].process, event);
	if (event->kind == FATHOM_RECORD_THREAD_TASK_COMPLETE) {
		if (task)
			fathom_otf2_stacks_complete(&extraction->stacks, event->location, task);
		return;
	}
	fathom_otf2_stacks_switch(&extraction->stacks, event->location, task);
	if (task && task->stack.count) {
		uint32_t around = path_around_task(extraction, event->location);
		uint32_t region = extraction->tree.paths[task->stack.regions[0]].region;

		begin_stub(extraction, event->location, around, region);
	} else {
		set_stub(extraction, event->location, FATHOM_NO_CALL_PATH);
	}
}

static void take_program(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	const OTF2_StringRef *arguments = event->types;
	const char *name = fathom_otf2_text(&extraction->trace->defs, event->ref);
	size_t length;
	uint32_t a;

	fathom_extraction_charge(extraction, event);
	location->is_in_program = event->kind == FATHOM_RECORD_PROGRAM_BEGIN;
	if (extraction->command[0] || event->kind != FATHOM_RECORD_PROGRAM_BEGIN)
		return;
	length = (size_t)snprintf(extraction->command, sizeof(extraction->command), "%s", name);
	for (a = 0; a < event->count && length < sizeof(extraction->command); a++)
		length += (size_t)snprintf(extraction->command + length, sizeof(extraction->command) - length, " %s",
					   fathom_otf2_text(&extraction->trace->defs, arguments[a]));
	if (!*extraction->program)
		extraction->program = name;
}

/* While measurement is off, the trace does not say what the location does: the time belongs to the region MEASUREMENT
 * OFF below the region that was paused, as in the profile of a run. MPI calls that a paused thread makes keep their
 * time. */
static void take_on_off(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	bool is_off = !event->op;

	fathom_extraction_charge(extraction, event);
	if (location->is_off == is_off)
		return;
	location->is_off = is_off;
	if (!is_off) {
		location->on_since = event->time;
		return;
	}
	location->paused_path = fathom_extraction_path(extraction, event->location);
	location->off_path = FATHOM_NO_CALL_PATH;
	if (location->paused_path == FATHOM_NO_CALL_PATH)
		return;
	location->off_path = fathom_call_tree_child(&extraction->tree, location->paused_path, extraction->off_region);
	fathom_extraction_values(extraction, event->location, location->off_path)->visits++;
}

bool fathom_extraction_take(void *taker, const struct fathom_otf2_event *event)
{
	struct fathom_extraction *extraction = taker;
	struct fathom_extraction_location *location = &extraction->locations[event->location];

	fathom_progress_set(++extraction->events);
	if (event->kind < FATHOM_RECORD_COUNT)
		extraction->kinds[event->kind]++;
	if (location->process == UINT32_MAX)
		return true;
	if (location->first == 0)
		location->since = location->first = event->time;
	location->last = event->time;
	if (event->time < extraction->first)
		extraction->first = event->time;
	if (event->time > extraction->last)
		extraction->last = event->time;
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
		take_enter(extraction, event);
		return true;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
		take_leave(extraction, event);
		return true;
	case FATHOM_RECORD_PROGRAM_BEGIN:
	case FATHOM_RECORD_PROGRAM_END:
		take_program(extraction, event);
		return true;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE:
		take_task(extraction, event);
		return true;
	case FATHOM_RECORD_MEASUREMENT_ON_OFF:
		take_on_off(extraction, event);
		return true;
	case FATHOM_RECORD_METRIC:
		fathom_extraction_counters(extraction, event);
		return true;
	default:
		break;
	}
	switch (fathom_otf2_records[event->kind < FATHOM_RECORD_COUNT ? event->kind : 0].part) {
	case FATHOM_OTF2_PART_MESSAGE:
	case FATHOM_OTF2_PART_COLLECTIVE:
		fathom_extraction_message(extraction, event);
		break;
	case FATHOM_OTF2_PART_WINDOW:
		fathom_extraction_window(extraction, event);
		break;
	case FATHOM_OTF2_PART_TEAM:
		fathom_extraction_thread(extraction, event);
		break;
	case FATHOM_OTF2_PART_LOCK:
		fathom_extraction_lock(extraction, event);
		break;
	default:
		break;
	}
	return true;
}

void fathom_extraction_finish(struct fathom_extraction *extraction)
{
	uint32_t i;

	for (i = 0; i < extraction->location_count; i++) {
		struct fathom_extraction_location *location = &extraction->locations[i];
		struct fathom_otf2_event end = { .location = i, .time = location->last };

		if (location->process == UINT32_MAX || location->first == 0)
			continue;
		fathom_extraction_charge(extraction, &end);
		fathom_extraction_end(extraction, i, location->last);
		write_map(location);
	}
}
