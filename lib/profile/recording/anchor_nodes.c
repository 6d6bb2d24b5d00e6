#include "profile/recording/anchor_nodes.h"

#include <errno.h>
#include <stddef.h>

#include "define/region.h"
#include "platform/clock.h"
#include "profile/recording/iteration_clusters.h"

/* A location with more anchor nodes than this has a hash table. */
#define LONGEST_LIST 4
#define FIRST_TABLE_BITS 4

/* The longest path from the node of an iteration to the call path of a fork. Below longer paths, the regions of other
 * threads are not separated by iteration. */
#define LONGEST_PATH 256

void *fathom_callpath_origin(struct fathom_location *self)
{
	/* The regions of an explicit task are in the tree of tasks; the implicit task contains their time. */
	return self->task ? self->implicit.top->node : self->top->node;
}

static size_t hash(const struct fathom_node *origin)
{
	return (size_t)(((uintptr_t)origin * 0x9e3779b97f4a7c15u) >> 32);
}

static void put_in_table(struct fathom_callpaths *paths, struct fathom_anchor_node *anchor)
{
	size_t mask = ((size_t)1 << paths->table_bits) - 1;
	size_t i = hash(anchor->origin) & mask;

	while (paths->table[i])
		i = (i + 1) & mask;
	paths->table[i] = anchor;
}

/* Keeps the table at most half full. Without memory for a larger table there is none, and the list is searched. */
static void grow_table(struct fathom_location *self, struct fathom_callpaths *paths)
{
	uint8_t bits = paths->table ? paths->table_bits + 2 : FIRST_TABLE_BITS;

	paths->table = fathom_arena_alloc(&self->arena, sizeof(*paths->table) << bits);
	paths->table_bits = bits;
	if (!paths->table)
		return;
	for (struct fathom_anchor_node *anchor = paths->anchors; anchor; anchor = anchor->next)
		put_in_table(paths, anchor);
}

static struct fathom_anchor_node *find(const struct fathom_callpaths *paths, const struct fathom_node *origin)
{
	struct fathom_anchor_node *anchor;

	if (paths->table) {
		size_t mask = ((size_t)1 << paths->table_bits) - 1;
		size_t i = hash(origin) & mask;

		while ((anchor = paths->table[i]) && anchor->origin != origin)
			i = (i + 1) & mask;
		return anchor;
	}
	for (anchor = paths->anchors; anchor && anchor->origin != origin; anchor = anchor->next)
		;
	return anchor;
}

static FATHOM_COLD struct fathom_anchor_node *make_anchor(struct fathom_location *self, struct fathom_callpaths *paths,
							  struct fathom_node *origin)
{
	struct fathom_anchor_node *anchor = fathom_arena_alloc(&self->arena, sizeof(*anchor));

	if (!anchor)
		return NULL;
	fathom_callpath_init_node(&anchor->node, origin->region);
	anchor->node.is_anchor = 1;
	anchor->node.in_tasks = origin->in_tasks;
	anchor->node.in_series = origin->in_series;
	anchor->origin = origin;
	anchor->next = paths->anchors;
	/* Pairs with the acquire in anchors_of() of process_tree.c. */
	__atomic_store_n(&paths->anchors, anchor, __ATOMIC_RELEASE);
	paths->anchor_count++;
	if (paths->table && paths->anchor_count <= (1u << paths->table_bits) / 2)
		put_in_table(paths, anchor);
	else if (paths->anchor_count > LONGEST_LIST)
		grow_table(self, paths);
	return anchor;
}

/* Returns the node that corresponds to node, which is in the iteration tree from, in another tree of the same
 * series. NULL: there is none, or it cannot be found here because another thread that leads a team of its own is in
 * between. */
static struct fathom_node *counterpart(const struct fathom_node *node, const struct fathom_iteration_tree *from,
				       struct fathom_iteration_tree *to)
{
	const struct fathom_region *path[LONGEST_PATH];
	struct fathom_node *at = &to->node;
	int depth = 0;

	for (; node != &from->node; node = node->parent) {
		if (node->is_anchor || depth == LONGEST_PATH)
			return NULL;
		path[depth++] = node->region;
	}
	while (depth && at) {
		const struct fathom_region *region = path[--depth];
		/* Pairs with the release in fathom_callpath_adopt. */
		struct fathom_node *child = __atomic_load_n(&at->first_child, __ATOMIC_ACQUIRE);

		while (child && child->region != region)
			child = child->sibling;
		at = child;
	}
	return at;
}

/*
 * The origin is in an iteration tree. The nodes below the anchor node may belong to an earlier iteration, which had
 * this tree before. Then they are moved below the corresponding call path in the tree that the cluster of this
 * earlier iteration has now. If that call path cannot be found, they stay with the present iteration, which does not
 * change any sum.
 */
static void use_for_iteration(struct fathom_location *self, struct fathom_callpaths *paths,
			      struct fathom_anchor_node *anchor)
{
	struct fathom_iteration_tree *now = fathom_series_tree_of(anchor->origin), *then;
	struct fathom_node *origin;
	struct fathom_anchor_node *other;

	if (!now || anchor->iteration == fathom_peek(&now->iteration))
		return;
	then = fathom_series_tree_with(now->series, anchor->iteration);
	if (then && then != now && anchor->node.first_child) {
		origin = counterpart(anchor->origin, now, then);
		other = origin ? find(paths, origin) : NULL;
		if (!other && origin)
			other = make_anchor(self, paths, origin);
		if (other) {
			other->iteration = fathom_peek(&then->iteration);
			fathom_series_move(self, &other->node, &anchor->node);
		}
	}
	fathom_poke(&anchor->iteration, fathom_peek(&now->iteration));
}

static FATHOM_COLD struct fathom_node *other_anchor(struct fathom_location *self, struct fathom_node *origin)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_anchor_node *anchor;

	/* The callees of a region without a call path of its own have no call paths either. */
	if (!origin->region || origin->region == fathom_truncated_region) {
		fathom_location_drop(self, FATHOM_DROP_NODES);
		return paths->unreported;
	}
	anchor = find(paths, origin);
	if (!anchor)
		anchor = make_anchor(self, paths, origin);
	if (!anchor) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return paths->unreported;
	}
	if (origin->in_series)
		use_for_iteration(self, paths, anchor);
	else
		paths->last_anchor = anchor;
	return &anchor->node;
}

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

static void anchor(struct fathom_location *self, struct fathom_frame *frame, void *origin)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_anchor_node *anchor = paths->last_anchor;

	if (likely(anchor && anchor->origin == origin))
		fathom_poke(&frame->node, &anchor->node);
	else
		fathom_poke(&frame->node, other_anchor(self, origin));
	fathom_poke(&frame->enter_ticks, 0);
	next.anchor(self, frame, origin);
}

struct fathom_stage fathom_anchor_nodes_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.anchor = anchor;
	return stage;
}
