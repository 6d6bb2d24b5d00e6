/* Values and messages of the processes in a grid: which grouping explains the values, whether they grow along a dimension,
 * and which way the messages go. */
#include "unit_test.h"

#include "near.h"

#include "tools/report/grid_messages.h"
#include "tools/report/grid_waits.h"

enum { MOST = 64 };

/* A grid with one process of one thread in each place, in the order of the last dimension. */
struct made {
	struct fathom_cube cube;
	struct fathom_cube_group groups[MOST];
	struct fathom_cube_location locations[MOST];
	struct fathom_cube_dimension dimensions[3];
	struct fathom_cube_topology topology;
	uint32_t columns[MOST], at[3 * MOST];
};

static struct made made;

static void make(uint32_t count, const uint32_t *sizes, bool is_periodic)
{
	uint32_t places = 1, p, d, rest;

	made = (struct made){ 0 };
	for (d = 0; d < count; d++) {
		made.dimensions[d] = (struct fathom_cube_dimension){ .size = sizes[d], .is_periodic = is_periodic };
		places *= sizes[d];
	}
	for (p = 0; p < places; p++) {
		made.groups[p].rank = p;
		made.locations[p].group = (int32_t)p;
		made.columns[p] = p;
		for (d = count, rest = p; d-- > 0; rest /= sizes[d])
			made.at[p * count + d] = rest % sizes[d];
	}
	made.cube = (struct fathom_cube){ .groups = made.groups, .locations = made.locations, .group_count = places,
					  .location_count = places };
	made.topology = (struct fathom_cube_topology){ .dimensions = made.dimensions, .dimension_count = count,
						       .place_count = places, .locations = made.columns, .at = made.at };
}

static void a_slow_row_is_found(void **state)
{
	static const uint32_t sizes[] = { 3, 4 };
	double totals[12];
	struct fathom_grid_waits waits;
	char text[64];

	(void)state;
	make(2, sizes, false);
	for (int p = 0; p < 12; p++)		/* row 1 waits longer; each value has a little of its own */
		totals[p] = (p / 4 == 1 ? 5 : 1) + 0.1 * (p % 2);
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, totals);
	assert_int_equal(waits.grouping_count, 3);
	assert_int_equal(waits.best->dimension, 0);
	NEAR(waits.best->groups[1].sum, 20.2);
	assert_int_equal(waits.best->groups[1].count, 4);
	/* between: (4 (1.05 - 7.15/3)^2 * 2 + 4 (5.05 - 7.15/3)^2) / 2; within: 12 * 0.05^2 / 9 */
	NEAR(waits.best->f, (8 * pow(4.0 / 3, 2) + 4 * pow(8.0 / 3, 2)) / 2 / (12 * 0.0025 / 9));
	assert_string_equal(fathom_grid_grouping_name(&waits, waits.best, text, sizeof(text)), "dimension 1");
	fathom_grid_waits_fini(&waits);
}

static void one_row_has_most_of_the_waiting(void **state)
{
	static const uint32_t sizes[] = { 3, 4 };
	double totals[12] = { 0 };
	struct fathom_grid_waits waits;
	uint32_t group = 99;

	(void)state;
	make(2, sizes, false);
	for (int p = 0; p < 12; p++)		/* row 1 waits but for one process, which the others wait for */
		totals[p] = p / 4 == 1 ? (p == 4 ? 0 : 2) : 0.1;
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, totals);
	assert_ptr_equal(fathom_grid_main_group(&waits, 0.8, &group), &waits.groupings[0]);
	assert_int_equal(group, 1);
	assert_null(fathom_grid_main_group(&waits, 0.9, &group));
	fathom_grid_waits_fini(&waits);
	totals[5] = 20;				/* one process waits, and not its row */
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, totals);
	assert_null(fathom_grid_main_group(&waits, 0.8, &group));
	fathom_grid_waits_fini(&waits);
	for (int p = 0; p < 12; p++)
		totals[p] = 1;
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, totals);
	assert_null(fathom_grid_main_group(&waits, 0.8, &group));
	fathom_grid_waits_fini(&waits);
}

static void the_border_is_found(void **state)
{
	static const uint32_t sizes[] = { 4, 4 };
	struct fathom_grid_waits waits;
	double totals[16];
	char text[64];

	(void)state;
	make(2, sizes, false);
	for (int p = 0; p < 16; p++) {
		int ends = (p / 4 == 0 || p / 4 == 3) + (p % 4 == 0 || p % 4 == 3);

		totals[p] = 1 + 2 * ends;
	}
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, totals);
	assert_int_equal(waits.best->dimension, FATHOM_GRID_BORDER);
	NEAR(waits.best->f, FATHOM_GRID_MOST_F);
	NEAR(waits.best->groups[0].sum, 4);
	NEAR(waits.best->groups[1].sum, 24);
	NEAR(waits.best->groups[2].sum, 20);
	assert_string_equal(fathom_grid_group_name(&waits, waits.best, 0, text, sizeof(text)), "inside");
	assert_string_equal(fathom_grid_group_name(&waits, waits.best, 1, text, sizeof(text)), "at an edge");
	assert_string_equal(fathom_grid_group_name(&waits, waits.best, 2, text, sizeof(text)), "at a corner");
	fathom_grid_waits_fini(&waits);
}

static void a_periodic_grid_has_no_border(void **state)
{
	static const uint32_t sizes[] = { 5 };
	double totals[5] = { 1, 1, 1, 1, 1 };
	struct fathom_grid_waits waits;

	(void)state;
	make(1, sizes, true);
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, totals);
	assert_int_equal(waits.grouping_count, 1);
	assert_null(waits.best);		/* equal values, and one process in each group */
	NEAR(waits.sum, 5);
	NEAR(fathom_grid_gradient(&waits, 0), 0);
	fathom_grid_waits_fini(&waits);
}

/* The known answer of a pipeline: 0, w, 2w, 3w. */
static void waiting_grows_along_a_sweep(void **state)
{
	static const uint32_t sizes[] = { 4 };
	double upward[4] = { 0, 1, 2, 3 }, downward[4] = { 3, 2, 1, 0 }, one[4] = { 0, 0, 1, 0 };
	struct fathom_grid_waits waits;

	(void)state;
	make(1, sizes, false);
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, upward);
	NEAR(fathom_grid_gradient(&waits, 0), 1);
	fathom_grid_waits_fini(&waits);
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, downward);
	NEAR(fathom_grid_gradient(&waits, 0), -1);
	fathom_grid_waits_fini(&waits);
	fathom_grid_waits_init(&waits, &made.cube, &made.topology, one);
	NEAR(fathom_grid_gradient(&waits, 0), 0.5 / sqrt(5 * 0.75));
	fathom_grid_waits_fini(&waits);
}

static void messages_go_along_dimensions(void **state)
{
	static const uint32_t sizes[] = { 3, 4 };
	struct fathom_message_pair list[] = {
		{ .from = 0, .to = 4, .messages = 1, .bytes = 10 },	/* one row on */
		{ .from = 4, .to = 0, .messages = 2, .bytes = 20 },
		{ .from = 0, .to = 3, .messages = 3, .bytes = 30 },	/* over the edge, if the grid is periodic */
		{ .from = 1, .to = 2, .messages = 4, .bytes = 40 },
		{ .from = 5, .to = 10, .messages = 5, .bytes = 50 },	/* diagonal */
		{ .from = 0, .to = 2, .messages = 6, .bytes = 60 },	/* two columns on */
		{ .from = 7, .to = 7, .messages = 7, .bytes = 70 },
		{ .from = 0, .to = 12, .messages = 8, .bytes = 80 },	/* this rank is not in the grid */
	};
	struct fathom_message_pairs pairs = { .list = list, .count = 8 };
	struct fathom_grid_messages sums;

	(void)state;
	make(2, sizes, false);
	fathom_grid_messages_sum(&sums, &made.cube, &made.topology, &pairs);
	assert_int_equal(sums.neighbors[0][FATHOM_GRID_UP].bytes, 10);
	assert_int_equal(sums.neighbors[0][FATHOM_GRID_DOWN].messages, 2);
	assert_int_equal(sums.neighbors[1][FATHOM_GRID_UP].bytes, 40);
	assert_int_equal(sums.neighbors[1][FATHOM_GRID_DOWN].bytes, 0);
	assert_int_equal(sums.diagonal.bytes, 50);
	assert_int_equal(sums.farther.bytes, 30 + 60);
	assert_int_equal(sums.own.bytes, 70);
	assert_int_equal(sums.outside.messages, 8);
	assert_int_equal(sums.all.bytes, 360);
	NEAR(sums.neighbor_share, 70.0 / 360);
	make(2, sizes, true);
	fathom_grid_messages_sum(&sums, &made.cube, &made.topology, &pairs);
	assert_int_equal(sums.neighbors[1][FATHOM_GRID_DOWN].bytes, 30);
	assert_int_equal(sums.farther.bytes, 60);
	pairs.count = 0;
	fathom_grid_messages_sum(&sums, &made.cube, &made.topology, &pairs);
	NEAR(sums.neighbor_share, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_row_is_found),
		cmocka_unit_test(one_row_has_most_of_the_waiting),
		cmocka_unit_test(the_border_is_found),
		cmocka_unit_test(a_periodic_grid_has_no_border),
		cmocka_unit_test(waiting_grows_along_a_sweep),
		cmocka_unit_test(messages_go_along_dimensions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
