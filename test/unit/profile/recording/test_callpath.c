/*
 * Call paths of real events under a clock that the test moves, read back by a snapshot: what stands
 * there must be what happened, to the tick.
 */
#include "moved_clock.h"
#include "unit_test.h"

#include <pthread.h>

#include "define/communicator.h"
#include "define/region.h"
#include "event/event.h"
#include "event/state.h"
#include "platform/clock.h"
#include "profile/recording/callpath.h"
#include "profile/recording/folding.h"
#include "profile/process_tree/call_path_values.h"
#include "profile/process_tree/process_tree.h"

static const struct fathom_costs no_costs;
static const struct fathom_communicator comm = { .size = 1, .remote_size = 1 };

static const struct fathom_region *a, *b, *c, *many[100000];
enum { MANY = sizeof(many) / sizeof(*many) };

/* Events called here stand at one place of the stack, and none is a tail call. */
static void enter(const struct fathom_region *region)
{
	fathom_event_enter(region);
}

static void leave(const struct fathom_region *region)
{
	fathom_event_exit(region);
}

static struct fathom_location *location;

static void *run_body(void *body)
{
	(*(void (**)(void))body)();
	location = fathom_self;
	return NULL;
}

static void run(void (*body)(void))
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run_body, &body), 0);
	pthread_join(thread, NULL);
}

static struct fathom_node *root(void)
{
	return ((struct fathom_callpaths *)location->substrate_data)->root;
}

static struct fathom_node *child(const struct fathom_node *parent, const struct fathom_region *region)
{
	struct fathom_node *found = NULL;

	for (struct fathom_node *at = parent->first_child; at; at = at->sibling)
		if (at->region == region) {
			assert_null(found);	/* one for each region */
			found = at;
		}
	return found;
}

static void is(const struct fathom_node *node, uint64_t visits, uint64_t inclusive, uint64_t min, uint64_t max)
{
	assert_non_null(node);
	assert_int_equal(node->visits, visits);
	assert_int_equal(node->inclusive_ticks, inclusive);
	assert_int_equal(node->min_ticks, min);
	assert_int_equal(node->max_ticks, max);
}

static void visit_a_and_b(void)
{
	for (uint64_t i = 1; i <= 3; i++) {
		enter(a);
		pass(10);
		enter(b);
		pass(i);
		leave(b);
		enter(c);
		leave(c);
		pass(100);
		leave(a);
		pass(1000);
	}
	enter(b);
	pass(5);
	leave(b);
}

static void visits_and_times_are_exact(void **state)
{
	struct fathom_node *of_a;

	(void)state;
	run(visit_a_and_b);
	of_a = child(root(), a);
	is(of_a, 3, 336, 111, 113);
	is(child(of_a, b), 3, 6, 1, 3);
	is(child(of_a, c), 3, 0, 0, 0);
	is(child(root(), b), 1, 5, 5, 5);
	assert_int_equal(root()->visits, 1);
	assert_int_equal(root()->child_count, 2);
}

static uint32_t children;

static void enter_many(void)
{
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < children; i++) {
			uint32_t which = round ? children - 1 - i : i;

			enter(many[which]);
			pass(which);
			leave(many[which]);
		}
}

static void any_number_of_children_is_found_again(void **state)
{
	const uint32_t numbers[] = { 1, 2, 7, 8, 9, 10, 31, 32, 33, 63, 64, 65, 500, MANY };

	(void)state;
	for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++) {
		uint32_t count = 0;

		children = numbers[n];
		run(enter_many);
		for (struct fathom_node *at = root()->first_child; at; at = at->sibling) {
			uint64_t which = at->region->offset;

			is(at, 2, 2 * which, which, which);
			count++;
		}
		assert_int_equal(count, children);
		assert_int_equal(root()->child_count, children);
	}
}

static void recurse(void)
{
	for (int i = 0; i < 4; i++) {
		enter(a);
		pass(1);
	}
	for (int i = 0; i < 4; i++)
		leave(a);
}

static void each_level_of_a_recursion_is_a_call_path(void **state)
{
	struct fathom_node *node;

	(void)state;
	run(recurse);
	node = root();
	for (uint64_t level = 0; level < 4; level++) {
		node = child(node, a);
		is(node, 1, 4 - level, 4 - level, 4 - level);
	}
	assert_null(node->first_child);
}

/* The same from the definition: a call path is the row of regions that leads to it. */
enum { MODEL_NODES = 4000, MODEL_DEPTH = 24 };

static struct model_node {
	int parent;
	const struct fathom_region *region;
	uint64_t visits, inclusive, min, max, sent;
} model[MODEL_NODES];
static int model_count;
static uint64_t model_seed;

static int model_child(int parent, const struct fathom_region *region)
{
	for (int i = 1; i < model_count; i++)
		if (model[i].parent == parent && model[i].region == region)
			return i;
	model[model_count] = (struct model_node){ .parent = parent, .region = region, .min = UINT64_MAX };
	return model_count++;
}

static void walk_by_chance(void)
{
	struct { int node; uint64_t enter; } stack[MODEL_DEPTH] = { { 0, 0 } };
	uint64_t chance = model_seed;
	int depth = 0;

	model_count = 1;
	for (int step = 0; step < 20000; step++) {
		pass(random_below(&chance, 1000));
		if (random_below(&chance, 10) == 0) {
			uint64_t bytes = random_below(&chance, 10000);

			fathom_event_send(&comm, 0, 0, bytes);
			model[stack[depth].node].sent += fathom_self->substrate_data ? bytes : 0;
		} else if (depth + 1 < MODEL_DEPTH && model_count < MODEL_NODES - 1 && random_below(&chance, 2)) {
			const struct fathom_region *region = many[random_below(&chance, 12)];

			enter(region);
			stack[depth + 1].node = model_child(stack[depth].node, region);
			stack[++depth].enter = now_ticks;
			model[stack[depth].node].visits++;
		} else if (depth) {
			struct model_node *node = &model[stack[depth].node];
			uint64_t ticks = now_ticks - stack[depth--].enter;

			leave(node->region);
			node->inclusive += ticks;
			node->min = ticks < node->min ? ticks : node->min;
			node->max = ticks > node->max ? ticks : node->max;
		}
	}
	while (depth) {
		struct model_node *node = &model[stack[depth].node];
		uint64_t ticks = now_ticks - stack[depth--].enter;

		leave(node->region);
		node->inclusive += ticks;
		node->min = ticks < node->min ? ticks : node->min;
		node->max = ticks > node->max ? ticks : node->max;
	}
}

static void random_events_give_the_tree_of_the_definition(void **state)
{
	(void)state;
	for (model_seed = 1; model_seed <= 20; model_seed++) {
		struct fathom_node *nodes[MODEL_NODES];

		/* Born before the first record: a record alone does not make a location. */
		memset(model, 0, sizeof(model));
		run(walk_by_chance);
		nodes[0] = root();
		for (int i = 1; i < model_count; i++) {
			struct model_node *expected = &model[i];

			nodes[i] = child(nodes[expected->parent], expected->region);
			is(nodes[i], expected->visits, expected->inclusive, expected->min, expected->max);
			assert_int_equal(nodes[i]->tally ? nodes[i]->tally->counters[FATHOM_COUNTER_BYTES_SENT] : 0,
					 expected->sent);
		}
	}
}

/* Two to the 32 units a second, a tick a unit: values are ticks. */
static void take(struct fathom_process_tree *snapshot)
{
	assert_int_equal(fathom_process_tree_build(snapshot, &no_costs, 0), 0);
	snapshot->scale.units_per_tick_q32 = (uint64_t)1 << 32;
}

static uint32_t column(const struct fathom_process_tree *snapshot, const struct fathom_location *of)
{
	for (uint32_t l = 0; l < snapshot->location_count; l++)
		if (snapshot->locations[l] == of)
			return l;
	fail_msg("the thread is not in the snapshot");
	return 0;
}

/* A value of a call path, given by its regions, on a location. */
static uint64_t value(const struct fathom_process_tree *snapshot, const struct fathom_location *of, int which,
		      const struct fathom_region *outer, const struct fathom_region *inner)
{
	uint64_t *values = calloc((size_t)FATHOM_VALUE_COUNT * snapshot->location_count, sizeof(*values)), result;
	uint32_t node = 0;
	const struct fathom_region *regions[] = { outer, inner };

	for (int i = 0; i < 2 && regions[i]; i++) {
		uint32_t at = snapshot->tree.nodes[node].first_child;

		while (at && snapshot->tree.nodes[at].key != regions[i]->id)
			at = snapshot->tree.nodes[at].sibling;
		assert_int_not_equal(at, 0);
		node = at;
	}
	fathom_process_tree_values(snapshot, node, values);
	result = values[(uint32_t)which * snapshot->location_count + column(snapshot, of)];
	free(values);
	return result;
}

/* The program's work has ended at work_end, and a thread of it goes on for a moment. */
static uint64_t work_end;
static struct fathom_process_tree after_the_end;

static void *take_after_the_end(void *unused)
{
	if (fathom_process_tree_build(&after_the_end, &no_costs, work_end))
		abort();
	after_the_end.scale.units_per_tick_q32 = (uint64_t)1 << 32;
	return unused;
}

static void outlast_the_end(bool is_exit_seen)
{
	pthread_t other;

	enter(a);
	enter(b);
	pass(20);
	work_end = __atomic_load_n(&now_ticks, __ATOMIC_RELAXED);
	pass(5);
	if (is_exit_seen)
		leave(b);
	pass(1000);
	location = fathom_self;
	if (pthread_create(&other, NULL, take_after_the_end, NULL))
		abort();
	pthread_join(other, NULL);
	if (!is_exit_seen)
		leave(b);
	leave(a);
}

static void wait_behind_the_end(void)
{
	outlast_the_end(false);
}

static void leave_behind_the_end(void)
{
	outlast_the_end(true);
}

static void what_is_active_ends_with_the_program(void **state)
{
	(void)state;
	run(wait_behind_the_end);
	assert_int_equal(value(&after_the_end, location, FATHOM_VALUE_TIME, a, NULL), 0);
	assert_int_equal(value(&after_the_end, location, FATHOM_VALUE_TIME, a, b), 20);
	assert_int_equal(value(&after_the_end, location, FATHOM_VALUE_MIN, a, NULL), 20);
	fathom_process_tree_fini(&after_the_end);
}

/* What encloses a region lasts at least as long as the region, so it does not end before. */
static void a_thread_that_leaves_a_region_behind_the_end_ends_now(void **state)
{
	(void)state;
	run(leave_behind_the_end);
	assert_int_equal(value(&after_the_end, location, FATHOM_VALUE_TIME, a, b), 25);
	assert_int_equal(value(&after_the_end, location, FATHOM_VALUE_TIME, a, NULL), 1000);
	assert_int_equal(value(&after_the_end, location, FATHOM_VALUE_MIN, a, NULL), 1025);
	fathom_process_tree_fini(&after_the_end);
}

static struct fathom_process_tree in_between;

static void look_while_active(void)
{
	pass(7);
	enter(a);
	pass(10);
	enter(b);
	pass(20);
	leave(b);
	enter(b);
	pass(5);
	if (fathom_process_tree_build(&in_between, &no_costs, 0))
		abort();
	fathom_process_tree_fini(&in_between);
	pass(100);
	leave(b);
	pass(50);
	leave(a);
}

static const struct fathom_region *early, *late, *call;

static void visit_by_each_way(void)
{
	for (int i = 0; i < 3; i++) {
		pass(1000);
		enter(early);
		for (int j = 0; j <= i; j++) {
			pass(1000);
			enter(late);
			pass(1000);
			enter(call);
			pass(1000);
			leave(call);
			leave(late);
		}
		leave(early);
	}
}

static void overhead_depends_on_how_regions_come(void **state)
{
	struct fathom_region functions = { .name = "early", .paradigm = FATHOM_PARADIGM_COMPILER };
	struct fathom_region sleds = { .name = "late", .paradigm = FATHOM_PARADIGM_COMPILER, .has_sleds = true };
	struct fathom_region calls = { .name = "MPI_Call", .paradigm = FATHOM_PARADIGM_MPI };
	struct fathom_costs costs = { .of = { [FATHOM_WAY_CALL] = { 1, 2 }, [FATHOM_WAY_HOOK] = { 3, 4 },
					      [FATHOM_WAY_SLED] = { 5, 6 } } };
	struct fathom_costs huge = { .of = { [FATHOM_WAY_SLED] = { 1, UINT64_C(1) << 40 } } };
	struct fathom_process_tree before, snapshot;

	(void)state;
	early = fathom_region_define(&functions);
	late = fathom_region_define(&sleds);
	call = fathom_region_define(&calls);
	assert_int_equal(fathom_cost_way(early), FATHOM_WAY_HOOK);
	assert_int_equal(fathom_cost_way(late), FATHOM_WAY_SLED);
	assert_int_equal(fathom_cost_way(call), FATHOM_WAY_CALL);
	assert_int_equal(fathom_process_tree_build(&before, &costs, 0), 0);
	run(visit_by_each_way);
	assert_int_equal(fathom_process_tree_build(&snapshot, &costs, 0), 0);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_OVERHEAD, NULL, NULL), 3 * 4);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_OVERHEAD, early, NULL), 3 * 3 + 6 * 6);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_OVERHEAD, early, late), 6 * 5 + 6 * 2);
	assert_int_equal(snapshot.totals.cost.inside_units - before.totals.cost.inside_units, 3 * 3 + 6 * 6);
	assert_int_equal(snapshot.totals.cost.outside_units - before.totals.cost.outside_units, 3 * 4 + 6 * 8);
	fathom_process_tree_fini(&snapshot);
	/* It is part of the own time, so it cannot be more. */
	assert_int_equal(fathom_process_tree_build(&snapshot, &huge, 0), 0);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_OVERHEAD, early, NULL),
			 value(&snapshot, location, FATHOM_VALUE_TIME, early, NULL));
	fathom_process_tree_fini(&snapshot);
	fathom_process_tree_fini(&before);
}

static void a_snapshot_changes_nothing(void **state)
{
	struct fathom_process_tree snapshot;

	(void)state;
	run(look_while_active);
	take(&snapshot);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_VISITS, a, NULL), 1);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_TIME, a, NULL), 60);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_MIN, a, NULL), 185);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_TIME, a, b), 125);
	assert_int_equal(value(&snapshot, location, FATHOM_VALUE_MAX, a, b), 105);
	fathom_process_tree_fini(&snapshot);
}

static uint64_t seen[4];

static void be_looked_at(void)
{
	struct fathom_process_tree snapshot;

	enter(a);
	pass(10);
	enter(b);
	pass(20);
	leave(b);
	enter(b);
	pass(5);
	take(&snapshot);
	seen[0] = value(&snapshot, fathom_self, FATHOM_VALUE_TIME, a, NULL);
	seen[1] = value(&snapshot, fathom_self, FATHOM_VALUE_TIME, a, b);
	seen[2] = value(&snapshot, fathom_self, FATHOM_VALUE_MIN, a, b);
	seen[3] = value(&snapshot, fathom_self, FATHOM_VALUE_MAX, a, NULL);
	fathom_process_tree_fini(&snapshot);
	leave(b);
	leave(a);
}

static void a_snapshot_within_a_region_ends_it_now(void **state)
{
	(void)state;
	run(be_looked_at);
	assert_int_equal(seen[0], 10);
	assert_int_equal(seen[1], 25);
	assert_int_equal(seen[2], 5);
	assert_int_equal(seen[3], 35);
}

static void wait_a_while(void)
{
	pass(13);
	enter(a);
	pass(1);
	leave(a);
	pass(17);
}

/* Exclusive, of the thread that ran last. */
static uint64_t time_of_all_paths(void)
{
	struct fathom_process_tree snapshot;
	uint64_t *values, sum = 0;
	uint32_t l;

	take(&snapshot);
	l = column(&snapshot, location);
	values = calloc((size_t)FATHOM_VALUE_COUNT * snapshot.location_count, sizeof(*values));
	for (uint32_t i = 0; i < snapshot.tree.count; i++) {
		fathom_process_tree_values(&snapshot, i, values);
		sum += values[FATHOM_VALUE_TIME * snapshot.location_count + l];
	}
	free(values);
	fathom_process_tree_fini(&snapshot);
	return sum;
}

static void times_add_up_to_the_life_of_the_thread(void **state)
{
	(void)state;
	model_seed = 77;
	run(walk_by_chance);
	pass(1000000);		/* after its end: not the thread's */
	assert_int_equal(time_of_all_paths(), location->end_ticks - location->birth_ticks);
}

static void threads_stand_in_the_order_of_birth(void **state)
{
	struct fathom_process_tree snapshot;

	(void)state;
	run(wait_a_while);
	enter(a);		/* the initial thread is born late, and stands first */
	leave(a);
	run(wait_a_while);
	take(&snapshot);
	assert_int_equal(snapshot.locations[0]->kind, FATHOM_KIND_INITIAL);
	assert_ptr_equal(snapshot.locations[0], fathom_self);
	for (uint32_t l = 2; l < snapshot.location_count; l++)
		assert_true(snapshot.locations[l]->id > snapshot.locations[l - 1]->id);
	assert_ptr_equal(snapshot.locations[snapshot.location_count - 1], location);
	fathom_process_tree_fini(&snapshot);
}

static volatile int over;

static void *go_on(void *unused)
{
	const struct fathom_region *const inner[] = { a, b, c };
	uint64_t chance = 5;

	(void)unused;
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
		const struct fathom_region *one = many[random_below(&chance, 300)];

		enter(one);
		enter(inner[random_below(&chance, 3)]);
		fathom_event_send(&comm, 0, 0, 1);
		pass(1);
		leave(one);
	}
	return NULL;
}

/* No value may be impossible: no time longer than the run, no visit without a time. */
static void snapshots_of_running_threads_are_sane(void **state)
{
	pthread_t threads[2];

	(void)state;
	over = 0;
	for (int t = 0; t < 2; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, go_on, NULL), 0);
	for (int i = 0; i < 10; i++) {
		struct fathom_process_tree snapshot;
		uint64_t *values;

		take(&snapshot);
		values = calloc((size_t)FATHOM_VALUE_COUNT * snapshot.location_count, sizeof(*values));
		for (uint32_t n = 0; n < snapshot.tree.count; n++) {
			uint64_t end;

			fathom_process_tree_values(&snapshot, n, values);
			end = __atomic_load_n(&now_ticks, __ATOMIC_RELAXED);
			for (uint32_t l = 0; l < snapshot.location_count; l++) {
				assert_true(values[FATHOM_VALUE_TIME * snapshot.location_count + l] <= end);
				assert_true(values[FATHOM_VALUE_MAX * snapshot.location_count + l] <= end);
			}
		}
		free(values);
		fathom_process_tree_fini(&snapshot);
	}
	__atomic_store_n(&over, 1, __ATOMIC_RELAXED);
	for (int t = 0; t < 2; t++)
		pthread_join(threads[t], NULL);
	/* Nobody was led astray: 300 regions below the root, three below each. */
	for (struct fathom_location *l = fathom_location_newest(), *end = l->next->next; l != end; l = l->next) {
		location = l;
		assert_true(root()->child_count <= 300);
		for (struct fathom_node *at = root()->first_child; at; at = at->sibling)
			assert_true(at->child_count <= 3);
	}
}

static void overflow(void)
{
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 20; i++) {
			enter(many[i]);
			pass(1);
			enter(a);	/* below {truncated} nobody is told apart */
			pass(1);
			enter(b);
			leave(b);
			leave(a);
			leave(many[i]);
		}
}

static void calls_beyond_the_budget_are_charged_to_truncated(void **state)
{
	struct fathom_node *truncated;
	uint64_t inclusive = 0;
	uint32_t nodes = 0;

	(void)state;
	assert_int_equal(fathom_callpath_init(10), 0);
	run(overflow);
	assert_int_equal(fathom_callpath_init(1000000), 0);
	/* many[0], a, b, many[1], ...: three children of the root are whole, the fourth is alone. */
	for (struct fathom_node *at = root()->first_child; at; at = at->sibling, nodes++)
		inclusive += at->inclusive_ticks;
	assert_int_equal(nodes, 5);
	assert_int_equal(inclusive, 2 * 20 * 2);
	for (int i = 0; i < 3; i++)
		is(child(child(child(root(), many[i]), a), b), 2, 0, 0, 0);
	is(child(child(root(), many[3]), fathom_truncated_region), 2, 2, 1, 1);
	truncated = child(root(), fathom_truncated_region);
	is(truncated, 2 * 16, 2 * 16 * 2, 2, 2);
	assert_null(truncated->first_child);
	/* 16 children of the root with two calls below each, and those below many[3]. */
	assert_int_equal(location->dropped[FATHOM_DROP_NODES], 2 * (16 * 3 + 2));
}

static const struct fathom_substrate *exact;
static struct fathom_substrate folded;

static void fold(void)
{
	exact = fathom.substrate;
	folded = *exact;
	folded.chain = fathom_folding_before(exact->chain, fathom_event_end_stage());
	fathom_runtime_use(&folded);
}

static void direct_recursion_folds_to_one_call_path(void **state)
{
	(void)state;
	fold();
	run(recurse);
	fathom_runtime_use(exact);
	is(child(root(), a), 4, 4, 1, 4);
	assert_null(child(root(), a)->first_child);
}

static uint64_t of_a, of_b, of_c;

static void look_at_a_b_and_c(struct fathom_location *of)
{
	struct fathom_process_tree snapshot;

	take(&snapshot);
	of_a = value(&snapshot, of, FATHOM_VALUE_TIME, a, NULL);
	of_b = value(&snapshot, of, FATHOM_VALUE_TIME, a, b);
	of_c = value(&snapshot, of, FATHOM_VALUE_TIME, a, c);
	fathom_process_tree_fini(&snapshot);
}

/* a calls b, b calls a, the inner a calls c: c hangs below the one node of a. */
static void recurse_through_b(void)
{
	enter(a);
	pass(1);
	enter(b);
	pass(10);
	enter(a);
	pass(100);
	enter(c);
	pass(1000);
	look_at_a_b_and_c(fathom_self);
	seen[0] = of_a == 101 && of_b == 10 && of_c == 1000;
	leave(c);
	leave(a);
	look_at_a_b_and_c(fathom_self);
	seen[1] = of_a == 101 && of_b == 10 && of_c == 1000;
	leave(b);
	leave(a);
}

static void a_folded_recursion_spends_no_time_twice(void **state)
{
	(void)state;
	fold();
	run(recurse_through_b);
	fathom_runtime_use(exact);
	assert_true(seen[0]);		/* while all was active */
	assert_true(seen[1]);		/* with the recursion over and the visits around it active */
	look_at_a_b_and_c(location);
	assert_int_equal(of_a, 101);
	assert_int_equal(of_b, 10);
	assert_int_equal(of_c, 1000);
	is(child(child(root(), a), b), 1, 10, 1110, 1110);
}

/* Whatever calls whatever: each tick is spent in one place. */
static void recurse_by_chance(void)
{
	const struct fathom_region *const regions[] = { a, b, c, many[0] };
	const struct fathom_region *stack[32];
	int depth = 0;

	for (int step = 0; step < 5000; step++) {
		pass(random_below(&model_seed, 100));
		if (depth < 32 && random_below(&model_seed, 2)) {
			stack[depth] = regions[random_below(&model_seed, 4)];
			enter(stack[depth++]);
		} else if (depth) {
			leave(stack[--depth]);
		}
	}
	while (depth)
		leave(stack[--depth]);
}

static void folded_times_add_up_as_well(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		model_seed = seed;
		fold();
		run(recurse_by_chance);
		fathom_runtime_use(exact);
		assert_int_equal(time_of_all_paths(), location->end_ticks - location->birth_ticks);
	}
}

/* --------------------------------------------------------------------------------------------- */

static const struct fathom_region *define(const char *name)
{
	const struct fathom_region spec = { .name = name, .paradigm = FATHOM_PARADIGM_USER };

	return fathom_region_define(&spec);
}

/* Nothing is written when this program ends: what it did was no program's measurement. */
static int end_measurement(void **state)
{
	(void)state;
	fathom.phase = FATHOM_PHASE_FINISHED;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(visits_and_times_are_exact),
		cmocka_unit_test(each_level_of_a_recursion_is_a_call_path),
		cmocka_unit_test(random_events_give_the_tree_of_the_definition),
		cmocka_unit_test(overhead_depends_on_how_regions_come),
		cmocka_unit_test(a_snapshot_changes_nothing),
		cmocka_unit_test(a_snapshot_within_a_region_ends_it_now),
		cmocka_unit_test(what_is_active_ends_with_the_program),
		cmocka_unit_test(a_thread_that_leaves_a_region_behind_the_end_ends_now),
		cmocka_unit_test(times_add_up_to_the_life_of_the_thread),
		cmocka_unit_test(threads_stand_in_the_order_of_birth),
		cmocka_unit_test(snapshots_of_running_threads_are_sane),
		cmocka_unit_test(calls_beyond_the_budget_are_charged_to_truncated),
		cmocka_unit_test(direct_recursion_folds_to_one_call_path),
		cmocka_unit_test(a_folded_recursion_spends_no_time_twice),
		cmocka_unit_test(folded_times_add_up_as_well),
		cmocka_unit_test(any_number_of_children_is_found_again),	/* last: snapshots grow by it */
	};

	fathom_clock_init(FATHOM_CLOCK_MONOTONIC);
	fathom_runtime_use(fathom_substrate_choose(&fathom.settings));	/* for this clock */
	a = define("a");
	b = define("b");
	c = define("c");
	for (uint32_t i = 0; i < MANY; i++) {
		const struct fathom_region spec = { .module = "many", .offset = i };

		many[i] = fathom_region_define(&spec);
	}
	return cmocka_run_group_tests(tests, NULL, end_measurement);
}
