/* Clusters of several experiments are put together if they are the same kind of bursts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "clusters/tracking.h"

enum { MOST = 8, POINTS = 20, LENGTH = 40 };

/* An experiment with round clusters, whose sequence repeats the clusters in a given order. */
struct plant {
	uint32_t count;
	double x[MOST], y[MOST];	/* by cluster from 0 */
	uint32_t codes[MOST];
	uint32_t order[MOST], order_count;	/* clusters from 1 */
};

struct planted {
	double values[MOST * POINTS * 2], seconds[MOST + 1];
	uint32_t clusters[MOST * POINTS], codes[MOST * POINTS], sequence[LENGTH];
};

static struct planted memory[4];

static struct fathom_tracked_experiment plant(struct planted *planted, const struct plant *plan)
{
	for (uint32_t c = 0; c < plan->count; c++) {
		planted->seconds[c + 1] = 10.0 - c;
		for (uint32_t i = 0; i < POINTS; i++) {
			uint32_t point = c * POINTS + i;

			planted->values[2 * point] = plan->x[c] + 0.001 * (i % 5);
			planted->values[2 * point + 1] = plan->y[c] + 0.001 * (i / 5);
			planted->clusters[point] = c + 1;
			planted->codes[point] = plan->codes[c];
		}
	}
	for (uint32_t i = 0; plan->order_count && i < LENGTH; i++)
		planted->sequence[i] = plan->order[i % plan->order_count];
	return (struct fathom_tracked_experiment){
		.points = { planted->values, plan->count * POINTS, 2 }, .clusters = planted->clusters,
		.codes = planted->codes, .cluster_count = plan->count, .seconds = planted->seconds,
		.sequence = planted->sequence, .length = plan->order_count ? LENGTH : 0,
	};
}

/* Tracks two experiments. */
static struct fathom_tracking track(const struct plant *first, const struct plant *second)
{
	const struct fathom_tracked_experiment experiments[] = { plant(&memory[0], first), plant(&memory[1], second) };
	struct fathom_tracking tracking;

	assert_int_equal(fathom_tracking_make(&tracking, experiments, 2), 0);
	return tracking;
}

/* The known answer: clusters shifted by 10 % of the axis, with different code, are themselves, and cover all time. */
static void shifted_clusters_are_the_same(void **state)
{
	const struct plant first = { 3, { .1, .5, .8 }, { .1, .7, .3 }, { 1, 2, 3 }, { 0 }, 0 };
	const struct plant second = { 3, { .2, .6, .9 }, { .2, .8, .4 }, { 1, 2, 3 }, { 0 }, 0 };
	const struct fathom_tracked_experiment experiments[] = { plant(&memory[0], &first), plant(&memory[1], &second) };
	struct fathom_tracking tracking;

	(void)state;
	assert_int_equal(fathom_tracking_make(&tracking, experiments, 2), 0);
	assert_int_equal(tracking.kind_count, 3);
	assert_int_equal(tracking.relation_count, 3);
	for (uint32_t c = 1; c <= 3; c++) {
		assert_int_equal(tracking.kinds[0][c], c);
		assert_int_equal(tracking.kinds[1][c], c);
		assert_int_equal(tracking.relations[c - 1].reason, FATHOM_RELATED_BY_PLACE);
		assert_float_equal(tracking.relations[c - 1].evidence.displacement, 1, 1e-12);
		assert_float_equal(tracking.relations[c - 1].evidence.call_stack, 1, 1e-12);
	}
	assert_float_equal(fathom_tracking_coverage(&tracking, experiments, 0), 1, 1e-12);
	assert_float_equal(fathom_tracking_coverage(&tracking, experiments, 1), 1, 1e-12);
	fathom_tracking_fini(&tracking);
}

/* Clusters that exchange their places are found by their code. */
static void code_decides(void **state)
{
	const struct plant first = { 2, { .1, .9 }, { .1, .9 }, { 1, 2 }, { 0 }, 0 };
	const struct plant second = { 2, { .1, .9 }, { .1, .9 }, { 2, 1 }, { 0 }, 0 };
	struct fathom_tracking tracking = track(&first, &second);

	(void)state;
	assert_int_equal(tracking.kind_count, 2);
	assert_int_equal(tracking.kinds[1][1], 2);
	assert_int_equal(tracking.kinds[1][2], 1);
	assert_int_equal(tracking.relations[0].reason, FATHOM_RELATED_BY_CODE);
	fathom_tracking_fini(&tracking);
}

/* Two clusters of the same code that move so far that the second one is where the first one was: the sequences say
 * which is which. */
static void sequences_decide(void **state)
{
	const struct plant first = { 3, { .1, .4, 1 }, { .5, .5, .5 }, { 1, 1, 2 }, { 1, 3, 2, 3, 3 }, 5 };
	const struct plant second = { 3, { .38, .68, 1 }, { .5, .5, .5 }, { 1, 1, 2 }, { 1, 3, 2, 3, 3 }, 5 };
	struct fathom_tracking tracking = track(&first, &second);

	(void)state;
	assert_int_equal(tracking.kind_count, 3);
	for (uint32_t c = 1; c <= 3; c++)
		assert_int_equal(tracking.kinds[1][c], c);
	fathom_tracking_fini(&tracking);
}

/* A renamed function has other code and another place; its bursts stand where the others stood. */
static void renamed_code_is_found_by_sequence(void **state)
{
	const struct plant first = { 3, { .1, .5, 1 }, { .1, .5, .5 }, { 1, 2, 3 }, { 1, 2, 3 }, 3 };
	const struct plant second = { 3, { .9, .5, 1 }, { .9, .5, .5 }, { 7, 2, 3 }, { 1, 2, 3 }, 3 };
	struct fathom_tracking tracking = track(&first, &second);

	(void)state;
	assert_int_equal(tracking.kind_count, 3);
	assert_int_equal(tracking.kinds[1][1], 1);
	assert_int_equal(tracking.relations[0].reason, FATHOM_RELATED_BY_SEQUENCE);
	assert_true(tracking.relations[0].evidence.sequence > .9);
	fathom_tracking_fini(&tracking);
}

/* A cluster that is divided stays one kind; a new one and one that ends are kinds of one experiment each. */
static void divided_new_and_ended(void **state)
{
	const struct plant first = { 3, { .3, .9, .1 }, { .3, .9, .9 }, { 1, 2, 3 }, { 0 }, 0 };
	const struct plant second = { 4, { .298, .3025, .9, .9 }, { .3, .3, .9, .1 }, { 1, 1, 2, 4 }, { 0 }, 0 };
	const struct fathom_tracked_experiment experiments[] = { plant(&memory[0], &first), plant(&memory[1], &second) };
	struct fathom_tracking tracking;

	(void)state;
	assert_int_equal(fathom_tracking_make(&tracking, experiments, 2), 0);
	assert_int_equal(tracking.kind_count, 4);
	assert_int_equal(tracking.kinds[1][1], 1);
	assert_int_equal(tracking.kinds[1][2], 1);
	assert_int_equal(tracking.kinds[1][3], 2);
	assert_int_equal(tracking.kinds[1][4], 4);
	assert_float_equal(fathom_tracking_coverage(&tracking, experiments, 0), 19. / 27, 1e-12);
	fathom_tracking_fini(&tracking);
}

/* Clusters of one phase, which is not balanced, are one kind if their code is equal. */
static void columns_join(void **state)
{
	const struct plant plan = { 3, { .1, .5, .9 }, { .5, .5, .5 }, { 1, 1, 2 }, { 0 }, 0 };
	const uint32_t joined[] = { 0, 1, 1, 1 };
	struct fathom_tracked_experiment experiments[] = { plant(&memory[0], &plan), plant(&memory[1], &plan) };
	struct fathom_tracking tracking;

	(void)state;
	experiments[1].joined = joined;
	assert_int_equal(fathom_tracking_make(&tracking, experiments, 2), 0);
	assert_int_equal(tracking.kind_count, 2);
	assert_int_equal(tracking.kinds[0][2], 1);
	assert_int_equal(tracking.kinds[0][3], 2);
	fathom_tracking_fini(&tracking);
}

/* An experiment may have no clusters at all. */
static void nothing_is_tracked(void **state)
{
	const struct plant first = { 2, { .1, .9 }, { .1, .9 }, { 1, 2 }, { 1, 2 }, 2 }, second = { .count = 0 };
	struct fathom_tracking tracking = track(&first, &second);

	(void)state;
	assert_int_equal(tracking.kind_count, 2);
	assert_int_equal(tracking.relation_count, 0);
	fathom_tracking_fini(&tracking);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shifted_clusters_are_the_same),
		cmocka_unit_test(code_decides),
		cmocka_unit_test(sequences_decide),
		cmocka_unit_test(renamed_code_is_found_by_sequence),
		cmocka_unit_test(divided_new_and_ended),
		cmocka_unit_test(columns_join),
		cmocka_unit_test(nothing_is_tracked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
