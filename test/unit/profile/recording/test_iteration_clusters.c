/*
 * Iterations of phases and recording switched off, under a clock that the test moves: whatever becomes one cluster, sums
 * are exact to the tick, extremes are those of all iterations, and there are never more trees than allowed. What is
 * done while recording is off is nowhere, and its time is in one place.
 */
#include "unit_test.h"

#include <pthread.h>

#include "define/metric.h"
#include "define/region.h"
#include "event/event.h"
#include "event/pause.h"
#include "event/state.h"
#include "platform/clock.h"
#include "profile/recording/callpath.h"
#include "profile/recording/iteration_clusters.h"
#include "profile/recording/sample_store.h"

/* Linked in place of fathom_clock_monotonic_ns (--wrap); each thread has a time of its own. */
static _Thread_local uint64_t now_ticks = 1000;

uint64_t __wrap_fathom_clock_monotonic_ns(void);
uint64_t __wrap_fathom_clock_monotonic_ns(void)
{
	return now_ticks;
}

static const struct fathom_region *phase, *inner_phase, *a, *b, *off;
static const struct fathom_metric *amount, *point;

/* --- what a thread does ---------------------------------------------------------------------------- */

static unsigned iterations;

/* The i-th iteration takes so many ticks, calls a so often, and b every fifth time. */
static uint64_t ticks_of(unsigned i)
{
	return 10 * (i % 7 + 1);
}

static void one_iteration(unsigned i)
{
	double value = (double)i - 100;
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	fathom_event_enter_block(phase);
	fathom_event_iteration(1000 + i);
	for (unsigned n = 0; n < i % 3; n++) {
		fathom_event_enter(a);
		now_ticks++;
		fathom_event_metric(amount, i);
		fathom_event_exit(a);
	}
	if (i % 5 == 0) {
		fathom_event_enter(b);
		fathom_event_metric(point, bits);
		fathom_event_exit(b);
	}
	now_ticks += ticks_of(i);
	fathom_event_exit(phase);
}

static void body(void)
{
	for (unsigned i = 0; i < iterations; i++)
		one_iteration(i);
}

static void *run_body(void *work)
{
	(*(void (**)(void))work)();
	return fathom_self;
}

static struct fathom_location *run(void (*work)(void))
{
	pthread_t thread;
	void *location;

	assert_int_equal(pthread_create(&thread, NULL, run_body, &work), 0);
	pthread_join(thread, &location);
	return location;
}

/* --- what there must be of it ------------------------------------------------------------------------ */

static const struct fathom_callpaths *paths_of(const struct fathom_location *location)
{
	return location->substrate_data;
}

static const struct fathom_node *child(const struct fathom_node *parent, const struct fathom_region *region)
{
	const struct fathom_node *at = parent ? parent->first_child : NULL;

	while (at && at->region != region)
		at = at->sibling;
	return at;
}

static uint64_t given(const struct fathom_node *node, const struct fathom_metric *metric)
{
	for (const struct fathom_given *at = node->tally ? node->tally->given : NULL; at; at = at->next)
		if (at->metric == metric)
			return at->sum;
	return 0;
}

struct sums {
	uint64_t visits, ticks, visits_a, visits_b, amount, count, least, greatest;
	double value;
};

static void add_tree(struct sums *sums, const struct fathom_node *tree)
{
	const struct fathom_node *node = child(tree, a);
	uint64_t bits;
	double value;

	sums->visits += tree->visits;
	sums->ticks += tree->inclusive_ticks;
	if (node) {
		sums->visits_a += node->visits;
		sums->amount += given(node, amount);
	}
	node = child(tree, b);
	if (!node)
		return;
	sums->visits_b += node->visits;
	bits = given(node, point);
	memcpy(&value, &bits, sizeof(value));
	sums->value += value;
	sums->count += given(node, point + FATHOM_METRIC_PART_COUNT);
	sums->least = fathom_metric_sum(FATHOM_METRIC_LEAST, sums->least, given(node, point + FATHOM_METRIC_PART_LEAST));
	sums->greatest = fathom_metric_sum(FATHOM_METRIC_GREATEST, sums->greatest,
					   given(node, point + FATHOM_METRIC_PART_GREATEST));
}

static struct sums sums_of(const struct fathom_series *series)
{
	struct sums sums = { 0 };

	for (uint32_t t = 0; t < series->tree_count; t++)
		add_tree(&sums, &series->trees[t]->node);
	return sums;
}

static void is_exact(const struct fathom_series *series, unsigned count)
{
	struct sums expected = { .visits = count };
	struct sums sums = sums_of(series);

	for (unsigned i = 0; i < count; i++) {
		expected.ticks += ticks_of(i) + i % 3;
		expected.visits_a += i % 3;
		expected.amount += (uint64_t)(i % 3) * i;
		if (i % 5)
			continue;
		expected.visits_b++;
		expected.value += (double)i - 100;
	}
	assert_int_equal(sums.visits, expected.visits);
	assert_int_equal(sums.ticks, expected.ticks);
	assert_int_equal(sums.visits_a, expected.visits_a);
	assert_int_equal(sums.visits_b, expected.visits_b);
	assert_int_equal(sums.amount, expected.amount);
	assert_int_equal(sums.count, expected.visits_b);
	assert_true(sums.value == expected.value);
	assert_true(fathom_metric_number(FATHOM_METRIC_LEAST, sums.least) == -100.0);
	assert_true(fathom_metric_number(FATHOM_METRIC_GREATEST, sums.greatest) == (count - 1) / 5 * 5 - 100.0);
	assert_int_equal(series->iteration_count, count);
}

/* The last iteration is counted when the next one begins; that none was lost the sums say. */
static void each_is_in_a_cluster(const struct fathom_series *series)
{
	uint32_t counted = 0;

	for (uint32_t i = 0; i < series->iteration_count; i++) {
		assert_int_equal(fathom_series_at(series, i)->number, 1000 + i);
		assert_non_null(fathom_series_tree_with(series, i));
		assert_int_not_equal(fathom_series_tree_with(series, i)->iteration, FATHOM_NO_ITERATION);
	}
	for (uint32_t t = 0; t < series->tree_count; t++)
		counted += series->trees[t]->count;
	assert_int_equal(counted, series->iteration_count - 1);
}

/* --- phases ------------------------------------------------------------------------------------------ */

static void few_iterations_are_kept_apart(void **state)
{
	const struct fathom_series *series;

	(void)state;
	fathom_series_limit(64);
	iterations = 60;
	series = paths_of(run(body))->series;
	assert_non_null(series);
	assert_int_equal(series->tree_count, 60);
	assert_false(series->is_clustered);
	is_exact(series, 60);
	assert_string_equal(fathom_series_region(series->trees[7])->name, "instance=1007");
	assert_int_equal(series->trees[7]->node.visits, 1);
	assert_int_equal(series->trees[7]->node.inclusive_ticks, ticks_of(7) + 7 % 3);
}

static void clusters_bound_the_trees_and_keep_the_sums(void **state)
{
	static const uint64_t limits[] = { 2, 3, 8, 21 };

	(void)state;
	for (size_t l = 0; l < sizeof(limits) / sizeof(limits[0]); l++) {
		const struct fathom_series *series;

		fathom_series_limit(limits[l]);
		iterations = 500;
		series = paths_of(run(body))->series;
		assert_true(series->tree_count <= limits[l]);
		assert_true(series->is_clustered);
		is_exact(series, 500);
		each_is_in_a_cluster(series);
		assert_string_equal(fathom_series_region(fathom_series_tree_with(series, 0))->name, "cluster=0");
	}
}

/* Takes a sample of the calling thread, in a function that i chooses. */
static void take_sample(unsigned i)
{
	struct fathom_sample_frame frames[] = { { 0x1000 + i % 3, 0x1000 }, { 0x2000 + i % 5, 0x2000 } };
	struct fathom_sample sample = { .frames = frames, .count = 1 + i % 2, .period = 10 };
	struct fathom_location *self = fathom_self;

	fathom_location_begin(self, (uintptr_t)__builtin_frame_address(0));
	fathom_sample_store_take(self, self->top, &sample);
	fathom_location_end(self, self->top);
}

static void sampled_body(void)
{
	for (unsigned i = 0; i < iterations; i++) {
		fathom_event_enter_block(phase);
		fathom_event_iteration(1000 + i);
		for (unsigned n = 0; n < i % 3; n++) {
			fathom_event_enter(a);
			take_sample(i);
			now_ticks++;
			fathom_event_exit(a);
		}
		now_ticks += ticks_of(i);
		take_sample(i);
		fathom_event_exit(phase);
	}
}

/* The samples at a call path, wherever in its functions. */
static uint64_t samples_at(const struct fathom_location *location, const struct fathom_node *node)
{
	const struct fathom_sampled_path *path = fathom_sample_store_of(location)->roots, *root;
	uint64_t samples = 0, value = 0;

	while (path && path->node != node)
		path = path->sibling;
	for (root = path; path;) {
		samples += fathom_sample_store_count(path, FATHOM_SAMPLE_TIME, &value);
		if (path->first_child) {
			path = path->first_child;
			continue;
		}
		while (path != root && !path->sibling)
			path = path->parent;
		path = path == root ? NULL : path->sibling;
	}
	assert_int_equal(value, 10 * samples);
	return samples;
}

/* Each visit of an iteration and of a has one sample: so it must be in each tree, whatever became one cluster. */
static void samples_stay_with_their_iterations(void **state)
{
	static const uint64_t limits[] = { 2, 3, 8, 600 };

	(void)state;
	for (size_t l = 0; l < sizeof(limits) / sizeof(limits[0]); l++) {
		const struct fathom_location *location;
		const struct fathom_series *series;
		uint64_t all = 0;

		fathom_series_limit(limits[l]);
		iterations = 500;
		location = run(sampled_body);
		series = paths_of(location)->series;
		for (uint32_t t = 0; t < series->tree_count; t++) {
			const struct fathom_node *node = &series->trees[t]->node, *of_a = child(node, a);

			assert_int_equal(samples_at(location, node), node->visits);
			if (of_a)
				assert_int_equal(samples_at(location, of_a), of_a->visits);
			all += node->visits;
		}
		assert_int_equal(all, 500);
	}
}

/* There are 3 * 7 * 2 kinds of iterations, of which those with other call paths are never one before others. */
static void iterations_of_other_call_paths_become_one_last(void **state)
{
	const struct fathom_series *series;

	(void)state;
	fathom_series_limit(8);
	iterations = 300;
	series = paths_of(run(body))->series;
	for (uint32_t i = 0; i < 299; i++)
		for (uint32_t j = i + 1; j < 299; j++)
			if (fathom_series_tree_with(series, i) == fathom_series_tree_with(series, j)) {
				assert_int_equal(i % 3 == 0, j % 3 == 0);
				assert_int_equal(i % 5 == 0, j % 5 == 0);
			}
}

static void a_limit_of_one_makes_it_an_ordinary_region(void **state)
{
	const struct fathom_location *location;

	(void)state;
	fathom_series_limit(1);
	iterations = 20;
	location = run(body);
	assert_null(paths_of(location)->series);
	assert_int_equal(child(paths_of(location)->root, phase)->visits, 20);
}

static void nested(void)
{
	for (unsigned i = 0; i < 10; i++) {
		fathom_event_enter_block(phase);
		fathom_event_iteration(i);
		for (unsigned j = 0; j < 3; j++) {
			fathom_event_enter_block(inner_phase);
			fathom_event_iteration(j);
			now_ticks += 5;
			fathom_event_exit(inner_phase);
		}
		fathom_event_exit(phase);
	}
}

static void a_phase_in_an_iteration_is_an_ordinary_region(void **state)
{
	const struct fathom_series *series;
	uint64_t visits = 0, ticks = 0;

	(void)state;
	fathom_series_limit(4);
	series = paths_of(run(nested))->series;
	assert_null(series->next);
	for (uint32_t t = 0; t < series->tree_count; t++) {
		const struct fathom_node *node = child(&series->trees[t]->node, inner_phase);

		visits += node ? node->visits : 0;
		ticks += node ? node->inclusive_ticks : 0;
	}
	assert_int_equal(visits, 30);
	assert_int_equal(ticks, 150);
}

static void threads_cluster_by_themselves(void **state)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];
	void (*work)(void) = body;

	(void)state;
	fathom_series_limit(5);
	iterations = 400;
	for (int t = 0; t < THREADS; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, run_body, &work), 0);
	for (int t = 0; t < THREADS; t++) {
		void *location;

		pthread_join(threads[t], &location);
		is_exact(paths_of(location)->series, 400);
		assert_true(paths_of(location)->series->tree_count <= 5);
	}
}

/* --- recording switched off -------------------------------------------------------------------------- */

static void visit_a(unsigned ticks)
{
	fathom_event_enter_block(a);
	now_ticks += ticks;
	fathom_event_metric(amount, 1);
	fathom_event_exit(a);
}

static void gaps(void)
{
	visit_a(3);
	fathom_event_record(false);
	assert_false(fathom_event_is_recording());
	fathom_event_record(false);	/* it is */
	visit_a(100);
	fathom_event_record(true);
	assert_true(fathom_event_is_recording());
	fathom_event_record(true);
	fathom_event_enter_block(b);
	now_ticks += 7;
	fathom_event_record(false);
	now_ticks += 20;
	fathom_event_exit(b);		/* begun while it was on: ends here */
	now_ticks += 30;
	fathom_event_enter_block(b);
	now_ticks += 1;
	fathom_event_record(true);	/* inside of what was begun while it was off */
	visit_a(4);
	fathom_event_exit(b);
	visit_a(5);
}

static void what_is_done_while_it_is_off_is_nowhere(void **state)
{
	const struct fathom_node *root, *node;
	uint64_t ticks;

	(void)state;
	root = paths_of(run(gaps))->root;
	node = child(root, a);
	assert_int_equal(node->visits + (child(root, b) && child(child(root, b), a) ? 1 : 0), 3);
	assert_int_equal(given(node, amount), node->visits);
	assert_int_equal(child(root, b)->visits, 1);
	assert_int_equal(child(root, b)->inclusive_ticks, 27);
	node = child(root, off);
	ticks = node->inclusive_ticks;
	assert_int_equal(child(child(root, b), off)->inclusive_ticks, 20);
	assert_int_equal(ticks, 100 + 30 + 1);
	assert_int_equal(node->visits, 2);
	assert_null(child(node, a));
}

static void deep(void)
{
	fathom_event_record(false);
	for (int i = 0; i < 100000; i++)
		fathom_event_enter_block(a);
	now_ticks += 9;
	for (int i = 0; i < 100000; i++)
		fathom_event_exit(a);
	fathom_event_record(true);
	visit_a(1);
}

static void a_stack_that_grows_stays_off(void **state)
{
	const struct fathom_location *location;

	(void)state;
	location = run(deep);
	assert_int_equal(child(paths_of(location)->root, a)->visits, 1);
	assert_int_equal(child(paths_of(location)->root, off)->inclusive_ticks, 9);
	assert_ptr_equal(location->top, location->root);
	assert_int_equal(location->dropped[FATHOM_DROP_UNBALANCED], 0);
}

static void phase_off(void)
{
	for (unsigned i = 0; i < 6; i++) {
		fathom_event_enter_block(phase);
		if (fathom_event_innermost() == phase)
			fathom_event_iteration(i);
		fathom_event_record(i % 2);
		visit_a(1);
		fathom_event_exit(phase);
	}
	fathom_event_record(true);
}

static void an_iteration_may_be_half_recorded(void **state)
{
	const struct fathom_series *series;
	uint64_t visits = 0;

	(void)state;
	fathom_series_limit(64);
	series = paths_of(run(phase_off))->series;
	for (uint32_t t = 0; t < series->tree_count; t++) {
		const struct fathom_node *node = child(&series->trees[t]->node, a);

		visits += node ? node->visits : 0;
		assert_int_equal(series->trees[t]->node.visits, 1);
	}
	/* Even ones switch off inside; odd ones begin off, and are none. */
	assert_int_equal(series->tree_count, 3);
	assert_int_equal(visits, 0);
}

/* --- main -------------------------------------------------------------------------------------------- */

static const struct fathom_region *define(const char *name, enum fathom_role role)
{
	const struct fathom_region spec = { .name = name, .paradigm = FATHOM_PARADIGM_USER, .role = role };

	return fathom_region_define(&spec);
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
		cmocka_unit_test(few_iterations_are_kept_apart),
		cmocka_unit_test(clusters_bound_the_trees_and_keep_the_sums),
		cmocka_unit_test(samples_stay_with_their_iterations),
		cmocka_unit_test(iterations_of_other_call_paths_become_one_last),
		cmocka_unit_test(a_limit_of_one_makes_it_an_ordinary_region),
		cmocka_unit_test(a_phase_in_an_iteration_is_an_ordinary_region),
		cmocka_unit_test(threads_cluster_by_themselves),
		cmocka_unit_test(what_is_done_while_it_is_off_is_nowhere),
		cmocka_unit_test(a_stack_that_grows_stays_off),
		cmocka_unit_test(an_iteration_may_be_half_recorded),
	};
	const struct fathom_metric sum = { .name = "amount", .unit = "", .description = "", .type = FATHOM_METRIC_UINT64,
					   .mode = FATHOM_METRIC_GIVEN };
	const struct fathom_metric at = { .name = "point", .unit = "", .description = "", .type = FATHOM_METRIC_DOUBLE,
					  .mode = FATHOM_METRIC_POINT };

	fathom_clock_init(FATHOM_CLOCK_MONOTONIC);
	fathom_runtime_use(fathom_substrate_choose(&fathom.settings));	/* for this clock */
	phase = define("phase", FATHOM_ROLE_DYNAMIC);
	inner_phase = define("inner", FATHOM_ROLE_DYNAMIC);
	a = define("a", FATHOM_ROLE_CODE);
	b = define("b", FATHOM_ROLE_CODE);
	amount = fathom_metric_define(&sum);
	point = fathom_metric_define(&at);
	for (uint32_t i = 0; i < fathom_region_count(); i++)
		if (fathom_pause_is_region(fathom_region_by_id(i)))
			off = fathom_region_by_id(i);
	return cmocka_run_group_tests(tests, NULL, end_measurement);
}
