#include "profile/snapshot.h"

#include <errno.h>
#include <string.h>

#include "define/region.h"

static int list_locations(struct fathom_snapshot *snapshot)
{
	struct fathom_location *newest = fathom_location_newest(), *location;
	uint32_t count = 0, place;

	for (location = newest; location; location = location->next)
		count++;
	snapshot->locations = fathom_arena_alloc(&snapshot->arena, (count + 1) * sizeof(location));
	if (!snapshot->locations)
		return -ENOMEM;
	snapshot->location_count = count;
	/* The list has the newest first. The initial thread may have been born late: it goes first. */
	place = count;
	for (location = newest; location; location = location->next)
		if (!location->is_initial)
			snapshot->locations[--place] = location;
	for (location = newest; location; location = location->next)
		if (location->is_initial)
			snapshot->locations[--place] = location;
	return 0;
}

/* Where a walk over one thread's tree is; children come in the order they were made. */
struct walk {
	struct fathom_node **stack;
	size_t depth;
	size_t room;
};

static int push(struct fathom_snapshot *snapshot, struct walk *walk, struct fathom_node *node)
{
	if (walk->depth == walk->room) {
		size_t room = walk->room ? walk->room * 2 : 1024;
		struct fathom_node **stack = fathom_arena_alloc(&snapshot->arena, room * sizeof(*stack));

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

/* The list has the newest child first, so the oldest ends up on top of the stack. */
static int push_children(struct fathom_snapshot *snapshot, struct walk *walk, const struct fathom_node *node)
{
	/* Pairs with the release in adopt() of callpath.c. */
	struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);

	for (; child; child = child->sibling)
		if (push(snapshot, walk, child))
			return -ENOMEM;
	return 0;
}

static struct fathom_node *root_of(const struct fathom_location *location)
{
	const struct fathom_callpaths *paths = location->substrate_data;

	return paths->root;
}

/* Put the call paths of one thread into the tree, and its visits and losses into the totals. */
static int add_tree(struct fathom_snapshot *snapshot, struct walk *walk, struct fathom_location *location)
{
	struct fathom_node *root = root_of(location);

	for (int why = 0; why < FATHOM_DROP_COUNT; why++)
		snapshot->totals.dropped[why] += fathom_peek(&location->dropped[why]);
	root->snapshot_node = 0;
	root->snapshot_serial = snapshot->serial;
	root->open_ticks = 0;
	root->total_ticks = fathom_peek(&root->inclusive_ticks);
	root->open_visits = 0;
	if (push_children(snapshot, walk, root))
		return -ENOMEM;
	while (walk->depth) {
		struct fathom_node *node = walk->stack[--walk->depth];

		node->snapshot_node = fathom_tree_child(&snapshot->tree, node->parent->snapshot_node, node->region->id);
		if (!node->snapshot_node)
			return -ENOMEM;
		node->snapshot_serial = snapshot->serial;
		node->open_ticks = 0;
		node->total_ticks = fathom_peek(&node->inclusive_ticks);
		node->open_visits = 0;
		snapshot->totals.events += fathom_peek(&node->visits);
		if (push_children(snapshot, walk, node))
			return -ENOMEM;
	}
	return 0;
}

/* An active folded visit: what it took so far is not the time of the call paths between. */
static void take_off_folded(const struct fathom_frame *frame, uint64_t ticks)
{
	struct fathom_node *end = fathom_peek(&frame->node), *node = fathom_peek(&frame[-1].node);

	/* A thread at work may change its frames meanwhile: then end need not be above. */
	for (; node && node != end && (int64_t)ticks > 0; node = node->parent)
		node->total_ticks -= ticks;
}

/* Note in the nodes of active regions how long their visits have lasted so far. */
static void open_visits(const struct fathom_location *location)
{
	const struct fathom_frame *frame = fathom_peek(&location->top);
	uint64_t end = fathom_peek(&location->end_ticks);
	uint64_t now = end && fathom_peek(&frame->stack) == UINTPTR_MAX ? end : fathom_clock_ticks();

	for (;; frame--) {
		uint64_t enter = fathom_peek(&frame->enter_ticks);
		struct fathom_node *node = fathom_peek(&frame->node);

		if (node && (enter & FATHOM_VISIT_FOLDED)) {
			take_off_folded(frame, now - (enter & ~FATHOM_VISIT_FOLDED));
		} else if (node && now > enter) {
			node->total_ticks += now - enter;
			node->open_ticks += now - enter;
			node->open_visits++;
		}
		if (fathom_peek(&frame->stack) == UINTPTR_MAX)
			return;
	}
}

/* Now that the tree is complete: who is where in it. Threads that went on may have nodes since then. */
static int fill_nodes(struct fathom_snapshot *snapshot, struct walk *walk)
{
	size_t bytes = (size_t)snapshot->tree.count * snapshot->location_count * sizeof(*snapshot->nodes);

	snapshot->nodes = fathom_arena_alloc(&snapshot->arena, bytes);
	if (!snapshot->nodes)
		return -ENOMEM;
	for (uint32_t l = 0; l < snapshot->location_count; l++) {
		if (push(snapshot, walk, root_of(snapshot->locations[l])))
			return -ENOMEM;
		while (walk->depth) {
			struct fathom_node *node = walk->stack[--walk->depth];

			if (node->snapshot_serial != snapshot->serial)
				continue;
			snapshot->nodes[(size_t)node->snapshot_node * snapshot->location_count + l] = node;
			if (push_children(snapshot, walk, node))
				return -ENOMEM;
		}
	}
	return 0;
}

/* Of the newest snapshot. They are taken one after the other. */
static uint32_t serials;

int fathom_snapshot_take(struct fathom_snapshot *snapshot)
{
	struct walk walk = { 0 };
	int err;

	memset(snapshot, 0, sizeof(*snapshot));
	snapshot->serial = ++serials;
	snapshot->scale = fathom_clock_scale();
	err = list_locations(snapshot);
	if (err)
		goto free_arena;
	err = fathom_tree_init(&snapshot->tree, &snapshot->arena, 0);
	for (uint32_t l = 0; !err && l < snapshot->location_count; l++)
		err = add_tree(snapshot, &walk, snapshot->locations[l]);
	if (err)
		goto free_arena;
	if (snapshot->location_count)
		snapshot->tree.nodes[0].key = root_of(snapshot->locations[0])->region->id;
	for (uint32_t l = 0; l < snapshot->location_count; l++)
		open_visits(snapshot->locations[l]);
	err = fill_nodes(snapshot, &walk);
	if (err)
		goto free_arena;
	return 0;

free_arena:
	fathom_snapshot_fini(snapshot);
	return err;
}

void fathom_snapshot_fini(struct fathom_snapshot *snapshot)
{
	fathom_arena_fini(&snapshot->arena);
}

/* As it was when the snapshot was taken: read again, a visit that has ended since then would count twice. */
static uint64_t inclusive_units(const struct fathom_snapshot *snapshot, const struct fathom_node *node)
{
	/* Below zero only if a thread at work changed its frames under our eyes. */
	return (int64_t)node->total_ticks > 0 ? fathom_ticks_to_units(snapshot->scale, node->total_ticks) : 0;
}

/* What the children took is taken off; never below zero, should a thread be at work on it. */
static uint64_t exclusive_units(const struct fathom_snapshot *snapshot, const struct fathom_node *node)
{
	uint64_t units = inclusive_units(snapshot, node);
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);

	for (; child; child = child->sibling) {
		uint64_t part = inclusive_units(snapshot, child);

		if (child->snapshot_serial != snapshot->serial)
			continue;
		units = units > part ? units - part : 0;
	}
	return units;
}

static void min_and_max(const struct fathom_snapshot *snapshot, const struct fathom_node *node, uint64_t *min,
			uint64_t *max)
{
	uint64_t min_ticks = fathom_peek(&node->min_ticks), max_ticks = fathom_peek(&node->max_ticks);

	if (node->open_visits) {
		uint64_t open = node->open_ticks / node->open_visits;

		min_ticks = open < min_ticks ? open : min_ticks;
		max_ticks = open > max_ticks ? open : max_ticks;
	}
	*min = min_ticks == UINT64_MAX ? UINT64_MAX : fathom_ticks_to_units(snapshot->scale, min_ticks);
	*max = fathom_ticks_to_units_up(snapshot->scale, max_ticks);
}

uint32_t fathom_snapshot_values(const struct fathom_snapshot *snapshot, uint32_t path, uint64_t *values)
{
	uint32_t locations = snapshot->location_count, present = 0;

	for (uint32_t l = 0; l < locations; l++) {
		const struct fathom_node *node = snapshot->nodes[(size_t)path * locations + l];
		const uint64_t *counters = node ? __atomic_load_n(&node->counters, __ATOMIC_ACQUIRE) : NULL;
		uint64_t of[FATHOM_VALUE_COUNT] = { [FATHOM_VALUE_MIN] = UINT64_MAX };

		if (node && fathom_peek(&node->visits)) {
			of[FATHOM_VALUE_VISITS] = fathom_peek(&node->visits);
			of[FATHOM_VALUE_TIME] = exclusive_units(snapshot, node);
			min_and_max(snapshot, node, &of[FATHOM_VALUE_MIN], &of[FATHOM_VALUE_MAX]);
		}
		for (int c = 0; counters && c < FATHOM_COUNTER_COUNT; c++)
			of[FATHOM_VALUE_COUNTERS + c] = fathom_peek(&counters[c]);
		for (uint32_t v = 0; v < FATHOM_VALUE_COUNT; v++) {
			values[v * locations + l] = of[v];
			if (of[v] != (v == FATHOM_VALUE_MIN ? UINT64_MAX : 0))
				present |= 1u << v;
		}
	}
	return present;
}
