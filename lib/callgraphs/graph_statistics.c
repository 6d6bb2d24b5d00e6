/*
 * A node whose calls are wholly inside the interval gets a weight, their number; only the calls that the borders of the
 * interval cut are opened, so there are few of them. Then the weights are passed on, from the outer nodes to the inner
 * ones: a node stands for as many calls as all nodes that contain it together. Nodes have larger numbers than those in
 * them, so one pass over the numbers is enough. The copies of an item that is repeated are taken together, except for
 * those that a border cuts. The time between the items of a list belongs to the region of the call around the list.
 *
 * Inclusive times of a region that may contain itself are computed for that region alone, from the inner nodes to the
 * outer ones: those of a node that is no call of the region are the sum over its items.
 */
#include "callgraphs/graph_statistics.h"

#include <stdlib.h>

#include "otf2/entry_table.h"
#include "otf2/memory.h"

#define NO_REGION UINT32_MAX	/* the root of a location; a list */

struct region_index {
	struct fathom_table_entry entry;	/* found by id */
	uint32_t index;
};

struct cut_call {		/* a call or list that a border of the interval cuts */
	uint32_t node, next;	/* next: item */
	uint32_t done;		/* copies of this item that were taken already */
	uint32_t region;	/* of the call, or of the call around the list: index in regions, or NO_REGION */
	uint64_t begin, time;	/* of its enter, of the end of its last item */
};

struct counting {
	const struct fathom_call_graph *graph;
	uint64_t from, to;
	struct fathom_region_statistics *regions;
	size_t region_count, region_room;
	uint32_t *node_regions;		/* by node: index in regions */
	uint64_t *weights;		/* by node: calls that are wholly inside the interval */
	uint64_t *between;		/* by node: ticks between its items and those of lists in it, once */
	struct cut_call *calls;
	size_t call_count, call_room;
};

/* --- regions ----------------------------------------------------------------------------------------- */

/* Makes a table with the region of each calling context, by id of the context. */
static void find_contexts(struct fathom_table *contexts, const struct fathom_definition_list *definitions)
{
	fathom_table_init(contexts, sizeof(struct region_index));
	for (size_t i = 0; i < definitions->count; i++) {
		const struct fathom_definition *record = &definitions->records[i];

		if (record->kind == FATHOM_DEFINITION_CONTEXT &&
		    !fathom_table_find(contexts, record->fields[0], 0, 0))
			((struct region_index *)fathom_table_add(contexts, record->fields[0], 0, 0))->index =
				(uint32_t)record->fields[1];
	}
}

/* Returns the ticks between the items of a node and between those of the lists in it, whose ticks are known. */
static uint64_t time_between(const struct counting *counting, uint32_t n)
{
	const struct fathom_call_graph *graph = counting->graph;
	const struct fathom_graph_node *node = &graph->nodes[n];
	uint64_t ticks = node->duration;

	for (uint32_t i = 0; i < node->count; i++) {
		const struct fathom_graph_item *item = &graph->items[node->first + i];

		if (!item->is_call)
			continue;
		ticks -= item->count * graph->nodes[item->number].duration;
		if (!graph->nodes[item->number].enter)
			ticks += item->count * counting->between[item->number];
	}
	return ticks;
}

/* Finds the region of each node. */
static void find_regions(struct counting *counting)
{
	const struct fathom_call_graph *graph = counting->graph;
	struct fathom_table contexts, regions;

	find_contexts(&contexts, &graph->definitions);
	fathom_table_init(&regions, sizeof(struct region_index));
	for (uint32_t n = 1; n < graph->node_count; n++) {
		uint32_t enter = graph->nodes[n].enter;
		uint64_t id = enter ? fathom_graph_record_ref(graph, enter) : 0;
		struct region_index *region;

		counting->node_regions[n] = NO_REGION;
		counting->between[n] = time_between(counting, n);
		if (!enter)
			continue;
		if (fathom_graph_record_kind(graph, enter) == FATHOM_RECORD_CALLING_CONTEXT_ENTER) {
			const struct region_index *context = fathom_table_find(&contexts, id, 0, 0);

			id = context ? context->index : OTF2_UNDEFINED_REGION;
		}
		region = fathom_table_find(&regions, id, 0, 0);
		if (!region) {
			region = fathom_table_add(&regions, id, 0, 0);
			region->index = (uint32_t)counting->region_count;
			counting->regions = fathom_otf2_memory_grow(counting->regions, counting->region_count,
								    &counting->region_room,
								    sizeof(*counting->regions));
			counting->regions[counting->region_count++] = (struct fathom_region_statistics){ .region = id };
		}
		counting->node_regions[n] = region->index;
	}
	fathom_table_fini(&contexts);
	fathom_table_fini(&regions);
}

/* --- the calls that are cut -------------------------------------------------------------------------- */

static uint64_t overlap(const struct counting *counting, uint64_t begin, uint64_t end)
{
	begin = begin > counting->from ? begin : counting->from;
	end = end < counting->to ? end : counting->to;
	return end > begin ? end - begin : 0;
}

static bool is_inside(const struct counting *counting, uint64_t begin, uint64_t end)
{
	return begin >= counting->from && end < counting->to;
}

/* Opens a call or list, which begins at that time in a call of a region. */
static void open_call(struct counting *counting, uint32_t node, uint64_t begin, uint32_t region)
{
	if (counting->graph->nodes[node].enter)
		region = counting->node_regions[node];
	counting->calls = fathom_otf2_memory_grow(counting->calls, counting->call_count, &counting->call_room,
						  sizeof(*counting->calls));
	counting->calls[counting->call_count++] = (struct cut_call){ node, 0, 0, region, begin, begin };
}

static void add_exclusive(struct counting *counting, uint32_t region, uint64_t ticks)
{
	if (region != NO_REGION)
		counting->regions[region].exclusive += ticks;
}

/* Takes a call that begins at that time and is not wholly inside: opens it if it is cut. region: around the call. */
static void take_call(struct counting *counting, uint32_t node, uint64_t begin, uint32_t region)
{
	uint64_t end = begin + counting->graph->nodes[node].duration;

	if (end < counting->from || begin >= counting->to)
		return;
	if (counting->graph->nodes[node].enter) {
		struct fathom_region_statistics *its = &counting->regions[counting->node_regions[node]];

		its->visits += begin >= counting->from && begin < counting->to;
		its->inclusive += overlap(counting, begin, end);
	}
	open_call(counting, node, begin, region);
}

/* Takes the next copy of an item of a cut call, or more copies at once if they are wholly outside of the interval or
 * wholly inside. Returns their number; *inside becomes that of the copies inside. */
static uint32_t take_copies(const struct counting *counting, struct cut_call *call,
			    const struct fathom_graph_item *item, uint32_t *inside)
{
	uint64_t ticks = fathom_graph_item_ticks(counting->graph, item), begin = call->time, copies = 1;
	uint32_t rest = item->count - call->done;

	if (begin >= counting->to || !ticks)
		copies = rest;
	else if (begin < counting->from)
		copies = (counting->from - 1 - begin) / ticks;
	else
		copies = (counting->to - 1 - begin) / ticks;
	copies = copies < rest ? copies : rest;
	*inside = begin >= counting->from && begin < counting->to ? (uint32_t)copies : 0;
	copies = copies ? copies : 1;
	call->done += (uint32_t)copies;
	call->time += copies * ticks;
	if (call->done == item->count) {
		call->next++;
		call->done = 0;
	}
	return (uint32_t)copies;
}

/* Counts the calls of a location that are cut, and weighs those that are not. */
static void count_location(struct counting *counting, const struct fathom_graph_location *location)
{
	const struct fathom_call_graph *graph = counting->graph;

	if (is_inside(counting, location->begin, location->begin + graph->nodes[location->root].duration)) {
		counting->weights[location->root]++;
		return;
	}
	take_call(counting, location->root, location->begin, NO_REGION);
	while (counting->call_count) {
		struct cut_call *call = &counting->calls[counting->call_count - 1];
		const struct fathom_graph_node *node = &graph->nodes[call->node];
		const struct fathom_graph_item *item = &graph->items[node->first + call->next];
		uint64_t before = call->time;
		uint32_t region = call->region, inside, copies;

		if (call->next == node->count) {
			add_exclusive(counting, region, overlap(counting, before, call->begin + node->duration));
			counting->call_count--;
			continue;
		}
		copies = take_copies(counting, call, item, &inside);
		if (inside) {
			add_exclusive(counting, region, inside * item->gap);
			if (item->is_call)
				counting->weights[item->number] += inside;
			if (item->is_call && !graph->nodes[item->number].enter)
				add_exclusive(counting, region, inside * counting->between[item->number]);
		} else if (copies == 1) {
			add_exclusive(counting, region, overlap(counting, before, before + item->gap));
			if (item->is_call)
				take_call(counting, item->number, before + item->gap, region);
		}
	}
}

/* --- the calls that are inside ----------------------------------------------------------------------- */

/* Passes the weights on to the inner nodes, and adds up visits and times. */
static void count_nodes(struct counting *counting)
{
	const struct fathom_call_graph *graph = counting->graph;

	for (size_t n = graph->node_count; n-- > 1;) {
		const struct fathom_graph_node *node = &graph->nodes[n];
		uint64_t weight = counting->weights[n];

		if (!weight)
			continue;
		for (uint32_t i = 0; i < node->count; i++) {
			const struct fathom_graph_item *item = &graph->items[node->first + i];

			if (!item->is_call)
				continue;
			counting->weights[item->number] += weight * item->count;
		}
		if (counting->node_regions[n] != NO_REGION) {
			struct fathom_region_statistics *region = &counting->regions[counting->node_regions[n]];

			region->visits += weight;
			region->exclusive += weight * counting->between[n];
			region->inclusive += weight * node->duration;
		}
	}
}

/* --- regions that contain themselves ----------------------------------------------------------------- */

/* Returns for each node the time in calls of the region; where they contain each other, in the outermost ones. */
static void time_in_region(const struct counting *counting, uint32_t region, uint64_t *times)
{
	const struct fathom_call_graph *graph = counting->graph;

	for (size_t n = 1; n < graph->node_count; n++) {
		const struct fathom_graph_node *node = &graph->nodes[n];

		times[n] = counting->node_regions[n] == region ? node->duration : 0;
		for (uint32_t i = 0; i < node->count && counting->node_regions[n] != region; i++) {
			const struct fathom_graph_item *item = &graph->items[node->first + i];

			times[n] += item->is_call ? item->count * times[item->number] : 0;
		}
	}
}

/* Returns the time of a location in the outermost calls of a region. */
static uint64_t inclusive_time(struct counting *counting, const struct fathom_graph_location *location, uint32_t region,
			       const uint64_t *times)
{
	const struct fathom_call_graph *graph = counting->graph;
	uint64_t sum = 0;

	open_call(counting, location->root, location->begin, NO_REGION);
	while (counting->call_count) {
		struct cut_call *call = &counting->calls[counting->call_count - 1];
		const struct fathom_graph_node *node = &graph->nodes[call->node];
		const struct fathom_graph_item *item = &graph->items[node->first + call->next];
		uint64_t before = call->time, begin, end;
		uint32_t inside, copies;

		if (call->next == node->count) {
			counting->call_count--;
			continue;
		}
		copies = take_copies(counting, call, item, &inside);
		if (!item->is_call)
			continue;
		begin = before + item->gap;
		end = begin + graph->nodes[item->number].duration;
		if (inside)
			sum += inside * times[item->number];
		else if (copies == 1 && counting->node_regions[item->number] == region)
			sum += overlap(counting, begin, end);
		else if (copies == 1 && end >= counting->from && begin < counting->to)
			open_call(counting, item->number, begin, NO_REGION);
	}
	return sum;
}

/* Marks in contains[n] the nodes that contain a call of the region. Returns whether a call of the region does. */
static bool contains_itself(const struct counting *counting, uint32_t region, bool *contains)
{
	const struct fathom_call_graph *graph = counting->graph;

	for (size_t n = 1; n < graph->node_count; n++) {
		const struct fathom_graph_node *node = &graph->nodes[n];

		contains[n] = false;
		for (uint32_t i = 0; i < node->count && !contains[n]; i++) {
			const struct fathom_graph_item *item = &graph->items[node->first + i];

			contains[n] = item->is_call && (contains[item->number] ||
							counting->node_regions[item->number] == region);
		}
		if (contains[n] && counting->node_regions[n] == region)
			return true;
	}
	return false;
}

static void correct_inclusive_times(struct counting *counting)
{
	const struct fathom_call_graph *graph = counting->graph;
	uint64_t *times = fathom_otf2_memory_alloc(graph->node_count, sizeof(*times));
	bool *contains = fathom_otf2_memory_alloc(graph->node_count, sizeof(*contains));

	for (uint32_t r = 0; r < counting->region_count; r++) {
		if (!contains_itself(counting, r, contains))
			continue;
		time_in_region(counting, r, times);
		counting->regions[r].inclusive = 0;
		for (size_t i = 0; i < graph->location_count; i++)
			counting->regions[r].inclusive += inclusive_time(counting, &graph->locations[i], r, times);
	}
	free(times);
	free(contains);
}

/* --- the result -------------------------------------------------------------------------------------- */

static int by_exclusive(const void *a, const void *b)
{
	const struct fathom_region_statistics *x = a, *y = b;

	if (x->exclusive != y->exclusive)
		return x->exclusive < y->exclusive ? 1 : -1;
	return x->region < y->region ? -1 : x->region > y->region;
}

void fathom_graph_statistics_make(struct fathom_graph_statistics *statistics, const struct fathom_call_graph *graph,
				  uint64_t from, uint64_t to)
{
	struct counting counting = { .graph = graph, .from = from, .to = to };

	counting.node_regions = fathom_otf2_memory_alloc(graph->node_count, sizeof(uint32_t));
	counting.weights = fathom_otf2_memory_alloc(graph->node_count, sizeof(uint64_t));
	counting.between = fathom_otf2_memory_alloc(graph->node_count, sizeof(uint64_t));
	find_regions(&counting);
	for (size_t i = 0; i < graph->location_count; i++)
		count_location(&counting, &graph->locations[i]);
	count_nodes(&counting);
	correct_inclusive_times(&counting);
	if (counting.region_count)
		qsort(counting.regions, counting.region_count, sizeof(*counting.regions), by_exclusive);
	while (counting.region_count && !counting.regions[counting.region_count - 1].exclusive &&
	       !counting.regions[counting.region_count - 1].visits &&
	       !counting.regions[counting.region_count - 1].inclusive)
		counting.region_count--;
	*statistics = (struct fathom_graph_statistics){ counting.regions, counting.region_count };
	free(counting.node_regions);
	free(counting.weights);
	free(counting.between);
	free(counting.calls);
}
