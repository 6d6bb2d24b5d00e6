#include "profile/process_tree/process_tree.h"

#include <errno.h>
#include <string.h>

#include "define/region.h"
#include "event/sample.h"
#include "event/teams/tasks.h"
#include "profile/recording/iteration_clusters.h"
#include "profile/recording/metered.h"
#include "profile/process_tree/sampled_call_paths.h"
#include "system/processors.h"

/* Returns true if location a comes before b in the order of the process's locations. */
static bool stands_before(const struct fathom_location *a, const struct fathom_location *b)
{
	static const int order[] = {
		[FATHOM_KIND_INITIAL] = 0,
		[FATHOM_KIND_WORKER] = 1,
		[FATHOM_KIND_CREATED] = 2,
		[FATHOM_KIND_FOREIGN] = 3,
	};

	if (a->kind != b->kind)
		return order[a->kind] < order[b->kind];
	if (a->kind == FATHOM_KIND_WORKER && a->leader != b->leader)
		return a->leader->id < b->leader->id;
	if (a->level != b->level)
		return a->level < b->level;
	return a->number != b->number ? a->number < b->number : a->id < b->id;
}

static int list_locations(struct fathom_process_tree *process)
{
	struct fathom_location *newest = fathom_location_newest(), *location;
	uint32_t count = 0, place, at;

	for (location = newest; location; location = location->next)
		count++;
	process->locations = fathom_arena_alloc(&process->arena, (count + 1) * sizeof(location));
	if (!process->locations)
		return -ENOMEM;
	process->location_count = count;
	/* The list has the newest location first, so nearly all are in order once the list is reversed. */
	place = count;
	for (location = newest; location; location = location->next)
		process->locations[--place] = location;
	for (place = 1; place < count; place++) {
		location = process->locations[place];
		for (at = place; at && stands_before(location, process->locations[at - 1]); at--)
			process->locations[at] = process->locations[at - 1];
		process->locations[at] = location;
	}
	return 0;
}

const char *fathom_process_tree_location_name(const struct fathom_process_tree *process, uint32_t number, char *text,
					      size_t bytes)
{
	return fathom_location_name(process->locations[number], text, bytes);
}

/* The state of a walk over one thread's tree, which visits children in the order of their creation. */
struct walk {
	struct fathom_node **stack;
	size_t depth;
	size_t room;
};

static int push(struct fathom_process_tree *process, struct walk *walk, struct fathom_node *node)
{
	if (walk->depth == walk->room) {
		size_t room = walk->room ? walk->room * 2 : 1024;
		struct fathom_node **stack = fathom_arena_alloc(&process->arena, room * sizeof(*stack));

		if (!stack)
			return -ENOMEM;
		if (walk->depth)
			memcpy(stack, walk->stack, walk->depth * sizeof(*stack));
		walk->stack = stack;
		walk->room = room;
	}
	walk->stack[walk->depth++] = node;
	return 0;
}

/* The list has the newest child first, so the oldest one is on top of the stack afterwards. */
static int push_children(struct fathom_process_tree *process, struct walk *walk, const struct fathom_node *node)
{
	/* Pairs with the release in adopt() of callpath.c. */
	struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);

	for (; child; child = child->sibling)
		if (push(process, walk, child))
			return -ENOMEM;
	return 0;
}

static const struct fathom_callpaths *paths_of(const struct fathom_location *location)
{
	return location->substrate_data;
}

/* Returns true if the root of the location is no call path: all regions of the thread appear below other call paths. */
static bool is_placeholder(const struct fathom_location *location)
{
	return location->kind > FATHOM_KIND_FOREIGN;
}

/* Stores the present values of the strict metrics at a node, including callees. A running thread may change them
 * before they are used. Without memory the node has no such values. */
static void freeze_metrics(struct fathom_process_tree *process, struct fathom_node *node,
			   const struct fathom_location *location)
{
	struct fathom_tally *tally = __atomic_load_n(&node->tally, __ATOMIC_ACQUIRE);
	uint32_t count = fathom_metric_strict_count();

	if (!tally || !count)
		return;
	tally->frozen = fathom_arena_alloc(&process->arena, count * sizeof(*tally->frozen));
	for (uint32_t m = 0; tally->frozen && m < count; m++)
		tally->frozen[m] = fathom_metered_value(tally, location->meter, m);
}

/* Notes in the node which node of the tree it is. */
static void number_node(struct fathom_process_tree *process, struct fathom_node *node, uint32_t number)
{
	node->snapshot_node = number;
	node->snapshot_serial = process->serial;
	node->open_ticks = 0;
	node->total_ticks = fathom_peek(&node->inclusive_ticks);
	node->open_visits = 0;
	node->has_less = false;
	node->has_samples = false;
}

/* The key of a node in the tree. An iteration of a phase may be a cluster, which has another name. */
static uint32_t key_of(const struct fathom_node *node)
{
	if (unlikely(node->is_iteration))
		return fathom_series_region((const struct fathom_iteration_tree *)node)->id;
	return node->region->id;
}

/* Returns true if the node is left out of the tree: it has no values because its region got a parameter at each
 * visit, or because no iteration of the cluster that owns its tree now ever reached this call path. */
static bool is_left_out(const struct fathom_node *node)
{
	if (node->in_tasks || node->is_series || !fathom_callpath_is_empty(node))
		return false;
	return node->in_series || !node->first_child;
}

static void add_events(struct fathom_process_tree *process, const struct fathom_node *node)
{
	struct fathom_cost cost = process->costs.of[fathom_cost_way(node->region)];
	uint64_t visits = fathom_peek(&node->visits);

	process->totals.events += visits;
	process->totals.cost.inside_units += visits * cost.inside_units;
	process->totals.cost.outside_units += visits * cost.outside_units;
}

/* Adds the call paths below node, which is in the tree already, to the tree, and their visits to the totals. */
static int add_below(struct fathom_process_tree *process, struct walk *walk, struct fathom_node *node)
{
	size_t depth = walk->depth;

	if (push_children(process, walk, node))
		return -ENOMEM;
	while (walk->depth > depth) {
		uint32_t number;

		node = walk->stack[--walk->depth];
		if (is_left_out(node))
			continue;
		number = fathom_tree_child(&process->tree, node->parent->snapshot_node, key_of(node));
		if (!number)
			return -ENOMEM;
		number_node(process, node, number);
		add_events(process, node);
		if (push_children(process, walk, node))
			return -ENOMEM;
	}
	return 0;
}

static struct fathom_node *tasks_of(const struct fathom_location *location)
{
	/* Pairs with the release in tasks_node() of task_call_paths.c. */
	return __atomic_load_n(&paths_of(location)->tasks, __ATOMIC_ACQUIRE);
}

static struct fathom_anchor_node *anchors_of(const struct fathom_location *location)
{
	/* Pairs with the release in make_anchor() of anchor_nodes.c. */
	return __atomic_load_n(&paths_of(location)->anchors, __ATOMIC_ACQUIRE);
}

/* Adds the thread's tree, and that of its explicit tasks. */
static int add_tree(struct fathom_process_tree *process, struct walk *walk, struct fathom_location *location)
{
	struct fathom_node *root = paths_of(location)->root, *tasks = tasks_of(location);
	uint32_t number;

	for (int why = 0; why < FATHOM_DROP_COUNT; why++)
		process->totals.dropped[why] += fathom_peek(&location->dropped[why]);
	number_node(process, root, 0);
	if (add_below(process, walk, root))
		return -ENOMEM;
	if (!tasks)
		return 0;
	number = fathom_tree_child(&process->tree, 0, tasks->region->id);
	if (!number)
		return -ENOMEM;
	number_node(process, tasks, number);
	return add_below(process, walk, tasks);
}

static struct fathom_node *outer_node(const struct fathom_node *node)
{
	return node->is_anchor ? ((const struct fathom_anchor_node *)node)->origin : node->parent;
}

/*
 * Returns the node of the tree for an anchor node; 0: no memory. The call paths below an anchor node that began in an
 * iteration belong below the call path where this iteration is now. If the iteration tree that contains the origin
 * now belongs to another iteration, they belong below the corresponding call path in the tree where the iteration is.
 */
static uint32_t number_anchor(struct fathom_process_tree *process, const struct fathom_anchor_node *anchor)
{
	const struct fathom_iteration_tree *now = fathom_series_tree_of(anchor->origin), *then;
	uint32_t depth = 0, number;
	const struct fathom_node *node;

	then = now ? fathom_series_tree_with(now->series, fathom_peek(&anchor->iteration)) : NULL;
	if (!then || then == now || then->node.snapshot_serial != process->serial)
		return anchor->origin->snapshot_node;
	for (node = anchor->origin; node != &now->node; node = outer_node(node))
		depth += !node->is_anchor;
	number = then->node.snapshot_node;
	for (; number && depth; depth--) {
		uint32_t up = depth;

		for (node = anchor->origin; node->is_anchor || --up; node = outer_node(node))
			;
		number = fathom_tree_child(&process->tree, number, node->region->id);
	}
	return number;
}

/* Makes sure that a node, and the nodes above it in whichever thread's tree, are in the tree. 1: they are; 0: the
 * node is in no tree yet; -ENOMEM. */
static int number_path(struct fathom_process_tree *process, struct walk *walk, struct fathom_node *node)
{
	size_t depth = walk->depth;

	for (; node && node->snapshot_serial != process->serial; node = outer_node(node))
		if (push(process, walk, node))
			return -ENOMEM;
	if (!node) {
		walk->depth = depth;
		return 0;
	}
	while (walk->depth > depth) {
		struct fathom_node *child = walk->stack[--walk->depth];
		uint32_t number = child->is_anchor ? number_anchor(process, (struct fathom_anchor_node *)child) :
				  fathom_tree_child(&process->tree, node->snapshot_node, key_of(child));

		if (!number && (!child->is_anchor || node->snapshot_node))
			return -ENOMEM;
		number_node(process, child, number);
		node = child;
	}
	return 1;
}

/* Adds the regions of a thread that appear below call paths of other threads. */
static int add_anchors(struct fathom_process_tree *process, struct walk *walk, struct fathom_location *location)
{
	for (struct fathom_anchor_node *anchor = anchors_of(location); anchor; anchor = anchor->next) {
		int found = number_path(process, walk, &anchor->node);

		if (found > 0)
			found = add_below(process, walk, &anchor->node);
		if (found < 0)
			return found;
	}
	return 0;
}

/* Subtracts the time of an active folded visit from the call paths between this visit and the visit that it belongs
 * to. */
static void subtract_folded(const struct fathom_frame *frame, uint64_t ticks)
{
	struct fathom_node *end = fathom_peek(&frame->node), *node = fathom_peek(&frame[-1].node);

	/* A running thread may change its frames meanwhile: then end may not be above node. */
	for (; node && node != end && (int64_t)ticks > 0; node = node->parent) {
		node->total_ticks -= ticks;
		node->has_less = true;
	}
}

/* Adds the time that active visits have lasted so far to their nodes, for the frames of one task. */
static void add_open_stack(const struct fathom_frame *frame, uint64_t now, bool has_root)
{
	for (;; frame--) {
		uint64_t enter = fathom_peek(&frame->enter_ticks);
		struct fathom_node *node = fathom_peek(&frame->node);
		/* The flags are read last: a running thread writes the flags before node. */
		uint32_t flags = fathom_peek(&frame->flags);
		bool is_root = flags & FATHOM_FRAME_BOTTOM;

		if (is_root && !has_root)
			return;
		if ((flags & FATHOM_FRAME_PLACEHOLDER) || (node && node->is_anchor)) {
			;
		} else if (node && (flags & FATHOM_FRAME_FOLDED)) {
			subtract_folded(frame, now - enter);
		} else if (node && now > enter) {
			node->total_ticks += now - enter;
			node->open_ticks += now - enter;
			node->open_visits++;
		}
		if (is_root)
			return;
	}
}

/* Returns true if the location's thread has entered a region since end_ticks. Frames keep the time of their enter,
 * also the frame above the top, whose region has ended. */
static bool has_entered_since(const struct fathom_location *location, uint64_t end_ticks)
{
	const struct fathom_frame *top = fathom_peek(&location->top);
	const struct fathom_frame *last = fathom_peek(&location->lost_depth) ? top : top + 1;

	for (const struct fathom_frame *frame = top; frame <= last; frame++)
		if (fathom_peek(&frame->enter_ticks) > end_ticks)
			return true;
	return false;
}

/*
 * Returns true if the location's thread has left a region since end_ticks that it had entered before. The region that
 * was left is a child of the innermost region. Then the children of the innermost region have together taken longer
 * than this region itself would have taken if its active visit ended at end_ticks. Outer regions cannot show this,
 * because their innermost child is active as well.
 */
static bool has_exited_since(const struct fathom_process_tree *process, const struct fathom_location *location,
			     uint64_t end_ticks)
{
	const struct fathom_frame *frame = fathom_peek(&location->top);
	const struct fathom_node *node = fathom_peek(&frame->node), *child;
	uint64_t enter = fathom_peek(&frame->enter_ticks), children_ticks = 0;

	if (!node || node->is_anchor ||
	    (fathom_peek(&frame->flags) & (FATHOM_FRAME_FOLDED | FATHOM_FRAME_PLACEHOLDER)))
		return false;
	for (child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE); child; child = child->sibling)
		if (child->snapshot_serial == process->serial)
			children_ticks += child->total_ticks;
	return children_ticks > node->total_ticks + (end_ticks - enter);
}

/* Returns the time at which active regions of a location end in this tree. end_ticks: see fathom_process_tree_build. */
static uint64_t end_of(const struct fathom_process_tree *process, const struct fathom_location *location,
		       uint64_t end_ticks)
{
	const struct fathom_team *team = fathom_peek(&location->team);
	uint64_t end = fathom_peek(&location->end_ticks);

	/* An orphaned worker still waits in the last barrier of a team that is over. */
	if (team && fathom_peek(&team->end_ticks))
		return fathom_peek(&team->end_ticks);
	if (end && (fathom_peek(&fathom_peek(&location->top)->flags) & FATHOM_FRAME_BOTTOM))
		return end;
	if (end_ticks && (location == fathom_self || (!has_entered_since(location, end_ticks) &&
						      !has_exited_since(process, location, end_ticks))))
		return end_ticks;
	return fathom_clock_ticks();
}

static void add_open_visits(const struct fathom_process_tree *process, const struct fathom_location *location,
			    uint64_t end_ticks)
{
	const struct fathom_team *team = fathom_peek(&location->leads);
	bool has_task = fathom_peek(&location->task), has_root = !is_placeholder(location);
	uint64_t now = end_of(process, location, end_ticks);

	add_open_stack(fathom_peek(&location->top), now, has_task || has_root);
	if (has_task)
		add_open_stack(fathom_peek(&location->implicit.top), now, has_root);
	/* The tasks that forked the teams which this thread leads. Each was the lowest task of the stack before. */
	for (; team; team = fathom_peek(&team->outer_leads))
		if (fathom_peek(&team->outer_task))
			add_open_stack(fathom_peek(&team->outer_implicit.top), now, has_root);
}

/* Notes that a location has this node at a call path. It may have several. */
static int list_node(struct fathom_process_tree *process, struct fathom_node *node, uint32_t location)
{
	struct fathom_node **place =
		&process->nodes[(size_t)node->snapshot_node * process->location_count + location];
	struct fathom_extra_node *extra;

	freeze_metrics(process, node, process->locations[location]);
	if (!*place) {
		*place = node;
		return 0;
	}
	if (!process->extra_nodes)
		process->extra_nodes = fathom_arena_alloc(&process->arena, process->tree.count * sizeof(extra));
	extra = fathom_arena_alloc(&process->arena, sizeof(*extra));
	if (!extra || !process->extra_nodes)
		return -ENOMEM;
	extra->node = node;
	extra->location = location;
	extra->next = process->extra_nodes[node->snapshot_node];
	process->extra_nodes[node->snapshot_node] = extra;
	return 0;
}

/* Lists the nodes of a location from top on that are in the tree; top itself only if it has values. */
static int fill_below(struct fathom_process_tree *process, struct walk *walk, struct fathom_node *top,
		      uint32_t location, bool has_values)
{
	if (push(process, walk, top))
		return -ENOMEM;
	while (walk->depth) {
		struct fathom_node *node = walk->stack[--walk->depth];

		if (node->snapshot_serial != process->serial)
			continue;
		if ((node != top || has_values) && list_node(process, node, location))
			return -ENOMEM;
		if (push_children(process, walk, node))
			return -ENOMEM;
		for (node = fathom_sampled_below(&process->sampled, node); node; node = node->sibling)
			if (push(process, walk, node))
				return -ENOMEM;
	}
	return 0;
}

/* Lists the nodes of all locations. The tree is complete now; running threads may have created nodes since then, and
 * these are left out. */
static int fill_nodes(struct fathom_process_tree *process, struct walk *walk)
{
	size_t bytes = (size_t)process->tree.count * process->location_count * sizeof(*process->nodes);
	int err = 0;

	process->nodes = fathom_arena_alloc(&process->arena, bytes);
	if (!process->nodes)
		return -ENOMEM;
	for (uint32_t l = 0; !err && l < process->location_count; l++) {
		const struct fathom_location *location = process->locations[l];

		err = fill_below(process, walk, paths_of(location)->root, l, !is_placeholder(location));
		if (!err && tasks_of(location))
			err = fill_below(process, walk, tasks_of(location), l, false);
		for (struct fathom_anchor_node *anchor = anchors_of(location); !err && anchor; anchor = anchor->next)
			err = fill_below(process, walk, &anchor->node, l, false);
	}
	return err;
}

/* Finds, for each worker, the location that forks its teams: the worker is idle while that location works without a
 * team. Workers of nested teams are left out, because their leader may be one of many. */
static int find_leaders(struct fathom_process_tree *process)
{
	const struct fathom_tree *tree = &process->tree;
	uint32_t count = process->location_count;

	process->leaders = fathom_arena_alloc(&process->arena, (count + 1) * sizeof(*process->leaders));
	process->is_serial = fathom_arena_alloc(&process->arena, (tree->count + 1) * sizeof(*process->is_serial));
	if (!process->leaders || !process->is_serial)
		return -ENOMEM;
	for (uint32_t l = 0; l < count; l++) {
		const struct fathom_location *worker = process->locations[l];
		uint32_t leader = 0;

		if (worker->kind != FATHOM_KIND_WORKER || worker->level || worker->leader->kind == FATHOM_KIND_WORKER)
			continue;
		/* The workers of one leader are consecutive. */
		if (l && process->leaders[l - 1])
			leader = process->leaders[l - 1] - 1;
		if (process->locations[leader] != worker->leader)
			leader = 0;
		while (process->locations[leader] != worker->leader)
			leader++;
		process->leaders[l] = leader + 1;
	}
	process->is_serial[0] = true;
	for (uint32_t i = 1; i < tree->count; i++) {
		const struct fathom_region *region = fathom_region_by_id(tree->nodes[i].key);

		process->is_serial[i] = process->is_serial[tree->nodes[i].parent] &&
				      region->role != FATHOM_ROLE_PARALLEL && region != fathom_tasks_region;
	}
	return 0;
}

/* Returns the number of threads that visited a parallel region's call path. */
static uint32_t team_size(const struct fathom_process_tree *process, uint32_t path)
{
	uint32_t size = 0;

	for (uint32_t l = 0; l < process->location_count; l++) {
		const struct fathom_node *node = process->nodes[(size_t)path * process->location_count + l];

		size += node && fathom_peek(&node->visits);
	}
	return size;
}

/* Returns the number of processors that the process may use, at least 1. */
static uint32_t processor_count(void)
{
	static struct fathom_processors own;	/* static, because signal handlers have small stacks */
	struct fathom_capacity capacity = { .millis = 0 };

	fathom_processors_find(&own, 1, "");
	fathom_capacity_of(&capacity, &own, 1);
	return capacity.millis >= 1000 ? (uint32_t)(capacity.millis / 1000) : 1;
}

/* Finds the sizes of the teams around each call path, and the number of processors. */
static int find_teams(struct fathom_process_tree *process)
{
	const struct fathom_tree *tree = &process->tree;

	process->largest_team = 1;
	process->team_sizes = fathom_arena_alloc(&process->arena, (tree->count + 1) * sizeof(*process->team_sizes));
	if (!process->team_sizes)
		return -ENOMEM;
	for (uint32_t i = 1; i < tree->count; i++) {
		const struct fathom_region *region = fathom_region_by_id(tree->nodes[i].key);
		uint32_t around = process->team_sizes[tree->nodes[i].parent];

		process->team_sizes[i] = region->role == FATHOM_ROLE_PARALLEL ? team_size(process, i) : around;
		if (process->team_sizes[i] > process->largest_team)
			process->largest_team = process->team_sizes[i];
	}
	if (process->largest_team > 1)
		process->processors = processor_count();
	return 0;
}

/* The serial of the newest tree. Trees are built one after the other. */
static uint32_t newest_serial;

int fathom_process_tree_build(struct fathom_process_tree *process, const struct fathom_costs *costs, uint64_t end_ticks)
{
	struct walk walk = { 0 };
	int err;

	memset(process, 0, sizeof(*process));
	process->serial = ++newest_serial;
	process->scale = fathom_clock_scale();
	process->costs = *costs;
	process->value_count = FATHOM_VALUE_METRICS + fathom_metric_count();
	err = list_locations(process);
	if (err)
		goto free_arena;
	err = fathom_tree_init(&process->tree, &process->arena, 0);
	for (uint32_t l = 0; !err && l < process->location_count; l++)
		err = add_tree(process, &walk, process->locations[l]);
	for (uint32_t l = 0; !err && l < process->location_count; l++)
		err = add_anchors(process, &walk, process->locations[l]);
	if (err)
		goto free_arena;
	if (process->location_count)
		process->tree.nodes[0].key = paths_of(process->locations[0])->root->region->id;
	for (uint32_t l = 0; l < process->location_count; l++)
		add_open_visits(process, process->locations[l], end_ticks);
	process->sampled.arena = &process->arena;
	process->sampled.tree = &process->tree;
	process->sampled.serial = process->serial;
	fathom_sampled_add(&process->sampled, process->locations, process->location_count);
	memcpy(process->totals.samples, process->sampled.totals, sizeof(process->totals.samples));
	err = fill_nodes(process, &walk);
	if (!err)
		err = find_leaders(process);
	if (!err)
		err = find_teams(process);
	if (err)
		goto free_arena;
	return 0;

free_arena:
	fathom_process_tree_fini(process);
	return err;
}

void fathom_process_tree_fini(struct fathom_process_tree *process)
{
	fathom_arena_fini(&process->arena);
}
