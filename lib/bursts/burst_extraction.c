#include "bursts/burst_extraction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bursts/burst_regions.h"
#include "otf2/event_region.h"
#include "otf2/memory.h"

/* A burst of a location whose end is not known yet, or whose counters at the end are not. */
struct open_burst {
	bool is_open, is_interrupted;
	uint32_t before, after, code;
	uint64_t begin, end;
};

struct fathom_burst_location {
	uint32_t process;	/* index; UINT32_MAX: not defined */
	bool is_in_program;	/* between its program begin and program end */
	bool is_off;		/* measurement is switched off */
	uint32_t *anchors;	/* by team that the location is in: call path above the team's regions */
	size_t anchor_room;
	uint64_t last;		/* time of its last event */
	struct open_burst current, complete;	/* complete: ended at boundary, waits for the counters there */
	uint64_t boundary;	/* time at which complete ended and current began, while readings of it may follow */
	bool is_at_boundary;
	double *readings;	/* by counter: the last value; not a number: none */
	double *begin_readings;	/* by counter: the value when current began */
	uint64_t *read_times;		/* by counter: ticks */
	uint64_t last_read_time;	/* of all counters that are strict */
	double *complete_readings;	/* by counter: the value when complete began */
	/* The own time of call paths in the current burst. */
	uint64_t since;
	uint64_t *own_ticks;	/* by call path */
	uint32_t path_room;
	uint32_t *touched;	/* the call paths whose own_ticks are not 0 */
	uint32_t touched_count;
	size_t touched_room;
};

/* --- life --------------------------------------------------------------------------------------------- */

static void find_counters(struct fathom_burst_extraction *extraction)
{
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	size_t members = fathom_otf2_count(defs, FATHOM_OTF2_MEMBER);

	extraction->counters = fathom_otf2_memory_alloc(members, sizeof(*extraction->counters));
	extraction->counter_of_member = fathom_otf2_memory_alloc(members, sizeof(*extraction->counter_of_member));
	for (size_t m = 0; m < members; m++) {
		const struct fathom_otf2_typed *member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, m);
		const char *name = fathom_otf2_text(defs, member->name);
		bool is_amount = member->mode == OTF2_METRIC_RELATIVE_POINT;
		uint32_t c = 0;

		if (member->mode != OTF2_METRIC_ACCUMULATED_START && !is_amount)
			continue;
		while (c < extraction->counter_count && (extraction->counters[c].is_amount != is_amount ||
							 strcmp(extraction->counters[c].name, name) != 0))
			c++;
		if (c == extraction->counter_count)
			extraction->counters[extraction->counter_count++] = (struct fathom_burst_counter){
				name, fathom_otf2_text(defs, member->unit), member->factor, false, is_amount,
			};
		extraction->counter_of_member[m] = c + 1;
	}
}

/* Returns readings by counter: a counter has no value yet, and of an amount nothing was given. */
static double *make_readings(const struct fathom_burst_extraction *extraction)
{
	double *readings = fathom_otf2_memory_alloc(extraction->counter_count, sizeof(*readings));

	for (uint32_t i = 0; i < extraction->counter_count; i++)
		readings[i] = extraction->counters[i].is_amount ? 0 : NAN;
	return readings;
}

void fathom_burst_extraction_init(struct fathom_burst_extraction *extraction, struct fathom_otf2_archive *trace,
				  fathom_burst_take *take, void *taker)
{
	const struct fathom_otf2_defs *defs = &trace->defs;
	size_t regions = fathom_otf2_count(defs, FATHOM_OTF2_REGION);
	size_t processes = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);

	*extraction = (struct fathom_burst_extraction){ .trace = trace, .take = take, .taker = taker };
	find_counters(extraction);
	extraction->differences = fathom_otf2_memory_alloc(extraction->counter_count, sizeof(double));
	fathom_burst_paths_init(&extraction->paths);
	extraction->is_runtime = fathom_otf2_memory_alloc(regions, sizeof(bool));
	extraction->is_boundary = fathom_otf2_memory_alloc(regions, sizeof(bool));
	for (size_t r = 0; r < regions; r++)
		fathom_burst_region_look(defs, fathom_otf2_at(defs, FATHOM_OTF2_REGION, r), &extraction->is_runtime[r],
					 &extraction->is_boundary[r]);
	fathom_otf2_stacks_init(&extraction->stacks, defs);
	extraction->fork_paths = fathom_otf2_memory_alloc(processes, sizeof(*extraction->fork_paths));
	for (size_t p = 0; p < processes; p++)
		extraction->fork_paths[p] = FATHOM_NO_BURST_PATH;
	extraction->location_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	extraction->locations = fathom_otf2_memory_alloc(extraction->location_count, sizeof(*extraction->locations));
	for (uint32_t l = 0; l < extraction->location_count; l++) {
		const struct fathom_otf2_location *definition = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l);
		struct fathom_burst_location *location = &extraction->locations[l];

		location->process = definition->process;
		location->anchors = fathom_otf2_memory_grow(NULL, 0, &location->anchor_room,
							    sizeof(*location->anchors));
		location->anchors[0] = FATHOM_NO_BURST_PATH;
		location->readings = make_readings(extraction);
		location->read_times = fathom_otf2_memory_alloc(extraction->counter_count,
								sizeof(*location->read_times));
		location->begin_readings = make_readings(extraction);
		location->complete_readings = make_readings(extraction);
	}
}

void fathom_burst_extraction_fini(struct fathom_burst_extraction *extraction)
{
	for (uint32_t l = 0; l < extraction->location_count; l++) {
		struct fathom_burst_location *location = &extraction->locations[l];

		free(location->anchors);
		free(location->readings);
		free(location->read_times);
		free(location->begin_readings);
		free(location->complete_readings);
		free(location->own_ticks);
		free(location->touched);
	}
	free(extraction->locations);
	free(extraction->fork_paths);
	free(extraction->is_runtime);
	free(extraction->is_boundary);
	free(extraction->counters);
	free(extraction->counter_of_member);
	free(extraction->differences);
	fathom_otf2_stacks_fini(&extraction->stacks);
	fathom_burst_paths_fini(&extraction->paths);
}

/* --- where a location is ------------------------------------------------------------------------------ */

/* Returns the innermost call path of a location. */
static uint32_t path_of(struct fathom_burst_extraction *extraction, uint32_t location)
{
	const struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&extraction->stacks, location);

	if (stack->count)
		return stack->regions[stack->count - 1];
	return extraction->locations[location].anchors[extraction->stacks.threads[location].team_count - 1];
}

/* Returns whether a location computes now. Without an open region this is so in a team and between the begin and end
 * of the program. */
static bool is_computing(struct fathom_burst_extraction *extraction, uint32_t index)
{
	const struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&extraction->stacks, index);
	const struct fathom_burst_location *location = &extraction->locations[index];

	if (location->is_off)
		return false;
	if (stack->count)
		return !extraction->is_runtime[extraction->paths.paths[stack->regions[stack->count - 1]].region];
	return location->is_in_program || extraction->stacks.threads[index].team_count > 1;
}

/* --- bursts ------------------------------------------------------------------------------------------- */

static void make_path_room(struct fathom_burst_location *location, uint32_t path)
{
	while (path >= location->path_room) {
		uint32_t old = location->path_room;
		size_t room = old;

		location->own_ticks = fathom_otf2_memory_grow(location->own_ticks, old, &room,
							      sizeof(*location->own_ticks));
		memset(location->own_ticks + old, 0, (room - old) * sizeof(*location->own_ticks));
		location->path_room = (uint32_t)room;
	}
}

/* Charges the time since the last change of the innermost call path to that call path. */
static void charge(struct fathom_burst_location *location, uint32_t path, uint64_t time)
{
	if (time <= location->since)
		return;
	if (path != FATHOM_NO_BURST_PATH) {
		make_path_room(location, path);
		if (location->own_ticks[path] == 0) {
			location->touched = fathom_otf2_memory_grow(location->touched, location->touched_count,
								    &location->touched_room,
								    sizeof(*location->touched));
			location->touched[location->touched_count++] = path;
		}
		location->own_ticks[path] += time - location->since;
	}
	location->since = time;
}

/* Returns the call path with the largest own time, the first one of equals, and sets all own times to 0. */
static uint32_t largest_path(struct fathom_burst_location *location)
{
	uint32_t largest = FATHOM_NO_BURST_PATH;
	uint64_t most = 0;

	for (uint32_t i = 0; i < location->touched_count; i++) {
		uint32_t path = location->touched[i];

		if (location->own_ticks[path] > most) {
			most = location->own_ticks[path];
			largest = path;
		}
		location->own_ticks[path] = 0;
	}
	location->touched_count = 0;
	return largest;
}

/* Gives a complete burst to the user. */
static void give(struct fathom_burst_extraction *extraction, uint32_t index)
{
	struct fathom_burst_location *location = &extraction->locations[index];
	const struct open_burst *burst = &location->complete;

	location->complete.is_open = false;
	if (burst->end <= burst->begin)
		return;
	if (burst->is_interrupted) {
		extraction->interrupted++;
		return;
	}
	for (uint32_t c = 0; c < extraction->counter_count; c++) {
		extraction->differences[c] = location->readings[c] - location->complete_readings[c];
		if (extraction->counters[c].is_amount && extraction->differences[c] == 0)
			extraction->differences[c] = NAN;
	}
	extraction->bursts++;
	if (!extraction->take(extraction->taker, &(struct fathom_burst){
			.location = index, .before = burst->before, .after = burst->after, .code = burst->code,
			.begin = burst->begin, .end = burst->end, .counters = extraction->differences,
		}))
		extraction->stopped = true;
}

/* Forgets readings that are older than those of the boundary: another group of counters is read now. */
static void forget_old_readings(const struct fathom_burst_extraction *extraction,
				struct fathom_burst_location *location)
{
	if (location->last_read_time != location->boundary)
		return;
	for (uint32_t c = 0; c < extraction->counter_count; c++)
		if (extraction->counters[c].is_strict && location->read_times[c] != location->boundary)
			location->readings[c] = NAN;
}

/* Completes what happened at a boundary, when no more readings of its time can follow. */
static void settle(struct fathom_burst_extraction *extraction, uint32_t index)
{
	struct fathom_burst_location *location = &extraction->locations[index];

	if (!location->is_at_boundary)
		return;
	location->is_at_boundary = false;
	forget_old_readings(extraction, location);
	if (location->complete.is_open)
		give(extraction, index);
	if (location->current.is_open)
		memcpy(location->begin_readings, location->readings,
		       extraction->counter_count * sizeof(*location->readings));
}

/* Ends the current burst of a location. after: see struct fathom_burst. */
static void end_burst(struct fathom_burst_extraction *extraction, uint32_t index, uint64_t time, uint32_t after)
{
	struct fathom_burst_location *location = &extraction->locations[index];
	double *readings = location->complete_readings;

	if (!location->current.is_open)
		return;
	charge(location, path_of(extraction, index), time);
	location->current.code = largest_path(location);
	location->current.is_open = false;
	/* A burst without duration has no counters, and another one may wait for them at the same time. */
	if (time <= location->current.begin)
		return;
	location->complete = location->current;
	location->complete.is_open = true;
	location->complete.end = time;
	location->complete.after = after;
	location->complete_readings = location->begin_readings;
	location->begin_readings = readings;
	location->boundary = time;
	location->is_at_boundary = true;
}

/* Begins a burst if the location computes now. before: see struct fathom_burst. */
static void begin_burst(struct fathom_burst_extraction *extraction, uint32_t index, uint64_t time, uint32_t before)
{
	struct fathom_burst_location *location = &extraction->locations[index];

	if (!is_computing(extraction, index))
		return;
	location->current = (struct open_burst){ .is_open = true, .before = before, .begin = time };
	location->since = time;
	location->boundary = time;
	location->is_at_boundary = true;
}

/* --- events ------------------------------------------------------------------------------------------- */

static void take_enter(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_burst_location *location = &extraction->locations[event->location];
	int64_t region = fathom_otf2_event_region(&extraction->trace->defs, event);
	uint32_t parent = path_of(extraction, event->location), path;

	if (region < 0)
		return;
	path = fathom_burst_paths_child(&extraction->paths, parent, (uint32_t)region);
	if (extraction->is_boundary[region])
		end_burst(extraction, event->location, event->time, path);
	else if (location->current.is_open)
		charge(location, parent, event->time);
	fathom_otf2_stack_push(fathom_otf2_stack_of(&extraction->stacks, event->location), path);
	if (extraction->is_boundary[region] || !location->current.is_open)
		begin_burst(extraction, event->location, event->time,
			    extraction->is_boundary[region] ? path : FATHOM_NO_BURST_PATH);
}

static void take_leave(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_burst_location *location = &extraction->locations[event->location];
	struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&extraction->stacks, event->location);
	uint32_t path, region;

	if (stack->count == 0 || fathom_otf2_event_region(&extraction->trace->defs, event) < 0)
		return;
	path = stack->regions[stack->count - 1];
	region = extraction->paths.paths[path].region;
	if (extraction->is_boundary[region])
		end_burst(extraction, event->location, event->time, path);
	else if (location->current.is_open)
		charge(location, path, event->time);
	stack->count--;
	if (extraction->is_boundary[region])
		begin_burst(extraction, event->location, event->time, path);
	else if (!is_computing(extraction, event->location))
		end_burst(extraction, event->location, event->time, FATHOM_NO_BURST_PATH);
}

static void take_task(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_burst_location *location = &extraction->locations[event->location];
	uint32_t path = path_of(extraction, event->location);
	struct fathom_otf2_task *task = fathom_otf2_stacks_task(&extraction->stacks, location->process, event);

	end_burst(extraction, event->location, event->time, path);
	if (event->kind == FATHOM_RECORD_THREAD_TASK_SWITCH)
		fathom_otf2_stacks_switch(&extraction->stacks, event->location, task);
	else if (task)
		fathom_otf2_stacks_complete(&extraction->stacks, event->location, task);
	begin_burst(extraction, event->location, event->time, path_of(extraction, event->location));
}

static void take_team_begin(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_burst_location *location = &extraction->locations[event->location];
	uint32_t path = path_of(extraction, event->location);
	uint32_t depth = extraction->stacks.threads[event->location].team_count;

	/* A worker has no region outside of the team; the team is below the call path of the fork. */
	if (path == FATHOM_NO_BURST_PATH && location->process != UINT32_MAX)
		path = extraction->fork_paths[location->process];
	end_burst(extraction, event->location, event->time, path);
	location->anchors = fathom_otf2_memory_grow(location->anchors, depth, &location->anchor_room,
						    sizeof(*location->anchors));
	location->anchors[depth] = path;
	fathom_otf2_stacks_enter_team(&extraction->stacks, event->location, event->ref);
	begin_burst(extraction, event->location, event->time, path);
}

static void take_team_end(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	uint32_t path = path_of(extraction, event->location);

	end_burst(extraction, event->location, event->time, path);
	fathom_otf2_stacks_leave_team(&extraction->stacks, event->location);
	begin_burst(extraction, event->location, event->time, path);
}

static void take_fork(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	uint32_t process = extraction->locations[event->location].process;

	if (process != UINT32_MAX)
		extraction->fork_paths[process] = path_of(extraction, event->location);
}

static void take_program(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_burst_location *location = &extraction->locations[event->location];

	if (event->kind == FATHOM_RECORD_PROGRAM_END)
		end_burst(extraction, event->location, event->time, FATHOM_NO_BURST_PATH);
	location->is_in_program = event->kind == FATHOM_RECORD_PROGRAM_BEGIN;
	if (location->is_in_program && !location->current.is_open)
		begin_burst(extraction, event->location, event->time, FATHOM_NO_BURST_PATH);
}

static void take_switch(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_burst_location *location = &extraction->locations[event->location];

	location->current.is_interrupted = true;
	end_burst(extraction, event->location, event->time, FATHOM_NO_BURST_PATH);
	location->is_off = !event->op;
	begin_burst(extraction, event->location, event->time, FATHOM_NO_BURST_PATH);
	location->current.is_interrupted = location->current.is_open;
}

static double number_of(OTF2_Type type, OTF2_MetricValue value)
{
	return type == OTF2_TYPE_DOUBLE ? value.floating_point :
	       type == OTF2_TYPE_INT64 ? (double)value.signed_int : (double)value.unsigned_int;
}

static void take_metric(struct fathom_burst_extraction *extraction, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	const struct fathom_otf2_metric *metric = fathom_otf2_find(defs, FATHOM_OTF2_METRIC, event->ref);
	struct fathom_burst_location *location = &extraction->locations[event->location];
	const OTF2_Type *types = event->types;

	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	if (!metric || metric->count != event->count)
		return;
	for (uint32_t m = 0; m < metric->count; m++) {
		int64_t member = fathom_otf2_index(defs, FATHOM_OTF2_MEMBER, metric->members[m]);

		uint32_t counter = member < 0 ? 0 : extraction->counter_of_member[member];
		double value;

		if (counter == 0)
			continue;
		counter--;
		value = number_of(types[m], event->values[m]) * extraction->counters[counter].factor;
		if (extraction->counters[counter].is_amount)
			value += location->readings[counter];
		location->readings[counter] = value;
		location->read_times[counter] = event->time;
		if (metric->occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT ||
		    metric->occurrence == OTF2_METRIC_SYNCHRONOUS) {
			extraction->counters[counter].is_strict = true;
			location->last_read_time = event->time;
		}
	}
}

bool fathom_burst_extraction_take(void *taker, const struct fathom_otf2_event *event)
{
	struct fathom_burst_extraction *extraction = taker;
	struct fathom_burst_location *location = &extraction->locations[event->location];

	extraction->events++;
	if (location->is_at_boundary && event->time != location->boundary)
		settle(extraction, event->location);
	location->last = event->time;
	if (event->time > extraction->last)
		extraction->last = event->time;
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER: take_enter(extraction, event); break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE: take_leave(extraction, event); break;
	case FATHOM_RECORD_METRIC: take_metric(extraction, event); break;
	case FATHOM_RECORD_THREAD_FORK: take_fork(extraction, event); break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN: take_team_begin(extraction, event); break;
	case FATHOM_RECORD_THREAD_TEAM_END: take_team_end(extraction, event); break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: take_task(extraction, event); break;
	case FATHOM_RECORD_PROGRAM_BEGIN:
	case FATHOM_RECORD_PROGRAM_END: take_program(extraction, event); break;
	case FATHOM_RECORD_BUFFER_FLUSH: location->current.is_interrupted = true; break;
	case FATHOM_RECORD_MEASUREMENT_ON_OFF: take_switch(extraction, event); break;
	default: break;
	}
	return !extraction->stopped;
}

void fathom_burst_extraction_finish(struct fathom_burst_extraction *extraction)
{
	for (uint32_t l = 0; l < extraction->location_count; l++) {
		struct fathom_burst_location *location = &extraction->locations[l];

		end_burst(extraction, l, location->last, FATHOM_NO_BURST_PATH);
		settle(extraction, l);
	}
}

const char *fathom_burst_path_text(const struct fathom_burst_extraction *extraction, uint32_t path, char *text,
				   size_t bytes)
{
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	size_t place = bytes - 1;	/* the text is made from its end */

	text[place] = '\0';
	while (path != FATHOM_NO_BURST_PATH) {
		const struct fathom_burst_path *node = &extraction->paths.paths[path];
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, node->region);
		const char *name = fathom_otf2_text(defs, region->name);
		size_t length = strlen(name), joint = text[place] ? 3 : 0;

		if (length + joint > place)
			break;
		place -= length + joint;
		memcpy(text + place, name, length);
		if (joint)
			memcpy(text + place + length, " > ", joint);
		path = node->parent;
	}
	return memmove(text, text + place, bytes - place);
}
