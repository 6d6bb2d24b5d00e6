#include "tools/whatif/trace_reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/event_region.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/whatif/call_state.h"

/* --- definitions --- */

static bool starts_with(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static enum fathom_call_use use_of(const char *name)
{
	static const struct { const char *name; enum fathom_call_use use; } calls[] = {
		{ "MPI_Init", FATHOM_CALL_INIT }, { "MPI_Finalize", FATHOM_CALL_FINALIZE },
		{ "MPI_Ssend", FATHOM_CALL_SYNCHRONOUS }, { "MPI_Issend", FATHOM_CALL_SYNCHRONOUS },
		{ "MPI_Bsend", FATHOM_CALL_BUFFERED }, { "MPI_Ibsend", FATHOM_CALL_BUFFERED },
		{ "MPI_Probe", FATHOM_CALL_PROBE }, { "MPI_Mprobe", FATHOM_CALL_PROBE },
		{ "MPI_Neighbor_", FATHOM_CALL_NEIGHBOR }, { "MPI_Ineighbor_", FATHOM_CALL_NEIGHBOR },
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (starts_with(name, calls[i].name) && !starts_with(name, "MPI_Initialized"))
			return calls[i].use;
	return FATHOM_CALL_PLAIN;
}

static void set_uses(struct fathom_trace_program *made)
{
	const struct fathom_otf2_defs *defs = &made->trace->defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_REGION), i;

	made->uses = fathom_tool_alloc(count + 1, sizeof(*made->uses));
	made->groups = fathom_tool_alloc(count + 1, sizeof(*made->groups));
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, i);
		const char *name = fathom_otf2_text(defs, region->name);

		if (region->paradigm == OTF2_PARADIGM_MPI)
			made->uses[i] = (uint8_t)use_of(name);
		else
			made->groups[i] = (uint16_t)fathom_speed_rule_of(made->rules, name);
	}
}

/* Says who belongs to a communicator, under a number of the program. */
static void set_comm(struct fathom_trace_program *made, uint32_t number, uint64_t index, uint32_t *members)
{
	struct fathom_otf2_defs *defs = &made->trace->defs;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, index);
	uint32_t size = fathom_otf2_comm_size(defs, comm), m;

	if (comm->paradigm != OTF2_PARADIGM_MPI || comm->is_self || size > made->program.task_count)
		return;
	for (m = 0; m < size; m++) {
		members[m] = fathom_otf2_comm_member(defs, comm, m);
		if (members[m] >= made->program.task_count)
			return;
	}
	fathom_replay_set_comm(&made->program, number, members, size);
}

/* The operations of a window are in an order of their own. Therefore windows follow the communicators, as communicators
 * with the same members. */
static void set_comms(struct fathom_trace_program *made)
{
	struct fathom_otf2_defs *defs = &made->trace->defs;
	size_t comms = fathom_otf2_count(defs, FATHOM_OTF2_COMM), i;
	size_t windows = fathom_otf2_count(defs, FATHOM_OTF2_WINDOW);
	uint32_t *members = fathom_tool_alloc(made->program.task_count + 1, sizeof(*members));

	for (i = 0; i < comms; i++)
		set_comm(made, (uint32_t)i, i, members);
	for (i = 0; i < windows; i++) {
		const struct fathom_otf2_window *window = fathom_otf2_at(defs, FATHOM_OTF2_WINDOW, i);

		if (window->comm >= 0)
			set_comm(made, (uint32_t)(comms + i), (uint64_t)window->comm, members);
	}
	free(members);
}

static void set_nodes(struct fathom_trace_program *made)
{
	const struct fathom_otf2_defs *defs = &made->trace->defs;
	struct fathom_replay_program *program = &made->program;
	uint32_t *numbers, count = 0, most = 0, i;

	for (i = 0; i < program->task_count; i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		most = process->host > most ? process->host : most;
	}
	numbers = fathom_tool_alloc((size_t)most + 1, sizeof(*numbers));
	for (i = 0; i < program->task_count; i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		if (!numbers[process->host])
			numbers[process->host] = ++count;
		program->tasks[i].node = numbers[process->host] - 1;
	}
	free(numbers);
}

void fathom_trace_program_init(struct fathom_trace_program *made, struct fathom_otf2_archive *trace,
			       struct fathom_speed_rules *rules, struct fathom_faster_kinds *kinds)
{
	const struct fathom_otf2_defs *defs = &trace->defs;
	size_t processes = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS), i;

	*made = (struct fathom_trace_program){ .source = trace->anchor, .trace = trace, .rules = rules,
					       .kinds = kinds, .second_caller = UINT32_MAX };
	made->location_count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	made->locations = fathom_tool_alloc(made->location_count + 1, sizeof(*made->locations));
	made->main_locations = fathom_tool_alloc(processes + 1, sizeof(*made->main_locations));
	memset(made->main_locations, 0xff, (processes + 1) * sizeof(*made->main_locations));
	if (fathom_replay_program_init(&made->program, (uint32_t)processes, fathom_otf2_seconds(defs, 1)))
		fathom_tool_out_of_memory(processes * sizeof(*made->program.tasks));
	made->program.begin = defs->offset;
	for (i = 0; i < made->location_count; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);

		made->locations[i].process = location->process;
		made->locations[i].call.depth = UINT32_MAX;
	}
	fathom_burst_paths_init(&made->paths);
	fathom_table_init(&made->requests, fathom_call_request_bytes);
	set_uses(made);
	set_comms(made);
	set_nodes(made);
}

void fathom_trace_program_fini(struct fathom_trace_program *made)
{
	for (uint32_t i = 0; i < made->location_count; i++) {
		free(made->locations[i].frames);
		free(made->locations[i].call.sends);
	}
	free(made->locations);
	free(made->main_locations);
	free(made->uses);
	free(made->groups);
	fathom_table_fini(&made->requests);
	fathom_burst_paths_fini(&made->paths);
	fathom_replay_program_fini(&made->program);
	*made = (struct fathom_trace_program){ 0 };
}

/* --- events --- */

static uint32_t region_of(const struct fathom_trace_program *made, const struct fathom_otf2_event *event)
{
	int64_t index = fathom_otf2_event_region(&made->trace->defs, event);

	return index < 0 ? UINT32_MAX : (uint32_t)index;
}

/* Adds the time of a location since the last record, up to an end, under the number of a rule (0: none). */
static void add_burst(struct fathom_trace_program *made, struct fathom_trace_location *location, uint64_t end,
		      uint16_t group)
{
	if (end <= location->since)
		return;
	fathom_replay_add_time(&made->program, location->process, (struct fathom_replay_record){
		.kind = FATHOM_REPLAY_BURST, .time = location->since, .value = end - location->since,
		.call_path = fathom_call_path(location), .group = group });
	location->since = end;
}

/* Ends the burst that is running: all time since the last call, or since the group of the time has changed. The parts
 * of it that are of a kind with a rule get this rule, whatever the rules of the regions around them are. */
static void end_burst(struct fathom_trace_program *made, struct fathom_trace_location *location, uint64_t time)
{
	uint32_t index = (uint32_t)(location - made->locations);
	const struct fathom_faster_burst *part;

	while ((part = fathom_faster_kinds_next(made->kinds, index, location->since, time))) {
		struct fathom_speed_rule *rule = &made->rules->rules[part->rule - 1];
		uint64_t end = part->end < time ? part->end : time;

		add_burst(made, location, part->begin, location->group);
		rule->is_used = true;
		rule->bursts += part->end <= time;
		rule->ticks += end - location->since;
		add_burst(made, location, end, part->rule);
	}
	add_burst(made, location, time, location->group);
	location->since = time;
}

static void take_enter(struct fathom_trace_program *made, const struct fathom_otf2_event *event)
{
	struct fathom_trace_location *location = &made->locations[event->location];
	uint32_t region = region_of(made, event);
	bool is_outside = location->call.depth == UINT32_MAX;
	uint16_t group = region == UINT32_MAX ? 0 : made->groups[region];
	uint32_t parent = location->frame_count ? location->frames[location->frame_count - 1].path :
						  FATHOM_NO_BURST_PATH;
	uint32_t path = region == UINT32_MAX ? parent : fathom_burst_paths_child(&made->paths, parent, region);

	if (is_outside && region != UINT32_MAX && made->uses[region] != FATHOM_CALL_NONE) {
		end_burst(made, location, event->time);
		fathom_call_begin(location, event->time, path, (enum fathom_call_use)made->uses[region]);
	} else if (is_outside && group && group != location->group) {
		end_burst(made, location, event->time);
	}
	location->frames = fathom_otf2_memory_grow(location->frames, location->frame_count, &location->frame_room,
						   sizeof(*location->frames));
	location->frames[location->frame_count++] = (struct fathom_trace_frame){ path, location->group };
	if (group)
		location->group = group;
}

static void take_leave(struct fathom_trace_program *made, const struct fathom_otf2_event *event)
{
	struct fathom_trace_location *location = &made->locations[event->location];
	uint16_t group;

	if (location->frame_count == 0)
		return;
	group = location->frames[location->frame_count - 1].outer_group;
	if (location->call.depth == UINT32_MAX && group != location->group)
		end_burst(made, location, event->time);
	location->frame_count--;
	location->group = group;
	if (location->call.depth == location->frame_count) {
		fathom_call_end(made, location, event->time);
		location->since = event->time;
	}
}

/* Returns whether the location is the one that the replay repeats. It is the first one of its process that has events;
 * traces begin with the thread that starts the process. */
static bool is_main(struct fathom_trace_program *made, const struct fathom_otf2_event *event)
{
	uint32_t *main_location = &made->main_locations[made->locations[event->location].process];

	if (*main_location == UINT32_MAX)
		*main_location = event->location;
	return *main_location == event->location;
}

static bool take_event(void *taker, const struct fathom_otf2_event *event)
{
	struct fathom_trace_program *made = taker;
	struct fathom_trace_location *location = &made->locations[event->location];
	struct fathom_replay_program *program = &made->program;
	enum fathom_otf2_part part = fathom_otf2_records[event->kind < FATHOM_RECORD_COUNT ? event->kind : 0].part;

	fathom_progress_set(++made->events);
	if (location->process >= program->task_count)
		return true;
	if (event->time > program->end)
		program->end = event->time;
	if (event->kind == FATHOM_RECORD_METRIC && !location->has_begun)
		return true;	/* the metrics of a host have a location of their own */
	location->has_records = true;
	if (!is_main(made, event)) {
		if (part == FATHOM_OTF2_PART_MESSAGE || part == FATHOM_OTF2_PART_COLLECTIVE)
			made->second_caller = event->location;
		return true;
	}
	if (!location->has_begun) {
		location->has_begun = true;
		location->since = program->tasks[location->process].begin = event->time;
		if (event->time < program->begin || program->begin == 0)
			program->begin = event->time;
	}
	location->last = event->time;
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
		take_enter(made, event);
		break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
		take_leave(made, event);
		break;
	default:
		fathom_call_take(made, location, event);
	}
	return true;
}

/* Ends what is open at the last event of each location. */
static void finish_locations(struct fathom_trace_program *made)
{
	for (uint32_t i = 0; i < made->location_count; i++) {
		struct fathom_trace_location *location = &made->locations[i];

		if (!location->has_begun)
			continue;
		if (location->call.depth == UINT32_MAX)
			end_burst(made, location, location->last);
		else
			fathom_call_end(made, location, location->last);
		made->program.tasks[location->process].end = location->last;
	}
}

int fathom_trace_program_read(struct fathom_trace_program *made)
{
	struct fathom_replay_program *program = &made->program;
	char text[64];
	int err;

	program->begin = 0;
	fathom_progress_begin("reading events", fathom_otf2_event_count(made->trace));
	err = fathom_otf2_read_events(made->trace, NULL, take_event, made);
	fathom_progress_end();
	if (err) {
		fathom_tool_error("%s", made->trace->error);
		return err;
	}
	if (made->second_caller != UINT32_MAX) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&made->trace->defs, FATHOM_OTF2_LOCATION,
									     made->second_caller);

		fathom_tool_error("%s: the process of %s communicates from several threads; only traces whose "
				  "processes communicate from one thread can be replayed", made->trace->anchor,
				  fathom_otf2_name(&made->trace->defs, FATHOM_OTF2_LOCATION, location->id, text,
						   sizeof(text)));
		return -ENOTSUP;
	}
	finish_locations(made);
	for (uint32_t i = 0; i < program->task_count; i++)
		if (program->tasks[i].begin < program->begin)
			program->tasks[i].begin = program->tasks[i].end = program->begin;
	if (program->path_count == 0)
		program->path_count = 1;
	if (fathom_replay_program_finish(program))
		fathom_tool_out_of_memory(program->message_count * sizeof(*program->messages));
	return 0;
}
