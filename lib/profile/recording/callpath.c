#include "profile/recording/callpath.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "define/parameter.h"
#include "define/region.h"
#include "platform/clock.h"
#include "platform/vectors.h"

/* A node with more children than this has a hash table. */
#define LONGEST_LIST 1
#define FIRST_TABLE_BITS 2	/* at most half of the entries are used */

/* Stands for "no child yet". Its region matches no region, so that the hot path need not test for NULL. */
static struct fathom_node no_child = { .last = &no_child, .follower = &no_child };

/* The table of all nodes that have no table of their own. */
static struct fathom_node *no_table[] = { &no_child, &no_child };
enum { NO_TABLE_SHIFT = 63 };

const struct fathom_region *fathom_truncated_region;
const struct fathom_region *fathom_tasks_region;

/* Numbers of nodes that may still be created: of all nodes except {truncated}, and of the children {truncated}, which
 * are an eighth more. Only new nodes change these numbers, never the hot path. */
static int64_t nodes_left;
static int64_t truncated_left;

static int take(int64_t *left)
{
	if (__atomic_load_n(left, __ATOMIC_RELAXED) <= 0)
		return 0;
	return __atomic_fetch_sub(left, 1, __ATOMIC_RELAXED) > 0;
}

int fathom_callpath_init(uint64_t most_nodes)
{
	struct fathom_region truncated = {
		.name = "{truncated}",
		.paradigm = FATHOM_PARADIGM_MEASUREMENT,
		.role = FATHOM_ROLE_ARTIFICIAL,
	};

	struct fathom_region tasks = {
		.name = "TASKS",
		.paradigm = FATHOM_PARADIGM_OPENMP,
		.role = FATHOM_ROLE_ARTIFICIAL,
		.activity = FATHOM_ACTIVITY_COMPUTATION,
	};

	nodes_left = (int64_t)most_nodes;
	truncated_left = nodes_left / 8 + 1;
	fathom_truncated_region = fathom_region_define(&truncated);
	fathom_tasks_region = fathom_region_define(&tasks);
	return fathom_truncated_region && fathom_tasks_region ? 0 : -ENOMEM;
}

void fathom_callpath_init_node(struct fathom_node *node, const struct fathom_region *region)
{
	node->region = region;
	node->last = &no_child;
	node->follower = node;
	node->table = no_table;
	node->table_shift = NO_TABLE_SHIFT;
	node->min_ticks = UINT64_MAX;
}

/* Creates the tally of node in arena, unless another thread does so at this moment (fathom_callpath_count_shared).
 * NULL: no memory. */
static struct fathom_tally *make_tally(struct fathom_arena *arena, struct fathom_node *node)
{
	struct fathom_tally *tally, *other = NULL;

	tally = fathom_arena_alloc(arena, sizeof(*tally) + fathom_metric_strict_count() * sizeof(*tally->metered));
	if (!tally)
		return NULL;
	if (!__atomic_compare_exchange_n(&node->tally, &other, tally, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
		return other;
	return tally;
}

FATHOM_COLD struct fathom_tally *fathom_callpath_make_tally(struct fathom_location *self, struct fathom_node *node)
{
	struct fathom_tally *tally = make_tally(&self->arena, node);

	if (!tally)
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
	return tally;
}

FATHOM_KEEPS_VECTORS(fathom_callpath_make_tally);

bool fathom_callpath_has_tally(struct fathom_location *self, struct fathom_node *node)
{
	return !fathom_metric_strict_count() || fathom_callpath_make_tally(self, node);
}

static struct fathom_node *create(struct fathom_location *self, const struct fathom_region *region,
				  struct fathom_node *parent)
{
	struct fathom_node *node = fathom_arena_alloc(&self->arena, sizeof(*node));

	if (!node)
		return NULL;
	fathom_callpath_init_node(node, region);
	node->parent = parent;
	node->in_tasks = parent && parent->in_tasks;
	node->in_series = parent && parent->in_series;
	return fathom_callpath_has_tally(self, node) ? node : NULL;
}

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

static int callpath_birth(struct fathom_location *self, struct fathom_frame *root)
{
	struct fathom_callpaths *paths = fathom_arena_alloc(&self->arena, sizeof(*paths));

	if (!paths)
		return -ENOMEM;
	paths->root = create(self, root->region, NULL);
	paths->unreported = create(self, NULL, NULL);
	if (!paths->root || !paths->unreported)
		return -ENOMEM;
	/* Only the trees of these threads begin in the program itself; others begin below call paths of other
	 * threads. */
	paths->root->visits = self->kind <= FATHOM_KIND_FOREIGN;
	root->node = paths->root;
	self->substrate_data = paths;
	return next.birth(self, root);
}

/* Returns the index of the table where the search for the child of region begins. */
static inline size_t place_of(const struct fathom_node *parent, const struct fathom_region *region)
{
	return (size_t)((uint64_t)(uintptr_t)region * UINT64_C(0x9e3779b97f4a7c15) >> parent->table_shift);
}

static inline size_t place_behind(const struct fathom_node *parent, size_t place)
{
	return (place + 1) & (((size_t)1 << (64 - parent->table_shift)) - 1);
}

static void put_in_table(struct fathom_node *parent, struct fathom_node *child)
{
	size_t place = place_of(parent, child->region);

	while (parent->table[place] != &no_child)
		place = place_behind(parent, place);
	parent->table[place] = child;
}

/* Keeps the table at most half full. Without memory for a larger table, parent has none, and the list of children
 * still works. */
static void grow_table(struct fathom_location *self, struct fathom_node *parent)
{
	uint8_t bits = parent->table == no_table ? FIRST_TABLE_BITS : 64 - parent->table_shift + 2;
	struct fathom_node **table = fathom_arena_alloc(&self->arena, sizeof(*table) << bits);

	if (!table) {
		parent->table_shift = NO_TABLE_SHIFT;
		atomic_signal_fence(memory_order_seq_cst);
		parent->table = no_table;
		return;
	}
	for (size_t i = 0; i < (size_t)1 << bits; i++)
		table[i] = &no_child;
	/* The order is important: if a signal handler interrupts here and leaves by a jump, the larger table is
	 * searched with the size of the smaller one, and a child that is not found is created again. */
	atomic_signal_fence(memory_order_seq_cst);
	parent->table = table;
	atomic_signal_fence(memory_order_seq_cst);
	parent->table_shift = 64 - bits;
	atomic_signal_fence(memory_order_seq_cst);
	for (struct fathom_node *child = parent->first_child; child; child = child->sibling)
		put_in_table(parent, child);
}

void fathom_callpath_adopt(struct fathom_location *self, struct fathom_node *parent, struct fathom_node *child)
{
	child->parent = parent;
	child->sibling = parent->first_child;
	/* Pairs with the acquire in process_tree.c: a child in the list is complete. */
	__atomic_store_n(&parent->first_child, child, __ATOMIC_RELEASE);
	parent->child_count++;
	if (parent->table != no_table && parent->child_count <= (UINT64_C(1) << (64 - parent->table_shift)) / 2)
		put_in_table(parent, child);
	else if (parent->child_count > LONGEST_LIST)
		grow_table(self, parent);
}

static struct fathom_node *find(const struct fathom_node *parent, const struct fathom_region *region)
{
	struct fathom_node *child;

	if (parent->table != no_table) {
		size_t place = place_of(parent, region);

		while ((child = parent->table[place]) != &no_child && child->region != region)
			place = place_behind(parent, place);
		return child != &no_child ? child : NULL;
	}
	for (child = parent->first_child; child && child->region != region; child = child->sibling)
		;
	return child;
}

/*
 * Called when no node may be created for a call path. Returns the child {truncated} of parent, which gets the call;
 * all calls below it go to the node that is never reported. If there cannot be a {truncated} either, the time stays
 * with the caller.
 */
static struct fathom_node *truncated(struct fathom_location *self, struct fathom_node *parent, enum fathom_drop why)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_node *child = find(parent, fathom_truncated_region);

	fathom_location_drop(self, why);
	if (child)
		return child;
	child = take(&truncated_left) ? create(self, fathom_truncated_region, parent) : NULL;
	if (!child)
		return paths->unreported;
	fathom_callpath_adopt(self, parent, child);
	return child;
}

/* Returns a new child of parent for region, or a node that takes its place. Never NULL. */
FATHOM_HIDDEN struct fathom_node *fathom_callpath_make_child(struct fathom_location *self, struct fathom_node *parent,
							     const struct fathom_region *region);
FATHOM_COLD struct fathom_node *fathom_callpath_make_child(struct fathom_location *self, struct fathom_node *parent,
							   const struct fathom_region *region)
{
	struct fathom_node *child;

	if (!take(&nodes_left))
		return truncated(self, parent, FATHOM_DROP_NODES);
	child = create(self, region, parent);
	if (!child)
		return truncated(self, parent, FATHOM_DROP_MEMORY);
	fathom_callpath_adopt(self, parent, child);
	return child;
}
FATHOM_KEEPS_VECTORS(fathom_callpath_make_child);

/* Notes that child was entered after the child before it, so that the next enter expects it there. */
static inline void expect(struct fathom_node *parent, struct fathom_node *child)
{
	/* Only for a real child: many nodes share no_child and the node that is not reported. */
	if (likely(parent->last->parent == parent))
		parent->last->follower = child;
}

/* Returns the child for region, which was not expected; creates it if necessary. Never NULL. */
static FATHOM_COLD struct fathom_node *other_child(struct fathom_location *self, struct fathom_node *parent,
						   const struct fathom_region *region)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_node *child;

	if (parent == paths->unreported || parent->region == fathom_truncated_region) {
		fathom_location_drop(self, FATHOM_DROP_NODES);
		return paths->unreported;
	}
	child = find(parent, region);
	if (!child)
		child = fathom_callpath_make_child_kept(self, parent, region);
	if (child->parent == parent)
		expect(parent, child);
	return child;
}

/* Returns the child that will be entered next if the program repeats its last calls. */
static inline struct fathom_node *expected_child(const struct fathom_node *parent)
{
	return parent->last->follower;
}

struct fathom_node *fathom_callpath_create(struct fathom_location *self, const struct fathom_region *region)
{
	return create(self, region, NULL);
}

struct fathom_node *fathom_callpath_child(struct fathom_location *self, struct fathom_node *parent,
					  const struct fathom_region *region)
{
	struct fathom_node *node = expected_child(parent);

	if (likely(node->region == region)) {
		parent->last = node;
		return node;
	}
	node = parent->table[place_of(parent, region)];
	if (likely(node->region == region))
		expect(parent, node);
	else
		node = other_child(self, parent, region);
	parent->last = node;
	return node;
}

static inline void visit(struct fathom_frame *frame, struct fathom_node *node)
{
	fathom_poke(&frame->node, node);
	fathom_add(&node->visits, 1);
}

static void callpath_enter_any(struct fathom_location *self, struct fathom_frame *frame)
{
	visit(frame, fathom_callpath_child(self, frame[-1].node, frame->region));
	fathom_poke(&frame->enter_ticks, fathom_clock_ticks());
	fathom_location_end(self, frame);
}

/* Enters a child that was not expected. Usually it is at the first index of the table where it may be. */
static __attribute__((noinline)) void callpath_enter_another(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_node *parent = frame[-1].node;
	/* The region is read twice, because no register is free to keep it. */
	struct fathom_node *node = parent->table[place_of(parent, fathom_peek(&frame->region))];

	if (unlikely(node->region != fathom_peek(&frame->region))) {
		callpath_enter_any(self, frame);
		return;
	}
	expect(parent, node);
	parent->last = node;
	visit(frame, node);
	fathom_poke(&frame->enter_ticks, fathom_clock_counter());
	fathom_location_end(self, frame);
}

static void callpath_enter(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_node *parent = frame[-1].node, *node = expected_child(parent);

	if (unlikely(node->region != frame->region)) {
		callpath_enter_another(self, frame);
		return;
	}
	parent->last = node;
	visit(frame, node);
	fathom_poke(&frame->enter_ticks, fathom_clock_counter());
	fathom_location_end(self, frame);
}

static __attribute__((noinline)) void callpath_enter_another_at(struct fathom_location *self,
								struct fathom_frame *frame, uint64_t now)
{
	visit(frame, fathom_callpath_child(self, frame[-1].node, frame->region));
	fathom_poke(&frame->enter_ticks, now);
	fathom_location_end(self, frame);
}

static void callpath_enter_at(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	struct fathom_node *parent = frame[-1].node, *node = expected_child(parent);

	if (unlikely(node->region != frame->region)) {
		callpath_enter_another_at(self, frame, now);
		return;
	}
	parent->last = node;
	visit(frame, node);
	fathom_poke(&frame->enter_ticks, now);
	fathom_location_end(self, frame);
}

void fathom_callpath_uncount_visit(struct fathom_frame *frame)
{
	fathom_poke(&frame->node->visits, frame->node->visits - 1);
}

static inline void end_visit(struct fathom_node *node, uint64_t ticks)
{
	fathom_callpath_note_duration(node, ticks);
	/* Last, right before the frame is popped: if a signal handler jumps out of an exit in between, the visit ends
	 * again, and the less is between the two, the less often does its time count twice. A repair would need to know
	 * whether the time was added, which one more store at each exit would have to tell. */
	fathom_add(&node->inclusive_ticks, ticks);
}

void fathom_callpath_end_visit(struct fathom_node *node, uint64_t ticks)
{
	end_visit(node, ticks);
}

static void callpath_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	end_visit(frame->node, now - frame->enter_ticks);
	fathom_location_end(self, frame - 1);
}

/* --- if another stage follows ------------------------------------------------------------------------ */

static __attribute__((noinline)) void enter_another_and_pass(struct fathom_location *self, struct fathom_frame *frame)
{
	visit(frame, fathom_callpath_child(self, frame[-1].node, frame->region));
	next.enter(self, frame);
}

static void enter_and_pass(struct fathom_location *self, struct fathom_frame *frame)
{
	struct fathom_node *parent = frame[-1].node, *node = expected_child(parent);

	if (unlikely(node->region != frame->region)) {
		enter_another_and_pass(self, frame);
		return;
	}
	parent->last = node;
	visit(frame, node);
	next.enter(self, frame);
}

static void enter_at_and_pass(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	visit(frame, fathom_callpath_child(self, frame[-1].node, frame->region));
	next.enter_at(self, frame, now);
}

static void exit_and_pass(struct fathom_location *self, struct fathom_frame *frame, uint64_t now)
{
	end_visit(frame->node, now - frame->enter_ticks);
	next.exit(self, frame, now);
}

struct fathom_stage fathom_callpath_before(struct fathom_stage after)
{
	const struct fathom_stage end = fathom_event_end_stage();
	struct fathom_stage stage = after;

	next = after;
	stage.birth = callpath_birth;
	stage.enter = after.enter != end.enter ? enter_and_pass :
		      fathom_clock_is_counter() ? callpath_enter : callpath_enter_any;
	stage.enter_at = after.enter_at != end.enter_at ? enter_at_and_pass : callpath_enter_at;
	stage.exit = after.exit != end.exit ? exit_and_pass : callpath_exit;
	return stage;
}

/* --- counters of bytes and messages ----------------------------------------------------------------- */

/* Returns the tally of node, and creates it at its first use. NULL: no memory. */
static inline struct fathom_tally *tally_of(struct fathom_location *self, struct fathom_node *node)
{
	return likely(node->tally) ? node->tally : fathom_callpath_make_tally(self, node);
}

void fathom_callpath_count_at(struct fathom_location *self, struct fathom_node *node, enum fathom_counter counter,
			      uint64_t amount)
{
	struct fathom_tally *tally = tally_of(self, node);

	if (likely(tally))
		fathom_add(&tally->counters[counter], amount);
}

void fathom_callpath_count_shared(struct fathom_location *self, struct fathom_node *node, enum fathom_counter counter,
				  uint64_t amount)
{
	static struct fathom_arena finish_arena;
	struct fathom_tally *tally = __atomic_load_n(&node->tally, __ATOMIC_ACQUIRE);

	if (!tally)
		tally = self ? fathom_callpath_make_tally(self, node) : make_tally(&finish_arena, node);
	if (tally)
		__atomic_fetch_add(&tally->counters[counter], amount, __ATOMIC_RELAXED);
}

void fathom_callpath_blame_for_idleness(struct fathom_location *self, struct fathom_node *node, uint64_t blame)
{
	struct fathom_tally *tally = node->tally;

	if (unlikely(!tally))
		tally = fathom_callpath_make_tally_kept(self, node);
	if (likely(tally))
		fathom_add(&tally->counters[FATHOM_COUNTER_IDLE_BLAME], blame);
}

void fathom_callpath_count_message(struct fathom_location *self, enum fathom_counter counter, uint64_t bytes)
{
	struct fathom_tally *tally = tally_of(self, self->top->node);

	if (unlikely(!tally))
		return;
	fathom_add(&tally->counters[counter], bytes);
	fathom_add(&tally->counters[counter + FATHOM_COUNTER_MESSAGES], 1);
}

void fathom_callpath_count(struct fathom_location *self, enum fathom_counter counter, uint64_t amount)
{
	fathom_callpath_count_at(self, self->top->node, counter, amount);
}

bool fathom_callpath_is_empty(const struct fathom_node *node)
{
	const struct fathom_tally *tally = __atomic_load_n(&node->tally, __ATOMIC_ACQUIRE);

	if (fathom_peek(&node->visits) || fathom_peek(&node->inclusive_ticks))
		return false;
	if (!tally)
		return true;
	for (int c = 0; c < FATHOM_COUNTER_COUNT; c++)
		if (fathom_peek(&tally->counters[c]))
			return false;
	for (const struct fathom_given *given = __atomic_load_n(&tally->given, __ATOMIC_ACQUIRE); given;
	     given = given->next)
		if (fathom_peek(&given->count))
			return false;
	return true;
}
