#include "rebuild.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "define/metric.h"
#include "define/region.h"
#include "define/topology.h"
#include "event/location.h"
#include "event/teams/tasks.h"
#include "profile/recording/callpath.h"
#include "profile/recording/iteration_clusters.h"
#include "profile/recording/partners.h"
#include "tools/common/command.h"

/* An object of the process, and the object that was made of it here. */
struct made {
	uint64_t address;	/* address in the process; 0: the entry is free */
	void *object;
};

struct map {
	struct made *table;	/* hash table with open addressing */
	size_t size, count;	/* entries; size is a power of two, or 0 */
};

struct rebuild {
	const struct copy *copy;
	enum rebuild_for result;
	struct map regions, metrics, nodes, locations;
	uint64_t *addresses;	/* addresses of the locations in the process, the newest first */
	size_t location_count, room;
	const struct fathom_region *unknown;
};

/* A node whose children are not made yet. */
struct open_node {
	struct fathom_node *node;
	uint64_t first_child;
};

/* --- objects by address --------------------------------------------------------------------- */

static struct made *place_in(const struct map *map, uint64_t address)
{
	size_t place = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (map->size - 1);

	while (map->table[place].address && map->table[place].address != address)
		place = (place + 1) & (map->size - 1);
	return &map->table[place];
}

static void *find(const struct map *map, uint64_t address)
{
	return map->size && address ? place_in(map, address)->object : NULL;
}

static void note(struct map *map, uint64_t address, void *object)
{
	struct map old = *map;

	if (map->count * 2 >= map->size) {
		map->size = old.size ? old.size * 2 : 1024;
		map->table = fathom_tool_alloc(map->size, sizeof(*map->table));
		for (size_t i = 0; i < old.size; i++)
			if (old.table[i].address)
				*place_in(map, old.table[i].address) = old.table[i];
		free(old.table);
	}
	*place_in(map, address) = (struct made){ address, object };
	map->count++;
}

/* --- regions and metrics ------------------------------------------------------------------------ */

static uint64_t address_of(const void *pointer)
{
	return (uintptr_t)pointer;
}

static const char *text_of(const struct rebuild *r, const char *pointer)
{
	return copy_text(r->copy, address_of(pointer));
}

/*
 * Reads a bool of the copy. In a damaged file its byte may be neither 0 nor 1, and C does not allow to read such a
 * byte as a bool.
 */
static bool flag_at(const bool *place)
{
	unsigned char byte;

	memcpy(&byte, place, sizeof(byte));
	return byte & 1;
}

static const struct fathom_region *make_region(const struct rebuild *r, const struct fathom_region *old)
{
	struct fathom_region spec = {
		.name = text_of(r, old->name),
		.canonical = text_of(r, old->canonical),
		.file = text_of(r, old->file),
		.module = text_of(r, old->module),
		.parameters = text_of(r, old->parameters),
		.offset = old->offset,
		.paradigm = old->paradigm < FATHOM_PARADIGM_COUNT ? old->paradigm : FATHOM_PARADIGM_UNKNOWN,
		.role = old->role < FATHOM_ROLE_COUNT ? old->role : FATHOM_ROLE_UNKNOWN,
		.activity = old->activity < FATHOM_ACTIVITY_COUNT ? old->activity : FATHOM_ACTIVITY_NONE,
		.is_of_profile = flag_at(&old->is_of_profile),
		.begin_line = old->begin_line,
		.end_line = old->end_line,
	};

	if (!spec.name && !spec.module)
		return r->unknown;
	return fathom_region_define(&spec);
}

/* Returns the region of the process with this id, and its address. NULL: the copy does not have it. */
static const struct fathom_region *old_region(const struct rebuild *r, uint64_t id, uint64_t *address)
{
	uint64_t place = r->copy->roots.region_chunks + id / FATHOM_REGION_CHUNK * sizeof(uint64_t);
	const uint64_t *chunk = copy_at(r->copy, place, sizeof(*chunk));

	*address = chunk ? *chunk + id % FATHOM_REGION_CHUNK * sizeof(struct fathom_region) : 0;
	return chunk ? copy_at(r->copy, *address, sizeof(struct fathom_region)) : NULL;
}

static const struct fathom_region *make_unknown(const char *name)
{
	const struct fathom_region spec = { .name = name, .paradigm = FATHOM_PARADIGM_MEASUREMENT,
					    .role = FATHOM_ROLE_ARTIFICIAL };

	return fathom_region_define(&spec);
}

static void make_regions(struct rebuild *r)
{
	r->unknown = make_unknown("(unknown)");
	for (uint64_t id = 0; id < r->copy->roots.region_count; id++) {
		uint64_t address;
		const struct fathom_region *old = old_region(r, id, &address), *made = NULL;

		if (old)
			made = make_region(r, old);
		if (made && !find(&r->regions, address))
			note(&r->regions, address, (void *)(uintptr_t)made);
	}
}

/* Makes the regions with the same ids as in the process, because events refer to the ids. A region that the copy does
 * not have gets an invented name. */
static void make_regions_in_place(struct rebuild *r)
{
	uint64_t count = r->copy->roots.region_count;

	for (uint64_t id = 0; id < count && id < UINT32_MAX; id++) {
		uint64_t address;
		const struct fathom_region *old = old_region(r, id, &address), *made = NULL;
		char name[64];

		if (old && (text_of(r, old->name) || text_of(r, old->module)))
			made = make_region(r, old);
		if (!made || made->id != id) {
			snprintf(name, sizeof(name), "(unknown region %llu)", (unsigned long long)id);
			made = make_unknown(name);
		}
		if (!made || made->id != id)
			break;
		r->unknown = made;
		if (address && !find(&r->regions, address))
			note(&r->regions, address, (void *)(uintptr_t)made);
	}
}

/* Makes the metrics. Counters are the first metrics, and values belong to them by their position. So if the copy lacks
 * one metric, the metrics behind it are left out, too. */
static void make_metrics(struct rebuild *r)
{
	const struct fathom_run_snapshot_roots *roots = &r->copy->roots;
	uint64_t count = roots->metric_count < FATHOM_METRIC_MOST ? roots->metric_count : FATHOM_METRIC_MOST;

	if (roots->metric_groups > 0 && roots->metric_groups <= FATHOM_METRIC_MOST_GROUPS)
		fathom_metric_set_group_count((uint32_t)roots->metric_groups);
	for (uint64_t id = 0; id < count; id++) {
		uint64_t address = roots->metrics + id * sizeof(struct fathom_metric);
		const struct fathom_metric *old = copy_at(r->copy, address, sizeof(*old)), *made;
		struct fathom_metric spec;

		if (!old)
			return;
		spec = *old;
		spec.is_process = flag_at(&old->is_process);
		spec.name = text_of(r, old->name);
		spec.unit = text_of(r, old->unit);
		spec.description = text_of(r, old->description);
		if (!spec.name || !spec.unit || !spec.description || spec.type > FATHOM_METRIC_GREATEST ||
		    spec.mode > FATHOM_METRIC_PART)
			return;
		made = spec.mode == FATHOM_METRIC_PART ? fathom_metric_named(spec.name, strlen(spec.name))
						       : fathom_metric_define(&spec);
		if (!made || made->id != id)
			return;
		note(&r->metrics, address, (void *)(uintptr_t)made);
	}
}

/* --- call paths ----------------------------------------------------------------------------------- */

static void fill_given(const struct rebuild *r, struct fathom_location *self, struct fathom_tally *tally,
		       uint64_t address)
{
	struct fathom_given **last = &tally->given;

	for (int i = 0; address && i < FATHOM_METRIC_MOST; i++) {
		const struct fathom_given *old = copy_at(r->copy, address, sizeof(*old));
		const struct fathom_metric *metric = old ? find(&r->metrics, address_of(old->metric)) : NULL;
		struct fathom_given *given = metric ? fathom_arena_alloc(&self->arena, sizeof(*given)) : NULL;

		if (!given)
			return;
		*given = (struct fathom_given){ .metric = metric, .sum = old->sum, .count = old->count };
		*last = given;
		last = &given->next;
		address = address_of(old->next);
	}
}

static void fill_tally(const struct rebuild *r, struct fathom_location *self, struct fathom_node *node,
		       uint64_t address)
{
	uint32_t count = fathom_metric_strict_count();
	const struct fathom_tally *old = copy_at(r->copy, address, sizeof(*old) + count * sizeof(*old->metered));
	struct fathom_tally *tally = node->tally;

	if (!old)
		return;
	if (!tally)
		tally = fathom_callpath_make_tally(self, node);
	if (!tally)
		return;
	memcpy(tally->counters, old->counters, sizeof(tally->counters));
	memcpy(tally->metered, old->metered, count * sizeof(*tally->metered));
	fill_given(r, self, tally, address_of(old->given));
}

static void fill_node(struct rebuild *r, struct fathom_location *self, struct fathom_node *node, uint64_t address,
		      const struct fathom_node *old)
{
	node->visits = old->visits;
	node->inclusive_ticks = old->inclusive_ticks;
	node->min_ticks = old->min_ticks;
	node->max_ticks = old->max_ticks;
	node->in_tasks = old->in_tasks;
	node->is_series = old->is_series;
	node->is_iteration = old->is_iteration;
	node->in_series = old->in_series;
	if (old->tally)
		fill_tally(r, self, node, address_of(old->tally));
	note(&r->nodes, address, node);
}

/* Makes a node, which has no parent yet. NULL: the copy does not have it, or it has been made already. */
static struct fathom_node *make_node(struct rebuild *r, struct fathom_location *self, uint64_t address)
{
	const struct fathom_node *old = copy_at(r->copy, address, sizeof(*old));
	const struct fathom_region *region = old ? find(&r->regions, address_of(old->region)) : NULL;
	struct fathom_iteration_tree *tree;
	struct fathom_node *node;

	if (!region || find(&r->nodes, address))
		return NULL;
	if (old->is_iteration) {	/* the node is the first member of a struct fathom_iteration_tree */
		tree = fathom_arena_alloc(&self->arena, sizeof(*tree));
		node = tree ? &tree->node : NULL;
		if (node)
			fathom_callpath_init_node(node, region);
		if (node && !fathom_callpath_has_tally(self, node))
			node = NULL;
	} else {
		node = fathom_callpath_create(self, region);
	}
	if (node)
		fill_node(r, self, node, address, old);
	return node;
}

/* Makes all nodes below top, which has been made. */
static void make_below(struct rebuild *r, struct fathom_location *self, struct fathom_node *top, uint64_t first_child)
{
	size_t depth = 0, room = 0;
	struct open_node *stack = fathom_tool_grow(NULL, 0, &room, sizeof(*stack));

	stack[depth++] = (struct open_node){ top, first_child };
	while (depth) {
		struct open_node open = stack[--depth];
		uint64_t *children = NULL, address = open.first_child;
		size_t count = 0, children_room = 0;
		const struct fathom_node *old;

		/* The list begins with the newest child. The children are made in the order in which the process made
		 * them. */
		while ((old = copy_at(r->copy, address, sizeof(*old))) && !find(&r->nodes, address) &&
		       count <= r->copy->roots.region_count + FATHOM_ITERATION_CHUNK * FATHOM_MOST_ITERATION_CHUNKS) {
			children = fathom_tool_grow(children, count, &children_room, sizeof(*children));
			children[count++] = address;
			address = address_of(old->sibling);
		}
		while (count) {
			struct fathom_node *node = make_node(r, self, children[--count]);

			if (!node)
				continue;
			fathom_callpath_adopt(self, open.node, node);
			old = copy_at(r->copy, children[count], sizeof(*old));
			stack = fathom_tool_grow(stack, depth, &room, sizeof(*stack));
			stack[depth++] = (struct open_node){ node, address_of(old->first_child) };
		}
		free(children);
	}
	free(stack);
}

static struct fathom_node *make_tree(struct rebuild *r, struct fathom_location *self, uint64_t address)
{
	struct fathom_node *top = make_node(r, self, address);
	const struct fathom_node *old = copy_at(r->copy, address, sizeof(*old));

	if (top)
		make_below(r, self, top, address_of(old->first_child));
	return top;
}

/* Makes the thread's anchor nodes, which stand for call paths of other threads. find_origins finds these call paths
 * later. */
static void make_anchors(struct rebuild *r, struct fathom_location *self, struct fathom_callpaths *paths,
			 uint64_t address)
{
	struct fathom_anchor_node **last = &paths->anchors;
	const struct fathom_anchor_node *old;

	for (; (old = copy_at(r->copy, address, sizeof(*old))) && !find(&r->nodes, address);
	     address = address_of(old->next)) {
		const struct fathom_region *region = find(&r->regions, address_of(old->node.region));
		struct fathom_anchor_node *anchor = fathom_arena_alloc(&self->arena, sizeof(*anchor));

		if (!anchor)
			return;
		fathom_callpath_init_node(&anchor->node, region ? region : r->unknown);
		if (!fathom_callpath_has_tally(self, &anchor->node))
			return;
		anchor->node.is_anchor = true;
		anchor->node.in_tasks = old->node.in_tasks;
		anchor->iteration = old->iteration;
		/* the address in the process; find_origins replaces it */
		anchor->origin = (struct fathom_node *)old->origin;
		note(&r->nodes, address, anchor);
		make_below(r, self, &anchor->node, address_of(old->node.first_child));
		*last = anchor;
		last = &anchor->next;
	}
}

static struct fathom_node *above(const struct fathom_node *node)
{
	return node->is_anchor ? ((const struct fathom_anchor_node *)node)->origin : node->parent;
}

/* Returns whether the chain of parents of a node has an end. */
static bool has_end(const struct fathom_node *node)
{
	enum { MOST_STEPS = 1000000 };
	int steps = 0;

	while (node && steps++ < MOST_STEPS)
		node = above(node);
	return !node;
}

static void find_origins(struct rebuild *r)
{
	for (struct fathom_location *self = fathom_location_newest(); self; self = self->next) {
		const struct fathom_callpaths *paths = self->substrate_data;

		for (struct fathom_anchor_node *anchor = paths->anchors; anchor; anchor = anchor->next)
			anchor->origin = find(&r->nodes, address_of(anchor->origin));
	}
	for (struct fathom_location *self = fathom_location_newest(); self; self = self->next) {
		const struct fathom_callpaths *paths = self->substrate_data;

		for (struct fathom_anchor_node *anchor = paths->anchors; anchor; anchor = anchor->next)
			if (!has_end(&anchor->node))
				anchor->origin = NULL;
	}
}

/* --- phases --------------------------------------------------------------------------------------- */

/* Makes ordinary nodes of a series and its iterations, which are merged afterwards. */
static void make_plain(struct fathom_node *node)
{
	node->is_series = false;
	for (struct fathom_node *child = node->first_child; child; child = child->sibling)
		child->is_iteration = false;
}

static bool make_iterations(const struct rebuild *r, struct fathom_location *self, struct fathom_series *series,
			    const struct fathom_series *old)
{
	enum { MOST = FATHOM_ITERATION_CHUNK * FATHOM_MOST_ITERATION_CHUNKS };

	for (uint32_t i = 0; i < old->iteration_count && i < MOST; i++) {
		struct fathom_iteration **chunk = &series->chunks[i / FATHOM_ITERATION_CHUNK];
		uint64_t address = address_of(old->chunks[i / FATHOM_ITERATION_CHUNK]) +
				   i % FATHOM_ITERATION_CHUNK * sizeof(**chunk);
		const struct fathom_iteration *iteration = copy_at(r->copy, address, sizeof(*iteration));

		if (!*chunk)
			*chunk = fathom_arena_alloc(&self->arena, FATHOM_ITERATION_CHUNK * sizeof(**chunk));
		if (!*chunk || !iteration || iteration->joined >= old->iteration_count ||
		    iteration->tree >= series->tree_count)
			return false;
		(*chunk)[i % FATHOM_ITERATION_CHUNK] = *iteration;
		series->iteration_count = i + 1;
	}
	return series->iteration_count == old->iteration_count;
}

/* Makes the list of the trees of a series. The trees are the children of its node and have been made with it. */
static bool make_trees(const struct rebuild *r, struct fathom_location *self, struct fathom_series *series,
		       const struct fathom_series *old)
{
	uint32_t count = 0;

	for (const struct fathom_node *child = series->node->first_child; child; child = child->sibling)
		count++;
	if (old->tree_count > count)
		return false;
	series->trees = fathom_arena_alloc(&self->arena, (old->tree_count + 1) * sizeof(*series->trees));
	for (uint32_t i = 0; series->trees && i < old->tree_count; i++) {
		const uint64_t *address = copy_at(r->copy, address_of(old->trees) + i * sizeof(*address),
						  sizeof(*address));
		const struct fathom_iteration_tree *from = address ? copy_at(r->copy, *address, sizeof(*from)) : NULL;
		struct fathom_node *node = from ? find(&r->nodes, *address) : NULL;
		struct fathom_iteration_tree *tree = (struct fathom_iteration_tree *)node;

		if (!node || node->parent != series->node || !node->is_iteration || tree->series ||
		    (from->iteration != FATHOM_NO_ITERATION && from->iteration >= old->iteration_count))
			return false;
		tree->series = series;
		tree->place = i;
		tree->iteration = from->iteration;
		tree->count = from->count;
		tree->structure = from->structure;
		memcpy(tree->sums, from->sums, sizeof(tree->sums));
		series->trees[i] = tree;
		series->tree_count = i + 1;
	}
	return series->trees && count == series->tree_count;
}

static void make_series(struct rebuild *r, struct fathom_location *self, struct fathom_callpaths *paths,
			uint64_t address)
{
	struct fathom_series **last = &paths->series;
	const struct fathom_series *old;

	for (int i = 0; (old = copy_at(r->copy, address, sizeof(*old))) && i < 1000000; i++) {
		struct fathom_node *node = find(&r->nodes, address_of(old->node));
		struct fathom_series *series = fathom_arena_alloc(&self->arena, sizeof(*series));

		if (!series)
			return;
		address = address_of(old->next);
		if (!node || !node->is_series)
			continue;
		series->node = node;
		series->is_clustered = flag_at(&old->is_clustered);
		memcpy(series->totals, old->totals, sizeof(series->totals));
		if (!make_trees(r, self, series, old) || !make_iterations(r, self, series, old)) {
			make_plain(node);
			continue;
		}
		*last = series;
		last = &series->next;
	}
}

/* Makes ordinary nodes of iterations whose series could not be made. */
static void settle_iterations(struct fathom_node *top)
{
	for (struct fathom_node *node = top; node; node = fathom_series_walk(top, node)) {
		bool has_series = node->first_child && node->first_child->is_iteration &&
				  ((struct fathom_iteration_tree *)node->first_child)->series;

		if (node->is_series && !has_series)
			make_plain(node);
		if (node->is_iteration && (!node->parent || !node->parent->is_series))
			node->is_iteration = false;
	}
}

/* --- threads -------------------------------------------------------------------------------------- */

/* Makes the frames from root to top. If the copy does not have them, the stack has the root frame alone. */
static void make_stack(const struct rebuild *r, struct fathom_location *self, struct fathom_stack *stack,
		       uint64_t root, uint64_t top)
{
	uint64_t count = top >= root ? (top - root) / sizeof(struct fathom_frame) + 1 : 1;
	const struct fathom_frame *old = copy_at(r->copy, root, count * sizeof(*old));
	struct fathom_frame *frames;

	if (!old || (top - root) % sizeof(*old))
		count = 1;
	frames = fathom_location_frames(self, count + 1);
	if (!frames) {
		fathom_tool_error("out of memory (%llu active regions)", (unsigned long long)count);
		exit(FATHOM_TOOL_FAILURE);
	}
	for (uint64_t i = 0; i < count; i++) {
		uint32_t flags = old ? old[i].flags : FATHOM_FRAME_PLACEHOLDER;

		frames[i].region = r->unknown;
		frames[i].flags = (flags & ~(uint32_t)FATHOM_FRAME_BOTTOM) | (i ? 0 : FATHOM_FRAME_BOTTOM);
		frames[i].enter_ticks = old ? old[i].enter_ticks : r->copy->roots.now_ticks;
		frames[i].node = old ? find(&r->nodes, address_of(old[i].node)) : NULL;
	}
	stack->root = frames;
	stack->top = frames + count - 1;
	stack->limit = stack->end = frames + count;
}

/* Stands for any explicit task: the result only depends on whether there is one. */
static struct fathom_task some_task;

/* Makes the teams that the location leads, from the innermost out, with the members that a result depends on. */
static struct fathom_team *make_teams(const struct rebuild *r, struct fathom_location *self, uint64_t address)
{
	struct fathom_team *first = NULL, **last = &first;
	const struct fathom_team *old;

	for (int i = 0; (old = copy_at(r->copy, address, sizeof(*old))) && i < 1000; i++) {
		struct fathom_team *team = fathom_arena_alloc(&self->arena, sizeof(*team));

		if (!team)
			break;
		team->end_ticks = old->end_ticks;
		if (old->outer_task) {
			team->outer_task = &some_task;
			make_stack(r, self, &team->outer_implicit, address_of(old->outer_implicit.root),
				   address_of(old->outer_implicit.top));
		}
		*last = team;
		last = &team->outer_leads;
		address = address_of(old->outer_leads);
	}
	return first;
}

static void make_topologies(const struct rebuild *r)
{
	const struct fathom_run_snapshot_roots *roots = &r->copy->roots;
	const struct fathom_topology *other;

	for (uint64_t i = 0; i < roots->topology_count && i < FATHOM_TOPOLOGY_MOST; i++) {
		uint64_t address = roots->topologies + i * sizeof(struct fathom_topology);
		const struct fathom_topology *old = copy_at(r->copy, address, sizeof(*old));
		struct fathom_topology spec;
		bool is_whole;

		if (!old || old->count > FATHOM_TOPOLOGY_MOST_DIMENSIONS)
			return;
		spec = *old;
		spec.name = text_of(r, old->name);
		is_whole = spec.name && spec.count;
		for (uint32_t d = 0; d < spec.count; d++) {
			spec.dimensions[d].name = text_of(r, old->dimensions[d].name);
			is_whole = is_whole && spec.dimensions[d].name && spec.dimensions[d].size;
		}
		if (!is_whole || !fathom_topology_define(&spec, &other) || fathom_topology_count() != i + 1)
			return;
	}
}

static void make_positions(const struct rebuild *r)
{
	const struct fathom_run_snapshot_roots *roots = &r->copy->roots;
	uint64_t address = roots->newest_position;
	const struct fathom_position *old;

	for (int i = 0; (old = copy_at(r->copy, address, sizeof(*old))) && i < 10000000; i++) {
		uint64_t offset = address_of(old->topology) - roots->topologies;
		uint64_t id = offset / sizeof(struct fathom_topology);
		const struct fathom_location *thread = find(&r->locations, address_of(old->thread));
		const struct fathom_topology *topology = NULL;
		bool is_inside = id < fathom_topology_count() && offset % sizeof(struct fathom_topology) == 0;

		address = address_of(old->next);
		if (is_inside)
			topology = fathom_topology_by_id((uint32_t)id);
		for (uint32_t d = 0; topology && d < topology->count; d++)
			is_inside = is_inside && old->at[d] < topology->dimensions[d].size;
		if (is_inside && (thread || !old->thread))
			fathom_topology_place(topology, thread, old->at);
	}
}

static void make_meter(const struct rebuild *r, struct fathom_location *self, uint64_t address)
{
	uint32_t count = fathom_metric_strict_count();
	uint64_t bytes = sizeof(struct fathom_meter) + count * sizeof(uint64_t);
	const struct fathom_meter *old = copy_at(r->copy, address, bytes);

	if (!count)
		return;
	self->meter = fathom_arena_alloc(&self->arena, bytes);
	if (!self->meter || !old)
		return;
	self->meter->count = old->count < count ? old->count : count;
	memcpy(self->meter->values, old->values, count * sizeof(*old->values));
}

/* Makes the partners of a location's messages. Partners that the copy does not have are left out. */
static void make_partners(const struct rebuild *r, struct fathom_location *self, struct fathom_callpaths *paths,
			  uint64_t address)
{
	const struct fathom_partners *old = address ? copy_at(r->copy, address, sizeof(*old)) : NULL;

	if (old && old->mask <= FATHOM_PARTNERS_MOST_MASK)
		old = copy_at(r->copy, address, sizeof(*old) + (old->mask + (uint64_t)1) * sizeof(*old->table));
	else
		old = NULL;
	if (old)
		fathom_partners_merge(&paths->partners, &self->arena, old);
}

/* Makes the call trees of a location. False: the copy does not have them. */
static bool make_callpaths(struct rebuild *r, struct fathom_location *self, const struct fathom_location *old)
{
	const struct fathom_callpaths *old_paths = copy_at(r->copy, address_of(old->substrate_data),
							   sizeof(*old_paths));
	struct fathom_callpaths *paths = old_paths ? fathom_arena_alloc(&self->arena, sizeof(*paths)) : NULL;

	if (!paths)
		return false;
	self->substrate_data = paths;
	paths->root = make_tree(r, self, address_of(old_paths->root));
	paths->unreported = fathom_callpath_create(self, r->unknown);
	if (!paths->root || !paths->unreported)
		return false;
	paths->tasks = make_tree(r, self, address_of(old_paths->tasks));
	make_anchors(r, self, paths, address_of(old_paths->anchors));
	make_series(r, self, paths, address_of(old_paths->series));
	settle_iterations(paths->root);
	if (paths->tasks)
		settle_iterations(paths->tasks);
	for (struct fathom_anchor_node *anchor = paths->anchors; anchor; anchor = anchor->next)
		settle_iterations(&anchor->node);
	make_partners(r, self, paths, address_of(old_paths->partners));
	make_meter(r, self, address_of(old->meter));
	return true;
}

/* Makes a location with the members that the result depends on. NULL: the copy does not have them. */
static struct fathom_location *make_location(struct rebuild *r, uint64_t address)
{
	const struct fathom_location *old = copy_at(r->copy, address, sizeof(*old));
	struct fathom_arena arena = { 0 };
	struct fathom_location *self;

	self = fathom_arena_alloc(&arena, (sizeof(*self) + FATHOM_CACHE_LINE - 1) & ~(size_t)(FATHOM_CACHE_LINE - 1));
	if (!self)
		return NULL;
	self->arena = arena;
	self->busy = FATHOM_BUSY_FOR_EVER;
	self->kind = old->kind < FATHOM_KIND_SCRATCH ? old->kind : FATHOM_KIND_FOREIGN;
	self->number = old->number;
	self->level = old->level;
	self->birth_ticks = old->birth_ticks;
	self->end_ticks = old->end_ticks;
	memcpy(self->dropped, old->dropped, sizeof(self->dropped));
	if (r->result == REBUILD_FOR_PROFILE && !make_callpaths(r, self, old))
		return NULL;
	note(&r->locations, address, self);
	return self;
}

/* Makes the frames of the active regions of the location. They may refer to call paths of other locations. */
static void make_active(struct rebuild *r, struct fathom_location *self, const struct fathom_location *old)
{
	const struct fathom_team *team = copy_at(r->copy, address_of(old->team), sizeof(*team));
	struct fathom_stack stack;

	make_stack(r, self, &stack, address_of(old->root), address_of(old->top));
	self->root = stack.root;
	self->top = stack.top;
	self->limit = stack.limit;
	self->end = stack.end;
	if (old->task) {
		self->task = &some_task;
		make_stack(r, self, &self->implicit, address_of(old->implicit.root), address_of(old->implicit.top));
	}
	if (team)
		self->team = fathom_arena_alloc(&self->arena, sizeof(*self->team));
	if (team && self->team)
		self->team->end_ticks = team->end_ticks;
	self->leads = make_teams(r, self, address_of(old->leads));
}

/* Makes the parts of a location that refer to other locations. */
static void finish_location(struct rebuild *r, uint64_t address)
{
	const struct fathom_location *old = copy_at(r->copy, address, sizeof(*old));
	struct fathom_location *self = find(&r->locations, address);

	self->leader = find(&r->locations, address_of(old->leader));
	/* The id of a leader is smaller than those of its workers. */
	if (self->kind == FATHOM_KIND_WORKER && (!self->leader || self->leader->id >= self->id))
		self->kind = FATHOM_KIND_FOREIGN;
	if (r->result == REBUILD_FOR_PROFILE)
		make_active(r, self, old);
}

static void list_locations(struct rebuild *r)
{
	const struct fathom_location *old;
	struct map listed = { 0 };

	for (uint64_t address = r->copy->roots.newest_location;
	     (old = copy_at(r->copy, address, sizeof(*old))) && !find(&listed, address);
	     address = address_of(old->next)) {
		note(&listed, address, r);
		r->addresses = fathom_tool_grow(r->addresses, r->location_count, &r->room, sizeof(*r->addresses));
		r->addresses[r->location_count++] = address;
	}
	free(listed.table);
}

/* For the functions below, which are called when rebuild has returned. */
static struct map made_locations;
static uint32_t made_regions;

int rebuild(const struct copy *copy, const char *path, enum rebuild_for result)
{
	struct rebuild r = { .copy = copy, .result = result };
	uint32_t count = 0;

	if (result == REBUILD_FOR_TRACE)
		make_regions_in_place(&r);
	else
		make_regions(&r);
	made_regions = fathom_region_count();
	make_metrics(&r);
	make_topologies(&r);
	list_locations(&r);
	for (size_t i = r.location_count; i--;) {
		struct fathom_location *self = make_location(&r, r.addresses[i]);

		if (!self)
			continue;
		self->id = count++;
		fathom_location_restore(self);
	}
	if (result == REBUILD_FOR_PROFILE)
		find_origins(&r);
	for (size_t i = r.location_count; i--;)
		if (find(&r.locations, r.addresses[i]))
			finish_location(&r, r.addresses[i]);
	make_positions(&r);
	free(r.regions.table);
	free(r.metrics.table);
	free(r.nodes.table);
	free(r.addresses);
	made_locations = r.locations;
	if (count)
		return 0;
	fathom_tool_error("%s: no thread in it that has recorded anything", path);
	return -EINVAL;
}

struct fathom_location *rebuilt_location(uint64_t address)
{
	return find(&made_locations, address);
}

uint32_t rebuilt_region_count(void)
{
	return made_regions;
}
