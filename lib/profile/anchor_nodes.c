#include "profile/anchor_nodes.h"

#include <errno.h>
#include <stddef.h>

#include "define/region.h"
#include "platform/clock.h"
#include "profile/iteration_clusters.h"

/* More aliases than this are found by hashing. */
#define LONGEST_LIST 4
#define FIRST_TABLE_BITS 4

/* From an iteration's own node to where it forks. Deeper, what threads do is not told apart by iteration. */
#define LONGEST_PATH 256

/* --- aliases ----------------------------------------------------------------------------------- */

void *fathom_callpath_origin(struct fathom_location *self)
{
	/* What is inside an explicit task is in the tree of the tasks, and in the time of the stub. */
	return self->task ? self->implicit.top->node : self->top->node;
}

static size_t hash(const struct fathom_node *origin)
{
	return (size_t)(((uintptr_t)origin * 0x9e3779b97f4a7c15u) >> 32);
}

static void put_in_table(struct fathom_callpaths *paths, struct fathom_alias *alias)
{
	size_t mask = ((size_t)1 << paths->table_bits) - 1;
	size_t i = hash(alias->origin) & mask;

	while (paths->table[i])
		i = (i + 1) & mask;
	paths->table[i] = alias;
}

/* Keep the table at most half full. Without memory for a larger one, none: the list still works. */
static void grow_table(struct fathom_location *self, struct fathom_callpaths *paths)
{
	uint8_t bits = paths->table ? paths->table_bits + 2 : FIRST_TABLE_BITS;

	paths->table = fathom_arena_alloc(&self->arena, sizeof(*paths->table) << bits);
	paths->table_bits = bits;
	if (!paths->table)
		return;
	for (struct fathom_alias *alias = paths->aliases; alias; alias = alias->next)
		put_in_table(paths, alias);
}

static struct fathom_alias *find(const struct fathom_callpaths *paths, const struct fathom_node *origin)
{
	struct fathom_alias *alias;

	if (paths->table) {
		size_t mask = ((size_t)1 << paths->table_bits) - 1;
		size_t i = hash(origin) & mask;

		while ((alias = paths->table[i]) && alias->origin != origin)
			i = (i + 1) & mask;
		return alias;
	}
	for (alias = paths->aliases; alias && alias->origin != origin; alias = alias->next)
		;
	return alias;
}

static FATHOM_COLD struct fathom_alias *make_alias(struct fathom_location *self, struct fathom_callpaths *paths,
						   struct fathom_node *origin)
{
	struct fathom_alias *alias = fathom_arena_alloc(&self->arena, sizeof(*alias));

	if (!alias)
		return NULL;
	fathom_callpath_init_node(&alias->node, origin->region);
	alias->node.is_alias = 1;
	alias->node.in_tasks = origin->in_tasks;
	alias->node.in_series = origin->in_series;
	alias->origin = origin;
	alias->next = paths->aliases;
	/* Pairs with the acquire of the snapshot. */
	__atomic_store_n(&paths->aliases, alias, __ATOMIC_RELEASE);
	paths->alias_count++;
	if (paths->table && paths->alias_count <= (1u << paths->table_bits) / 2)
		put_in_table(paths, alias);
	else if (paths->alias_count > LONGEST_LIST)
		grow_table(self, paths);
	return alias;
}

/* What corresponds to node, which is in from, in another tree of the same series. NULL: there is nothing, or
 * it cannot be told here, as another thread is in between that leads a team of its own. */
static struct fathom_node *counterpart(const struct fathom_node *node, const struct fathom_iteration_tree *from,
				       struct fathom_iteration_tree *to)
{
	const struct fathom_region *path[LONGEST_PATH];
	struct fathom_node *at = &to->node;
	int depth = 0;

	for (; node != &from->node; node = node->parent) {
		if (node->is_alias || depth == LONGEST_PATH)
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
 * The origin is in the tree of an iteration. What stands under the alias may be of one before, whose tree this was;
 * then that is moved to where the other's cluster is now. Where that cannot be told, it stays with this one: no sum is
 * changed by it.
 */
static void use_for_iteration(struct fathom_location *self, struct fathom_callpaths *paths, struct fathom_alias *alias)
{
	struct fathom_iteration_tree *now = fathom_series_tree_of(alias->origin), *then;
	struct fathom_node *origin;
	struct fathom_alias *other;

	if (!now || alias->iteration == fathom_peek(&now->iteration))
		return;
	then = fathom_series_tree_with(now->series, alias->iteration);
	if (then && then != now && alias->node.first_child) {
		origin = counterpart(alias->origin, now, then);
		other = origin ? find(paths, origin) : NULL;
		if (!other && origin)
			other = make_alias(self, paths, origin);
		if (other) {
			other->iteration = fathom_peek(&then->iteration);
			fathom_series_move(self, &other->node, &alias->node);
		}
	}
	fathom_poke(&alias->iteration, fathom_peek(&now->iteration));
}

static FATHOM_COLD struct fathom_node *other_alias(struct fathom_location *self, struct fathom_node *origin)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_alias *alias;

	/* Below what has no call path of its own there is none. */
	if (!origin->region || origin->region == fathom_truncated_region) {
		self->dropped[FATHOM_DROP_NODES]++;
		return paths->junk;
	}
	alias = find(paths, origin);
	if (!alias)
		alias = make_alias(self, paths, origin);
	if (!alias) {
		self->dropped[FATHOM_DROP_MEMORY]++;
		return paths->junk;
	}
	if (origin->in_series)
		use_for_iteration(self, paths, alias);
	else
		paths->last_alias = alias;
	return &alias->node;
}

void fathom_callpath_hang(struct fathom_location *self, struct fathom_frame *frame, void *origin)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_alias *alias = paths->last_alias;

	if (likely(alias && alias->origin == origin))
		fathom_poke(&frame->node, &alias->node);
	else
		fathom_poke(&frame->node, other_alias(self, origin));
	fathom_poke(&frame->enter_ticks, 0);
}

/* --- explicit tasks ---------------------------------------------------------------------------- */

static struct fathom_node *tasks_node(struct fathom_location *self)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_node *node = paths->tasks;

	if (likely(node))
		return node;
	node = fathom_callpath_create(self, fathom_tasks_region);
	if (!node)
		return paths->junk;
	node->in_tasks = 1;
	__atomic_store_n(&paths->tasks, node, __ATOMIC_RELEASE);
	return node;
}

void fathom_callpath_task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_node *node = tasks_node(self);

	if (unlikely(fathom_frame_is_placeholder(frame))) {
		fathom_poke(&frame->node, node);
		return;
	}
	node = fathom_callpath_child(self, node, frame->region);
	fathom_poke(&frame->node, node);
	fathom_poke(&node->visits, node->visits + 1);
	fathom_poke(&frame->enter_ticks, now);
}

void fathom_callpath_task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	(void)self;
	if (likely(!fathom_frame_is_placeholder(frame)))
		fathom_callpath_end_visit(frame->node, now - frame->enter_ticks);
}

/* A suspended frame has the time that it was active so far in place of when that began. The node has it as
 * well; that is taken back when it goes on (modulo 2^64: meanwhile it may seem below zero). */
void fathom_callpath_suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	uint64_t ticks = now - frame->enter_ticks;
	struct fathom_node *node = frame->node;

	if (unlikely(fathom_frame_is_placeholder(frame)))
		return;
	if (!(frame->flags & FATHOM_FRAME_FOLDED))
		fathom_poke(&node->inclusive_ticks, node->inclusive_ticks + ticks);
	fathom_poke(&frame->enter_ticks, ticks);
	if (frame == self->root)
		fathom_callpath_count_at(self, node, FATHOM_COUNTER_TASK_SWITCHES, 1);
}

void fathom_callpath_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved)
{
	uint64_t ticks = frame->enter_ticks;
	struct fathom_node *node = frame->node;

	if (is_moved) {
		struct fathom_node *parent = frame == self->root ? tasks_node(self) : frame[-1].node;

		/* The visit stays with the thread where it began. */
		node = fathom_frame_is_placeholder(frame) ? parent : fathom_callpath_child(self, parent, frame->region);
		fathom_poke(&frame->node, node);
		fathom_poke(&frame->flags, frame->flags & ~(uint32_t)FATHOM_FRAME_FOLDED);
		if (frame == self->root)
			fathom_callpath_count_at(self, node, FATHOM_COUNTER_TASK_MIGRATIONS, 1);
	}
	if (unlikely(fathom_frame_is_placeholder(frame)))
		return;
	if (!(frame->flags & FATHOM_FRAME_FOLDED))
		fathom_poke(&node->inclusive_ticks, node->inclusive_ticks - ticks);
	fathom_poke(&frame->enter_ticks, now - ticks);
	/* What was called before looks as if it were over before the frame was entered: see has_called in
	 * parameter_call_paths.c. */
	if (frame == self->top)
		fathom_poke(&frame[1].enter_ticks, now);
}
