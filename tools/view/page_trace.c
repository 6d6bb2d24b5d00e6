#include "tools/view/page_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/archive_reader.h"
#include "otf2/memory.h"
#include "otf2/region_stacks.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/json_writer.h"
#include "tools/common/trace_region.h"

enum { ROWS_MOST = 64, COLUMNS = 1000, NODES_MOST = 50000 };

/* A call path of the picture. */
struct node {
	uint32_t region;			/* id */
	int32_t parent, first_child, sibling;	/* -1: none */
};

/* A thread of the picture. */
struct row {
	uint32_t filled;		/* number of cells that are known */
	int32_t cells[COLUMNS];		/* by column: node, or -1 */
};

struct picture {
	struct fathom_otf2_archive trace;
	struct fathom_otf2_stacks stacks;
	int32_t *row_of;		/* by location; -1: it is not in the picture */
	uint32_t *locations;		/* by row: index */
	struct row *rows;
	uint32_t row_count, thread_count;
	double begin, end;		/* of the picture, in ticks of the trace */
	struct node *nodes;
	uint32_t node_count;
	size_t node_room;
	int32_t first_root;
};

/* --- call paths ------------------------------------------------------------------------------------------ */

/* Returns the child of a node for a region, and makes it if necessary; of parent -1, the root. With too many nodes,
 * returns parent. */
static int32_t child_of(struct picture *picture, int32_t parent, uint32_t region)
{
	int32_t *first = parent < 0 ? &picture->first_root : &picture->nodes[parent].first_child;
	int32_t made = (int32_t)picture->node_count, next = *first;

	for (int32_t child = next; child >= 0; child = picture->nodes[child].sibling)
		if (picture->nodes[child].region == region)
			return child;
	if (picture->node_count >= NODES_MOST)
		return parent;
	*first = made;
	picture->nodes = fathom_tool_grow(picture->nodes, picture->node_count, &picture->node_room,
					  sizeof(*picture->nodes));
	picture->nodes[picture->node_count++] = (struct node){ region, parent, -1, next };
	return made;
}

/* Returns the call path of what a location works on now, from the outermost team on; -1: nothing. */
static int32_t call_path_of(struct picture *picture, uint32_t location)
{
	const struct fathom_otf2_thread *thread = &picture->stacks.threads[location];
	int32_t node = -1;

	for (uint32_t t = 0; t < thread->team_count; t++) {
		const struct fathom_otf2_team *team = &thread->teams[t];
		const struct fathom_otf2_stack *stack = team->task ? &team->task->stack : &team->stack;

		for (uint32_t i = 0; i < stack->count; i++)
			node = child_of(picture, node, stack->regions[i]);
	}
	return node;
}

/* --- cells ---------------------------------------------------------------------------------------------- */

static double middle_of(const struct picture *picture, uint32_t column)
{
	return picture->begin + (column + 0.5) * (picture->end - picture->begin) / COLUMNS;
}

/* Fills the cells of a location whose middle is before time with what the location has worked on until then. */
static void fill_until(struct picture *picture, uint32_t location, double time)
{
	struct row *row = picture->row_of[location] < 0 ? NULL : &picture->rows[picture->row_of[location]];
	int32_t node;

	if (!row || row->filled == COLUMNS || middle_of(picture, row->filled) >= time)
		return;
	node = call_path_of(picture, location);
	while (row->filled < COLUMNS && middle_of(picture, row->filled) < time)
		row->cells[row->filled++] = node;
}

static uint32_t region_of(const struct picture *picture, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_plain *context;

	if (event->kind == FATHOM_RECORD_ENTER)
		return (uint32_t)event->ref;
	context = fathom_otf2_find(&picture->trace.defs, FATHOM_OTF2_CONTEXT, event->ref);
	return context ? context->number : OTF2_UNDEFINED_REGION;
}

static void take_task(struct picture *picture, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_location *location =
		fathom_otf2_at(&picture->trace.defs, FATHOM_OTF2_LOCATION, event->location);
	struct fathom_otf2_task *task = fathom_otf2_stacks_task(&picture->stacks, location->process, event);

	if (event->kind == FATHOM_RECORD_THREAD_TASK_SWITCH)
		fathom_otf2_stacks_switch(&picture->stacks, event->location, task);
	else if (task)
		fathom_otf2_stacks_complete(&picture->stacks, event->location, task);
}

static bool take(void *taker, const struct fathom_otf2_event *event)
{
	struct picture *picture = taker;
	struct fathom_otf2_stack *stack;

	fill_until(picture, event->location, (double)event->time);
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
		fathom_otf2_stack_push(fathom_otf2_stack_of(&picture->stacks, event->location),
				       region_of(picture, event));
		break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
		stack = fathom_otf2_stack_of(&picture->stacks, event->location);
		stack->count -= stack->count > 0;
		break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		fathom_otf2_stacks_enter_team(&picture->stacks, event->location, event->ref);
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		fathom_otf2_stacks_leave_team(&picture->stacks, event->location);
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE:
		take_task(picture, event);
		break;
	default:
		break;
	}
	return true;
}

/* Chooses the threads of the picture: all, or as many as there are rows, spread evenly. */
static void choose_rows(struct picture *picture)
{
	const struct fathom_otf2_defs *defs = &picture->trace.defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	uint32_t *threads = fathom_tool_alloc(count + 1, sizeof(*threads));

	picture->row_of = fathom_tool_alloc(count + 1, sizeof(*picture->row_of));
	for (size_t l = 0; l < count; l++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l);

		picture->row_of[l] = -1;
		if (location->events && location->type == OTF2_LOCATION_TYPE_CPU_THREAD)
			threads[picture->thread_count++] = (uint32_t)l;
	}
	picture->row_count = picture->thread_count < ROWS_MOST ? picture->thread_count : ROWS_MOST;
	picture->rows = fathom_tool_alloc(picture->row_count + (size_t)1, sizeof(*picture->rows));
	picture->locations = fathom_tool_alloc(picture->row_count + (size_t)1, sizeof(*picture->locations));
	for (uint32_t r = 0; r < picture->row_count; r++) {
		uint32_t thread = (uint32_t)((uint64_t)r * picture->thread_count / picture->row_count);

		picture->locations[r] = threads[thread];
		picture->row_of[threads[thread]] = (int32_t)r;
	}
	free(threads);
}

/* Reads the events and fills all cells. 0, or -errno with a line in trace.error. */
static int draw(struct picture *picture, double last_seconds)
{
	const struct fathom_otf2_defs *defs = &picture->trace.defs;
	double length = (double)defs->length, per_second = defs->resolution ? (double)defs->resolution : 1e9;
	int err;

	choose_rows(picture);
	picture->begin = (double)defs->offset;
	picture->end = picture->begin + (length > 0 ? length : 1);
	if (last_seconds > 0 && last_seconds * per_second < length)
		picture->begin = picture->end - last_seconds * per_second;
	picture->first_root = -1;
	fathom_otf2_stacks_init(&picture->stacks, defs);
	err = fathom_otf2_read_events(&picture->trace, NULL, take, picture);
	for (uint32_t r = 0; r < picture->row_count && !err; r++)
		fill_until(picture, picture->locations[r], picture->end + 1);
	fathom_otf2_stacks_fini(&picture->stacks);
	return err;
}

/* --- the member ----------------------------------------------------------------------------------------- */

static json_t *describe_cells(const struct row *row)
{
	json_t *list = json_array();

	for (uint32_t column = 0, next; column < COLUMNS; column = next) {
		for (next = column + 1; next < COLUMNS && row->cells[next] == row->cells[column]; next++)
			;
		json_array_append_new(list, json_integer(row->cells[column]));
		json_array_append_new(list, json_integer(next - column));
	}
	return list;
}

/* Adds the members regions and nodes. Regions are numbered in the order in which the nodes name them. */
static void add_nodes(json_t *object, const struct picture *picture)
{
	const struct fathom_otf2_defs *defs = &picture->trace.defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_REGION);
	json_t *names = json_array(), *paradigms = json_array(), *regions = json_array(), *parents = json_array();
	int32_t *numbers = fathom_tool_alloc(count + 1, sizeof(*numbers));

	memset(numbers, -1, (count + 1) * sizeof(*numbers));
	for (uint32_t n = 0; n < picture->node_count; n++) {
		int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_REGION, picture->nodes[n].region);
		size_t place = index < 0 ? count : (size_t)index;

		if (numbers[place] < 0) {
			struct fathom_cube_region words = { .name = "?", .paradigm = "unknown" };

			if (index >= 0)
				words = fathom_otf2_region_words(&picture->trace,
								 fathom_otf2_at(defs, FATHOM_OTF2_REGION, place));
			numbers[place] = (int32_t)json_array_size(names);
			json_array_append_new(names, fathom_json_text(words.name));
			json_array_append_new(paradigms, fathom_json_text(words.paradigm));
		}
		json_array_append_new(regions, json_integer(numbers[place]));
		json_array_append_new(parents, json_integer(picture->nodes[n].parent));
	}
	free(numbers);
	json_object_set_new(object, "regions", json_pack("{s:o, s:o}", "name", names, "paradigm", paradigms));
	json_object_set_new(object, "nodes", json_pack("{s:o, s:o}", "region", regions, "parent", parents));
}

static json_t *row_name(const struct picture *picture, uint32_t location)
{
	const struct fathom_otf2_defs *defs = &picture->trace.defs;
	const struct fathom_otf2_location *thread = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, location);
	const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, thread->process);
	char of_process[256] = "", of_thread[256], text[520];

	if (process)
		fathom_otf2_name(defs, FATHOM_OTF2_PROCESS, process->id, of_process, sizeof(of_process));
	fathom_otf2_name(defs, FATHOM_OTF2_LOCATION, thread->id, of_thread, sizeof(of_thread));
	snprintf(text, sizeof(text), "%s%s%s", of_process, *of_process ? " " : "", of_thread);
	return fathom_json_text(text);
}

static json_t *describe(const struct picture *picture)
{
	const struct fathom_otf2_defs *defs = &picture->trace.defs;
	json_t *object = json_object(), *rows = json_array(), *cells = json_array();
	double offset = (double)defs->offset;

	json_object_set_new(object, "begin", json_real(fathom_otf2_seconds(defs, picture->begin - offset)));
	json_object_set_new(object, "end", json_real(fathom_otf2_seconds(defs, picture->end - offset)));
	json_object_set_new(object, "length", json_real(fathom_otf2_seconds(defs, (double)defs->length)));
	json_object_set_new(object, "columns", json_integer(COLUMNS));
	json_object_set_new(object, "threads", json_integer(picture->thread_count));
	for (uint32_t r = 0; r < picture->row_count; r++) {
		json_array_append_new(rows, row_name(picture, picture->locations[r]));
		json_array_append_new(cells, describe_cells(&picture->rows[r]));
	}
	json_object_set_new(object, "rows", rows);
	json_object_set_new(object, "cells", cells);
	add_nodes(object, picture);
	return object;
}

json_t *fathom_page_trace(const char *profile, double last_seconds)
{
	char anchor[PATH_MAX];
	struct picture *picture;
	json_t *object = NULL;
	int err;

	if (!fathom_experiment_trace_of(profile, anchor))
		return json_null();
	picture = fathom_tool_alloc(1, sizeof(*picture));
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	err = fathom_otf2_open(&picture->trace, anchor);
	if (!err)
		err = fathom_otf2_read_definitions(&picture->trace, NULL);
	if (!err)
		err = draw(picture, last_seconds);
	if (err)
		fathom_tool_error("%s", picture->trace.error);
	else
		object = describe(picture);
	fathom_otf2_close(&picture->trace);
	free(picture->row_of);
	free(picture->locations);
	free(picture->rows);
	free(picture->nodes);
	free(picture);
	return object;
}
