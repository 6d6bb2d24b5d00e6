/*
 * Samples that the test itself makes, of locations whose time the test moves: the recorded time must be shared out to the
 * tick, and the sampled call paths must be those of the frames.
 */
#include "moved_clock.h"
#include "unit_test.h"

#include <pthread.h>

#include "define/region.h"
#include "event/event.h"
#include "event/state.h"
#include "platform/clock.h"
#include "profile/recording/callpath.h"
#include "profile/process_tree/call_path_values.h"
#include "profile/process_tree/process_tree.h"
#include "profile/recording/sample_store.h"

static const struct fathom_region *a, *b, *send_call;
static struct fathom_location *location;

/* Functions of this program, which samples say they were taken in. */
static void f(void) { __asm__ volatile("nop"); }
static void g(void) { __asm__ volatile("nop; nop"); }
static void h(void) { __asm__ volatile("nop; nop; nop"); }

static void enter(const struct fathom_region *region)
{
	fathom_event_enter(region);
}

static void leave(const struct fathom_region *region)
{
	fathom_event_exit(region);
}

#define MOST_FRAMES 16

/* Takes count samples with these functions as frames, innermost first. */
static void take(uint32_t count, bool is_partial, void (*const *functions)(void))
{
	struct fathom_sample_frame frames[MOST_FRAMES];
	struct fathom_sample sample = { .frames = frames, .is_partial = is_partial, .period = 5000000 };
	struct fathom_location *self = fathom_self;

	for (; functions[sample.count]; sample.count++) {
		frames[sample.count].function = (uintptr_t)functions[sample.count];
		frames[sample.count].address = frames[sample.count].function + 1;
	}
	for (; count; count--) {
		fathom_location_begin(self, (uintptr_t)__builtin_frame_address(0));
		fathom_sample_store_take(self, self->top, &sample);
		fathom_location_end(self, self->top);
	}
}
#define TAKE(count, ...) take(count, false, (void (*const[])(void)){ __VA_ARGS__, NULL })
#define TAKE_OWN(count) take(count, false, (void (*const[])(void)){ NULL })
#define TAKE_PARTIAL(count, ...) take(count, true, (void (*const[])(void)){ __VA_ARGS__, NULL })

static void *run_body(void *body)
{
	(*(void (**)(void))body)();
	location = fathom_self;
	return NULL;
}

static struct fathom_process_tree tree;

/* Runs body on a thread of its own, and builds the process tree. */
static void run(void (*body)(void))
{
	static const struct fathom_costs no_costs;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run_body, &body), 0);
	pthread_join(thread, NULL);
	assert_int_equal(fathom_process_tree_build(&tree, &no_costs, 0), 0);
	tree.scale.units_per_tick_q32 = (uint64_t)1 << 32;	/* a unit is a tick */
}

/* The region that stands for a function of this program. */
static const struct fathom_region *region_of(void (*function)(void))
{
	static struct fathom_arena arena;
	static struct fathom_code code = { .arena = &arena };
	const struct fathom_sampled_path path = { .function = (uintptr_t)function };

	return fathom_code_region(&code, &path);
}

/* The call path of these regions; 0: there is none. */
static uint32_t path(const struct fathom_region *const *regions)
{
	uint32_t node = 0;

	for (; *regions; regions++) {
		uint32_t at = tree.tree.nodes[node].first_child;

		while (at && tree.tree.nodes[at].key != (*regions)->id)
			at = tree.tree.nodes[at].sibling;
		if (!at)
			return 0;
		node = at;
	}
	return node;
}
#define PATH(...) path((const struct fathom_region *const[]){ __VA_ARGS__, NULL })

/* A value of a call path on the thread. */
static uint64_t value(uint32_t node, uint32_t which)
{
	uint64_t *values = calloc((size_t)tree.value_count * tree.location_count, sizeof(*values)), result;
	uint32_t column = 0;

	while (tree.locations[column] != location)
		column++;
	fathom_process_tree_values(&tree, node, values);
	result = values[(size_t)which * tree.location_count + column];
	free(values);
	return result;
}

/* The sum of a value over a call path and all below it. */
static uint64_t inclusive(uint32_t node, uint32_t which)
{
	uint64_t sum = value(node, which);

	for (uint32_t at = tree.tree.nodes[node].first_child; at; at = tree.tree.nodes[at].sibling)
		sum += inclusive(at, which);
	return sum;
}

static void is(uint32_t node, uint64_t visits, uint64_t time, uint64_t samples)
{
	assert_int_not_equal(node, 0);
	assert_int_equal(value(node, FATHOM_VALUE_VISITS), visits);
	assert_int_equal(value(node, FATHOM_VALUE_TIME), time);
	assert_int_equal(value(node, FATHOM_VALUE_SAMPLES), samples);
}

static int end(void **state)
{
	(void)state;
	fathom_process_tree_fini(&tree);
	return 0;
}

static void sampled_functions(void)
{
	enter(a);
	pass(50);
	TAKE(4, f);
	TAKE(2, g, f);
	enter(b);
	pass(7);
	leave(b);
	TAKE_OWN(1);
	pass(50);
	leave(a);
}

static void the_time_is_shared_out_to_the_tick(void **state)
{
	(void)state;
	run(sampled_functions);
	is(PATH(a), 1, 14, 1);
	is(PATH(a, b), 1, 7, 0);
	is(PATH(a, region_of(f)), 0, 57, 4);
	is(PATH(a, region_of(f), region_of(g)), 0, 29, 2);
	assert_int_equal(inclusive(PATH(a), FATHOM_VALUE_TIME), 107);
	assert_int_equal(inclusive(PATH(a), FATHOM_VALUE_SAMPLES), 7);
	assert_int_equal(value(PATH(a, region_of(f)), FATHOM_VALUE_MIN), UINT64_MAX);
	assert_int_equal(tree.totals.samples[FATHOM_SAMPLES_TAKEN], 7);
}

static void many_paths(void)
{
	enter(a);
	for (int i = 0; i < 9973; i++) {
		pass(1);
		if (i % 3)
			TAKE(1, h, g, f);
		else
			TAKE(1, g, h, f);
		if (i % 7 == 0)
			TAKE(1, h);
	}
	leave(a);
}

static void many_samples_have_exact_sums(void **state)
{
	uint64_t h_time, g_time;

	(void)state;
	run(many_paths);
	assert_int_equal(inclusive(PATH(a), FATHOM_VALUE_TIME), 9973);
	assert_int_equal(inclusive(PATH(a), FATHOM_VALUE_SAMPLES), 9973 + 1425);
	assert_int_equal(value(PATH(a), FATHOM_VALUE_TIME), 0);
	h_time = inclusive(PATH(a, region_of(f), region_of(g)), FATHOM_VALUE_TIME);
	g_time = inclusive(PATH(a, region_of(f), region_of(h)), FATHOM_VALUE_TIME);
	assert_true(h_time == 9973 * 6648 / 11398 || h_time == 9973 * 6648 / 11398 + 1);
	assert_true(g_time == 9973 * 3325 / 11398 || g_time == 9973 * 3325 / 11398 + 1);
}

static void recursion(void)
{
	enter(a);
	TAKE(3, g, f, f, f, f);
	TAKE(2, f, f, f);
	TAKE(1, g, f, g, f);
	pass(60);
	leave(a);
}

static void recursion_is_folded_if_asked_for(void **state)
{
	(void)state;
	run(recursion);
	is(PATH(a, region_of(f), region_of(f), region_of(f), region_of(f), region_of(g)), 0, 30, 3);
	is(PATH(a, region_of(f), region_of(f), region_of(f)), 0, 20, 2);
	fathom_process_tree_fini(&tree);
	fathom_sampled_fold(true);
	run(recursion);
	fathom_sampled_fold(false);
	is(PATH(a, region_of(f), region_of(f), region_of(g)), 0, 30, 3);
	is(PATH(a, region_of(f), region_of(f)), 0, 20, 2);
	is(PATH(a, region_of(f), region_of(g), region_of(f), region_of(g)), 0, 10, 1);
	assert_int_equal(PATH(a, region_of(f), region_of(f), region_of(f)), 0);
}

static void partial_and_unknown(void)
{
	enter(a);
	TAKE_PARTIAL(3, g, f);
	TAKE(1, (void (*)(void))(uintptr_t)64);
	TAKE(4, f);
	pass(8);
	leave(a);
}

static void partial_paths_are_below_a_node_of_theirs(void **state)
{
	const struct fathom_region *partial, *unknown;

	(void)state;
	run(partial_and_unknown);
	partial = fathom_code_partial(&tree.sampled.code);
	unknown = region_of((void (*)(void))(uintptr_t)64);
	assert_string_equal(partial->name, "(partial call paths)");
	assert_string_equal(unknown->name, "(unknown)");
	is(PATH(a, partial, region_of(f), region_of(g)), 0, 3, 3);
	is(PATH(a, unknown), 0, 1, 1);
	is(PATH(a, region_of(f)), 0, 4, 4);
	assert_int_equal(tree.totals.samples[FATHOM_SAMPLES_PARTIAL], 3);
}

static void frames_in_a_library_call(void)
{
	enter(a);
	enter(send_call);
	TAKE(2, g, f);
	pass(10);
	leave(send_call);
	leave(a);
}

static void no_frames_below_communication(void **state)
{
	(void)state;
	run(frames_in_a_library_call);
	is(PATH(a, send_call), 1, 10, 2);
	assert_int_equal(PATH(a, send_call, region_of(f)), 0);
}

static void function_with_hooks(void)
{
	const struct fathom_region *of_f = region_of(f);

	enter(of_f);
	TAKE(2, g, f);		/* the outermost frame is that of the recorded function */
	pass(4);
	leave(of_f);
	enter(a);
	TAKE(1, f);
	pass(3);
	enter(of_f);
	pass(2);
	leave(of_f);
	leave(a);
}

static void a_function_is_one_region_recorded_or_sampled(void **state)
{
	(void)state;
	run(function_with_hooks);
	is(PATH(region_of(f), region_of(g)), 0, 4, 2);
	assert_int_equal(PATH(region_of(f), region_of(f)), 0);
	is(PATH(a, region_of(f)), 1, 2, 0);	/* not in the recorded visit: the visit's time stays exact */
	is(PATH(a), 1, 3, 1);
}

static void more_than_there_is_room_for(void)
{
	enter(a);
	fathom_sample_store_limit(2);
	TAKE(3, h, g, f);
	fathom_sample_store_limit(1000);
	pass(9);
	leave(a);
}

static void beyond_the_limit_samples_count_at_an_outer_frame(void **state)
{
	(void)state;
	run(more_than_there_is_room_for);
	is(PATH(a, region_of(f)), 0, 9, 3);
	is(PATH(a, region_of(f), region_of(g)), 0, 0, 0);	/* that of another thread */
	assert_int_equal(tree.totals.samples[FATHOM_SAMPLES_SHORTENED], 3);
}

static int prepare(void **state)
{
	struct fathom_region spec = { .name = "a", .paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION };

	(void)state;
	a = fathom_region_define(&spec);
	spec.name = "b";
	b = fathom_region_define(&spec);
	spec.name = "MPI_Send";
	spec.paradigm = FATHOM_PARADIGM_MPI;
	spec.role = FATHOM_ROLE_POINT2POINT;
	send_call = fathom_region_define(&spec);
	return a && b && send_call ? 0 : -1;
}

static int end_measurement(void **state)
{
	(void)state;
	fathom.phase = FATHOM_PHASE_FINISHED;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_time_is_shared_out_to_the_tick, end),
		cmocka_unit_test_teardown(many_samples_have_exact_sums, end),
		cmocka_unit_test_teardown(recursion_is_folded_if_asked_for, end),
		cmocka_unit_test_teardown(partial_paths_are_below_a_node_of_theirs, end),
		cmocka_unit_test_teardown(no_frames_below_communication, end),
		cmocka_unit_test_teardown(a_function_is_one_region_recorded_or_sampled, end),
		cmocka_unit_test_teardown(beyond_the_limit_samples_count_at_an_outer_frame, end),
	};

	fathom_clock_init(FATHOM_CLOCK_MONOTONIC);
	fathom_runtime_use(fathom_substrate_choose(&fathom.settings));	/* for this clock */
	return cmocka_run_group_tests(tests, prepare, end_measurement);
}
