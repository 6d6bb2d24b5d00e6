#include "tools/analyze/result_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "cube/reader/activity_rules.h"
#include "cube/writer/writer.h"
#include "platform/arena.h"
#include "tools/common/command.h"
#include "tools/common/trace/trace_region.h"

/* What a metric of the file is: visits, time (of an activity class), or a pattern of the search or a counter. */
enum source { VISITS, TIME, ACTIVITY, PATTERN };

struct metric {
	enum source source;
	int number;	/* activity class; pattern, or FATHOM_COUNTER_PATTERN + index of a counter */
};

struct model {
	struct fathom_extraction *extraction;
	const struct fathom_wait_values *waits;
	struct fathom_arena arena;
	struct fathom_cube cube;
	struct metric *metrics;		/* by metric of the cube */
	uint32_t *path_of;		/* by cnode */
	uint32_t *cnode_of;		/* by call path */
	uint32_t *location_of;		/* by column: index of the definition */
	uint32_t *column_of;		/* by index of the definition; UINT32_MAX: the location has no column */
	uint32_t off_region;		/* region of the cube that has the time without measurement, if there is any */
	char *present;			/* by metric and cnode */
	bool *pattern_occurs;		/* by pattern: the pattern or one within it has a value */
};

static struct fathom_cube_writer *unfinished;

void fathom_analysis_abandon(void)
{
	if (unfinished)
		fathom_cube_writer_abandon(unfinished);
	unfinished = NULL;
}

/* --- attributes ------------------------------------------------------------------------------------- */

enum { MOST_ATTRIBUTES = 32 };

static void add_attribute(struct model *model, const char *key, const char *value)
{
	char *copy = fathom_arena_copy(&model->arena, value, strlen(value));

	if (!copy)
		fathom_tool_out_of_memory(strlen(value));
	model->cube.attributes[model->cube.attribute_count++] = (struct fathom_cube_attribute){ key, copy };
}

static void add_count(struct model *model, const char *key, uint64_t count)
{
	char text[32];

	if (!count)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, count);
	add_attribute(model, key, text);
}

static void add_seconds(struct model *model, const char *key, double seconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6f", seconds);
	add_attribute(model, key, text);
}

static void make_attributes(struct model *model)
{
	const struct fathom_extraction *extraction = model->extraction;
	const struct fathom_waits_summary *summary = &model->waits->summary;
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	uint64_t ticks = extraction->last > extraction->first ? extraction->last - extraction->first : 0;

	model->cube.attributes = fathom_tool_alloc(MOST_ATTRIBUTES, sizeof(*model->cube.attributes));
	add_attribute(model, "CubePL Version", "1.1");
	add_attribute(model, "Cube anchor.xml syntax version", "4.4");
	add_attribute(model, "Creator", "fathom " PACKAGE_VERSION);
	add_attribute(model, "CUBE_CT_AGGR", "SUM");
	add_attribute(model, "fathom::mode", "analysis");
	add_attribute(model, "fathom::trace", extraction->trace->anchor);
	add_attribute(model, "fathom::trace_creator", extraction->trace->creator);
	add_attribute(model, "fathom::program", extraction->program);
	add_attribute(model, "fathom::arguments", extraction->command);
	add_seconds(model, "fathom::wall_time", fathom_otf2_seconds(defs, (double)ticks));
	add_attribute(model, FATHOM_CUBE_THREADS, "all");
	add_attribute(model, "fathom::complete", "yes");
	add_count(model, "fathom::events", extraction->events);
	add_count(model, "fathom::waits_operations", summary->operations);
	add_seconds(model, "fathom::wait_with_cause", summary->waiting);
	add_seconds(model, "fathom::wait_delays", summary->delays);
	add_seconds(model, "fathom::wait_unexplained", summary->unexplained);
	add_count(model, "fathom::waits_messages", summary->messages);
	add_count(model, "fathom::waits_unmatched_sends", summary->unmatched_sends);
	add_count(model, "fathom::waits_unmatched_receives", summary->unmatched_receives);
	add_count(model, "fathom::waits_incomplete_collectives", summary->incomplete_collectives);
	add_count(model, "fathom::waits_skipped_collectives",
		  summary->skipped_collectives + extraction->unknown_neighborhoods);
	add_count(model, "fathom::waits_clock_violations", summary->clock_violations);
	add_count(model, "fathom::waits_lost", summary->lost);
}

/* --- regions and call paths ------------------------------------------------------------------------ */

static struct fathom_cube_region artificial(const char *name)
{
	return (struct fathom_cube_region){
		.name = name, .mangled = name, .file = "", .paradigm = "measurement", .role = "artificial",
		.description = "", .begin_line = -1, .end_line = -1,
	};
}

static bool has_region(const struct fathom_call_tree *tree, uint32_t region)
{
	uint32_t i;

	for (i = 0; i < tree->count; i++)
		if (tree->paths[i].region == region)
			return true;
	return false;
}

static void make_regions(struct model *model)
{
	const struct fathom_extraction *extraction = model->extraction;
	struct fathom_cube_region *regions = fathom_tool_alloc(extraction->region_count + 3, sizeof(*regions));
	uint32_t i;

	for (i = 0; i < extraction->region_count; i++)
		regions[i] = fathom_otf2_region_words(extraction->trace,
						      fathom_otf2_at(&extraction->trace->defs, FATHOM_OTF2_REGION, i));
	if (extraction->program_region == extraction->region_count)
		regions[i++] = artificial(*extraction->program ? extraction->program : "PROGRAM");
	if (has_region(&extraction->tree, extraction->tasks_region))
		regions[i++] = artificial("TASKS");
	model->off_region = i;
	if (has_region(&extraction->tree, extraction->off_region))
		regions[i++] = artificial("MEASUREMENT OFF");
	model->cube.regions = regions;
	model->cube.region_count = i;
	for (i = 0; i < model->cube.region_count; i++) {
		if (!*regions[i].mangled)
			regions[i].mangled = regions[i].name;
		regions[i].activity = fathom_activity_by_rules(&regions[i]);
	}
}

/* Numbers the call paths in pre-order: below each call path its children in the order in which they were found. The
 * call paths of tasks are the last ones, because readers find them there. */
static void make_cnodes(struct model *model)
{
	const struct fathom_call_tree *tree = &model->extraction->tree;
	uint32_t count = tree->count, i, top = 0;
	uint32_t *first = fathom_tool_alloc(count + 1, sizeof(*first));
	uint32_t *next = fathom_tool_alloc(count + 1, sizeof(*next));
	uint32_t *stack = fathom_tool_alloc(count + 1, sizeof(*stack));
	uint32_t tasks = FATHOM_NO_CALL_PATH;

	model->cube.cnodes = fathom_tool_alloc(count + 1, sizeof(*model->cube.cnodes));
	model->path_of = fathom_tool_alloc(count + 1, sizeof(*model->path_of));
	model->cnode_of = fathom_tool_alloc(count + 1, sizeof(*model->cnode_of));
	for (i = 0; i < count; i++) {
		first[i] = FATHOM_NO_CALL_PATH;
		if (tree->paths[i].region == model->extraction->tasks_region)
			tasks = i;
	}
	if (tasks != FATHOM_NO_CALL_PATH) {
		next[tasks] = FATHOM_NO_CALL_PATH;
		first[tree->paths[tasks].parent] = tasks;
	}
	for (i = count; i-- > 0;) {
		uint32_t parent = tree->paths[i].parent;

		if (parent == FATHOM_NO_CALL_PATH) {
			stack[top++] = i;
		} else if (i != tasks) {
			next[i] = first[parent];
			first[parent] = i;
		}
	}
	while (top > 0) {
		uint32_t path = stack[--top], child, begin = top, end;
		struct fathom_cube_cnode *cnode = &model->cube.cnodes[model->cube.cnode_count];

		model->path_of[model->cube.cnode_count] = path;
		model->cnode_of[path] = model->cube.cnode_count++;
		cnode->region = tree->paths[path].region == model->extraction->off_region ?
				model->off_region : tree->paths[path].region;
		cnode->parent = tree->paths[path].parent == FATHOM_NO_CALL_PATH ?
				-1 : (int32_t)model->cnode_of[tree->paths[path].parent];
		for (child = first[path]; child != FATHOM_NO_CALL_PATH; child = next[child])
			stack[top++] = child;
		for (end = top; begin + 1 < end; begin++) {
			uint32_t swapped = stack[begin];

			stack[begin] = stack[--end];
			stack[end] = swapped;
		}
	}
	free(first);
	free(next);
	free(stack);
}

/* --- the system ------------------------------------------------------------------------------------- */

struct system_walk {
	struct model *model;
	int32_t *node_of;	/* by index of a node of the trace: node of the cube */
	uint32_t node_count, process_count;
};

static bool has_column(const struct model *model, uint32_t location, uint32_t process)
{
	const struct fathom_otf2_location *definition = fathom_otf2_at(&model->extraction->trace->defs,
								       FATHOM_OTF2_LOCATION, location);

	return definition->process == process && definition->type == OTF2_LOCATION_TYPE_CPU_THREAD;
}

static void add_process(struct model *model, uint32_t process, int32_t node)
{
	const struct fathom_otf2_defs *defs = &model->extraction->trace->defs;
	const struct fathom_otf2_process *definition = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, process);
	uint32_t i, number = 0;

	if (definition->type != OTF2_LOCATION_GROUP_TYPE_PROCESS)
		return;
	for (i = 0; i < model->extraction->location_count; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);

		if (!has_column(model, i, process))
			continue;
		model->column_of[i] = model->cube.location_count;
		model->location_of[model->cube.location_count] = i;
		model->cube.locations[model->cube.location_count++] = (struct fathom_cube_location){
			.name = fathom_otf2_text(defs, location->name),
			.type = "thread",
			.group = (int32_t)model->cube.group_count,
			.rank = number++,
		};
	}
	if (number == 0)
		return;
	model->cube.groups[model->cube.group_count++] = (struct fathom_cube_group){
		.name = fathom_otf2_text(defs, definition->name),
		.type = "process",
		.node = node,
		.rank = (int64_t)(definition->id <= INT32_MAX ? definition->id : process),
	};
}

/* Adds a node of the trace, first its processes, then the nodes below it. */
static void add_node(struct model *model, int32_t index, int32_t parent, unsigned depth)
{
	const struct fathom_otf2_defs *defs = &model->extraction->trace->defs;
	const struct fathom_otf2_node *definition = fathom_otf2_at(defs, FATHOM_OTF2_NODE, (uint64_t)index);
	int32_t number = (int32_t)model->cube.node_count++;
	uint32_t i;

	model->cube.nodes[number] = (struct fathom_cube_node){
		.name = fathom_otf2_text(defs, definition->name),
		.class_name = fathom_otf2_text(defs, definition->class_name),
		.parent = parent,
	};
	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_PROCESS); i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		if (process->node == index)
			add_process(model, i, number);
	}
	for (i = (uint32_t)index + 1; depth < 64 && i < fathom_otf2_count(defs, FATHOM_OTF2_NODE); i++) {
		const struct fathom_otf2_node *node = fathom_otf2_at(defs, FATHOM_OTF2_NODE, i);

		if (node->parent == index)
			add_node(model, (int32_t)i, number, depth + 1);
	}
}

static void make_system(struct model *model)
{
	const struct fathom_otf2_defs *defs = &model->extraction->trace->defs;
	uint32_t nodes = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_NODE), locations, i;

	locations = model->extraction->location_count;
	model->cube.nodes = fathom_tool_alloc(nodes + 1, sizeof(*model->cube.nodes));
	model->cube.groups = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_PROCESS) + 1,
					       sizeof(*model->cube.groups));
	model->cube.locations = fathom_tool_alloc(locations + 1, sizeof(*model->cube.locations));
	model->location_of = fathom_tool_alloc(locations + 1, sizeof(*model->location_of));
	model->column_of = fathom_tool_alloc(locations + 1, sizeof(*model->column_of));
	memset(model->column_of, 0xff, (locations + 1) * sizeof(*model->column_of));
	for (i = 0; i < nodes; i++)
		if (((const struct fathom_otf2_node *)fathom_otf2_at(defs, FATHOM_OTF2_NODE, i))->parent < 0)
			add_node(model, (int32_t)i, -1, 0);
	if (nodes == 0)
		model->cube.nodes[model->cube.node_count++] = (struct fathom_cube_node){ "machine", "machine", -1 };
	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_PROCESS); i++)
		if (((const struct fathom_otf2_process *)fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i))->node < 0)
			add_process(model, i, (int32_t)model->cube.node_count - 1);
}

/* --- topologies ------------------------------------------------------------------------------------ */

/* Adds the places of a topology: those of its members whose location has a column. */
static void add_places(struct model *model, const struct fathom_otf2_topology *from,
		       struct fathom_cube_topology *topology)
{
	struct fathom_otf2_defs *defs = &model->extraction->trace->defs;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)from->comm);
	const struct fathom_otf2_roster *roster = fathom_otf2_roster(defs, comm->group);
	uint32_t rank, location, *at;

	topology->locations = fathom_tool_alloc(from->members + 1, sizeof(*topology->locations));
	topology->at = fathom_tool_alloc((size_t)from->members * from->count + 1, sizeof(*topology->at));
	for (rank = 0; rank < from->members && rank < roster->count; rank++) {
		at = from->at + (size_t)rank * from->count;
		location = roster->location[rank];
		if (*at == FATHOM_OTF2_NOWHERE || location == UINT32_MAX || model->column_of[location] == UINT32_MAX)
			continue;
		memcpy(topology->at + (size_t)topology->place_count * from->count, at, from->count * sizeof(*at));
		topology->locations[topology->place_count++] = model->column_of[location];
	}
}

static void make_topologies(struct model *model)
{
	const struct fathom_otf2_defs *defs = &model->extraction->trace->defs;
	uint32_t count = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_TOPOLOGY), i, d;

	model->cube.topologies = fathom_tool_alloc(count + 1, sizeof(*model->cube.topologies));
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_topology *from = fathom_otf2_at(defs, FATHOM_OTF2_TOPOLOGY, i);
		struct fathom_cube_topology *topology = &model->cube.topologies[model->cube.topology_count];

		if (!from->at || from->count > FATHOM_CUBE_MOST_DIMENSIONS)
			continue;
		topology->name = fathom_otf2_text(defs, from->name);
		topology->dimension_count = from->count;
		topology->dimensions = fathom_tool_alloc(from->count, sizeof(*topology->dimensions));
		for (d = 0; d < from->count; d++) {
			const struct fathom_otf2_dimension *dimension = from->dimensions[d] < 0 ? NULL :
				fathom_otf2_at(defs, FATHOM_OTF2_DIMENSION, (uint64_t)from->dimensions[d]);

			topology->dimensions[d].name = dimension ? fathom_otf2_text(defs, dimension->name) : "";
			topology->dimensions[d].size = from->sizes[d];
			topology->dimensions[d].is_periodic = dimension && dimension->is_periodic;
		}
		add_places(model, from, topology);
		model->cube.topology_count++;
	}
}

static void free_topologies(struct model *model)
{
	uint32_t i;

	for (i = 0; i < model->cube.topology_count; i++) {
		free(model->cube.topologies[i].dimensions);
		free(model->cube.topologies[i].locations);
		free(model->cube.topologies[i].at);
	}
	free(model->cube.topologies);
}

/* --- metrics -------------------------------------------------------------------------------------- */

static void add_metric(struct model *model, struct metric what, const struct fathom_cube_metric *metric)
{
	model->metrics[model->cube.metric_count] = what;
	model->cube.metrics[model->cube.metric_count] = *metric;
	model->cube.metrics[model->cube.metric_count].url = "";
	model->cube.metrics[model->cube.metric_count++].type = FATHOM_CUBE_EXCLUSIVE;
}

static bool has_time(const struct model *model, uint32_t cnode)
{
	uint32_t path = model->path_of[cnode], i;

	for (i = 0; i < model->cube.location_count; i++) {
		const struct fathom_extraction_location *location =
			&model->extraction->locations[model->location_of[i]];

		if (path < location->value_room && location->values[path].own_ticks)
			return true;
	}
	return false;
}

static void add_activities(struct model *model, int32_t time)
{
	bool occurs[FATHOM_ACTIVITY_COUNT] = { false };
	int32_t metric_of[FATHOM_ACTIVITY_COUNT];
	uint32_t c;
	int a;

	for (c = 0; c < model->cube.cnode_count; c++) {
		a = (int)model->cube.regions[model->cube.cnodes[c].region].activity;
		for (; a >= 0 && !occurs[a] && has_time(model, c); a = fathom_activity_table[a].parent)
			occurs[a] = true;
	}
	for (a = 0; a < FATHOM_ACTIVITY_COUNT; a++) {
		const struct fathom_activity_info *info = &fathom_activity_table[a];

		if (!occurs[a])
			continue;
		metric_of[a] = (int32_t)model->cube.metric_count;
		add_metric(model, (struct metric){ ACTIVITY, a },
			   &(struct fathom_cube_metric){
				.uniq_name = info->metric, .disp_name = info->title, .unit = "sec",
				.description = info->description, .dtype = FATHOM_CUBE_DOUBLE,
				.parent = info->parent < 0 ? time : metric_of[info->parent],
			   });
	}
}

/* Returns whether outer is pattern, or contains it. */
static bool is_within(int pattern, int outer)
{
	if (pattern >= (int)FATHOM_COUNTER_PATTERN)
		return pattern == outer;
	while (pattern >= 0 && pattern != outer)
		pattern = fathom_waits_pattern_info((enum fathom_waits_pattern)pattern)->parent;
	return pattern == outer;
}

static void add_patterns(struct model *model)
{
	int32_t metric_of[FATHOM_WAITS_PATTERNS];
	bool occurs[FATHOM_WAITS_PATTERNS] = { false };
	size_t i;
	int p;

	for (i = 0; i < model->waits->count; i++) {
		if (model->waits->values[i].pattern >= FATHOM_COUNTER_PATTERN)
			continue;
		for (p = (int)model->waits->values[i].pattern; p >= 0 && !occurs[p];
		     p = fathom_waits_pattern_info((enum fathom_waits_pattern)p)->parent)
			occurs[p] = true;
	}
	for (p = 0; p < FATHOM_WAITS_PATTERNS; p++) {
		const struct fathom_waits_pattern_info *info = fathom_waits_pattern_info((enum fathom_waits_pattern)p);

		if (!occurs[p])
			continue;
		metric_of[p] = (int32_t)model->cube.metric_count;
		add_metric(model, (struct metric){ PATTERN, p },
			   &(struct fathom_cube_metric){
				.uniq_name = info->name, .disp_name = info->title,
				.unit = info->is_count ? "occ" : "sec", .description = info->description,
				.dtype = info->is_count ? FATHOM_CUBE_UINT64 : FATHOM_CUBE_DOUBLE,
				.parent = info->parent < 0 ? -1 : metric_of[info->parent],
			   });
	}
}

static bool has_metric(const struct model *model, const char *name)
{
	uint32_t m;

	for (m = 0; m < model->cube.metric_count; m++)
		if (strcmp(model->cube.metrics[m].uniq_name, name) == 0)
			return true;
	return false;
}

/* Adds the counters that have a value. One with the name of another metric is left out. */
static void add_counters(struct model *model)
{
	const struct fathom_otf2_defs *defs = &model->extraction->trace->defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_MEMBER), i;
	bool *occurs = fathom_tool_alloc(count + 1, sizeof(*occurs));

	for (i = 0; i < model->waits->count; i++) {
		uint32_t pattern = model->waits->values[i].pattern;

		if (pattern >= FATHOM_COUNTER_PATTERN && pattern - FATHOM_COUNTER_PATTERN < count)
			occurs[pattern - FATHOM_COUNTER_PATTERN] = true;
	}
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_typed *member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, i);
		const char *name = fathom_otf2_text(defs, member->name);

		if (!occurs[i] || !*name || has_metric(model, name))
			continue;
		add_metric(model, (struct metric){ PATTERN, (int)(FATHOM_COUNTER_PATTERN + i) },
			   &(struct fathom_cube_metric){
				.uniq_name = name, .disp_name = name, .unit = fathom_otf2_text(defs, member->unit),
				.description = "A counter of the trace",
				.dtype = member->type == OTF2_TYPE_UINT64 ? FATHOM_CUBE_UINT64 : FATHOM_CUBE_DOUBLE,
				.parent = -1,
			   });
	}
	free(occurs);
}

static void make_metrics(struct model *model)
{
	size_t most = 2 + FATHOM_ACTIVITY_COUNT + FATHOM_WAITS_PATTERNS +
		      fathom_otf2_count(&model->extraction->trace->defs, FATHOM_OTF2_MEMBER);

	model->cube.metrics = fathom_tool_alloc(most, sizeof(*model->cube.metrics));
	model->metrics = fathom_tool_alloc(most, sizeof(*model->metrics));
	add_metric(model, (struct metric){ VISITS, 0 },
		   &(struct fathom_cube_metric){
			.uniq_name = "visits", .disp_name = "Visits", .unit = "occ",
			.description = "How often a call path was entered", .dtype = FATHOM_CUBE_UINT64, .parent = -1,
		   });
	add_metric(model, (struct metric){ TIME, 0 },
		   &(struct fathom_cube_metric){
			.uniq_name = "time", .disp_name = "Time", .unit = "sec",
			.description = "Wall-clock time of each thread", .dtype = FATHOM_CUBE_DOUBLE, .parent = -1,
		   });
	add_activities(model, 1);
	add_patterns(model);
	add_counters(model);
}

/* --- values ----------------------------------------------------------------------------------------- */

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct model *model = context;

	return model->present[(size_t)metric * model->cube.cnode_count + cnode];
}

static bool is_of_activity(const struct model *model, uint32_t cnode, int activity)
{
	return fathom_activity_within(model->cube.regions[model->cube.cnodes[cnode].region].activity,
				      (enum fathom_activity)activity);
}

static void find_present(struct model *model)
{
	uint32_t m, c, l, count = model->cube.cnode_count;
	size_t i;

	model->present = fathom_tool_alloc((size_t)model->cube.metric_count * count + 1, 1);
	for (c = 0; c < count; c++) {
		bool timed = has_time(model, c), visited = false;

		for (l = 0; l < model->cube.location_count && !visited; l++) {
			const struct fathom_extraction_location *location =
				&model->extraction->locations[model->location_of[l]];

			visited = model->path_of[c] < location->value_room &&
				  location->values[model->path_of[c]].visits > 0;
		}
		for (m = 0; m < model->cube.metric_count; m++) {
			const struct metric *what = &model->metrics[m];

			model->present[(size_t)m * count + c] =
				what->source == VISITS ? visited :
				what->source == TIME ? timed :
				what->source == ACTIVITY && timed && is_of_activity(model, c, what->number);
		}
	}
	for (i = 0; i < model->waits->count; i++)
		for (m = 0; m < model->cube.metric_count; m++)
			if (model->metrics[m].source == PATTERN &&
			    is_within((int)model->waits->values[i].pattern, model->metrics[m].number))
				model->present[(size_t)m * count + model->cnode_of[model->waits->values[i].path]] = 1;
}

static int put_call_path(struct model *model, uint32_t metric, uint32_t cnode, double *row)
{
	uint32_t path = model->path_of[cnode], l;
	const struct fathom_otf2_defs *defs = &model->extraction->trace->defs;
	uint64_t *counts = (uint64_t *)row;

	for (l = 0; l < model->cube.location_count; l++) {
		const struct fathom_extraction_location *location =
			&model->extraction->locations[model->location_of[l]];
		bool has = path < location->value_room;

		if (model->metrics[metric].source == VISITS)
			counts[l] = has ? location->values[path].visits : 0;
		else
			row[l] = has ? fathom_otf2_seconds(defs, (double)location->values[path].own_ticks) : 0;
	}
	return fathom_cube_writer_put(unfinished, metric, cnode, 0, model->cube.location_count, row);
}

/* Writes the row of a call path; values are those of patterns within the metric, for this call path. */
static int put_waits(struct model *model, uint32_t metric, const struct fathom_wait_value *values, size_t count,
		     double *row)
{
	bool is_count = model->cube.metrics[metric].dtype == FATHOM_CUBE_UINT64;
	uint64_t *counts = (uint64_t *)row;
	size_t i;

	memset(row, 0, model->cube.location_count * sizeof(*row));
	for (i = 0; i < count; i++) {
		uint32_t column = model->column_of[values[i].location];

		if (column == UINT32_MAX)
			continue;
		if (is_count)
			counts[column] += (uint64_t)llround(values[i].value);
		else
			row[column] += values[i].value;
	}
	return fathom_cube_writer_put(unfinished, metric, model->cnode_of[values[0].path], 0,
				      model->cube.location_count, row);
}

static int by_call_path(const void *a, const void *b)
{
	const struct fathom_wait_value *x = a, *y = b;

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	if (x->location != y->location)
		return x->location < y->location ? -1 : 1;
	return x->pattern < y->pattern ? -1 : x->pattern > y->pattern;
}

static int put_pattern(struct model *model, uint32_t metric, struct fathom_wait_value *within, double *row)
{
	size_t count = 0, i, end;
	int err = 0;

	for (i = 0; i < model->waits->count; i++)
		if (is_within((int)model->waits->values[i].pattern, model->metrics[metric].number))
			within[count++] = model->waits->values[i];
	if (count)
		qsort(within, count, sizeof(*within), by_call_path);
	for (i = 0; !err && i < count; i = end) {
		for (end = i + 1; end < count && within[end].path == within[i].path; end++)
			;
		err = put_waits(model, metric, within + i, end - i, row);
	}
	return err;
}

static int put_values(struct model *model)
{
	double *row = fathom_tool_alloc(model->cube.location_count + 1, sizeof(*row));
	struct fathom_wait_value *within = fathom_tool_alloc(model->waits->count + 1, sizeof(*within));
	uint32_t m, c;
	int err = 0;

	for (m = 0; !err && m < model->cube.metric_count; m++) {
		if (model->metrics[m].source == PATTERN) {
			err = put_pattern(model, m, within, row);
			continue;
		}
		for (c = 0; !err && c < model->cube.cnode_count; c++)
			if (is_present(model, m, c))
				err = put_call_path(model, m, c, row);
	}
	free(within);
	free(row);
	return err;
}

/* --- the file ------------------------------------------------------------------------------------- */

static void fini(struct model *model)
{
	free(model->cube.attributes);
	free(model->cube.regions);
	free(model->cube.cnodes);
	free(model->cube.nodes);
	free(model->cube.groups);
	free(model->cube.locations);
	free(model->cube.metrics);
	free_topologies(model);
	free(model->metrics);
	free(model->path_of);
	free(model->cnode_of);
	free(model->location_of);
	free(model->column_of);
	free(model->present);
	fathom_arena_fini(&model->arena);
}

int fathom_analysis_write(struct fathom_extraction *extraction, const struct fathom_wait_values *waits,
			  const char *path)
{
	struct model model = { .extraction = extraction, .waits = waits };
	int err;

	make_regions(&model);
	make_cnodes(&model);
	make_system(&model);
	make_topologies(&model);
	make_metrics(&model);
	make_attributes(&model);
	if (model.cube.cnode_count == 0 || model.cube.location_count == 0) {
		fathom_tool_error("%s: no thread of the trace entered a region: there is nothing to analyze",
				  extraction->trace->anchor);
		fini(&model);
		return -ENODATA;
	}
	find_present(&model);
	err = fathom_cube_writer_open(&unfinished, path, &model.cube, is_present, &model, (int64_t)time(NULL));
	if (!err)
		err = put_values(&model);
	if (err) {
		fathom_analysis_abandon();
	} else {
		err = fathom_cube_writer_close(unfinished);
		unfinished = NULL;
	}
	if (err)
		fathom_tool_error("%s: cannot be made: %s", path, strerror(-err));
	fini(&model);
	return err;
}
