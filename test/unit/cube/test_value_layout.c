/* Inclusive and exclusive values along the call tree, and the tree of explicit tasks. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cube/reader/reader.h"

/*
 *	0 program
 *	1   TASKS (artificial)	the tree of tasks: not part of its root
 *	2     task
 *	3   main
 *	4     TASKS (artificial)	below no root: a region like any other
 *	5     f
 *	6 phase			a second root
 *	7   TASKS (function)	not artificial: a region like any other
 */
static struct fathom_cube_region regions[] = {
	{ .name = "program", .role = "artificial" },
	{ .name = "TASKS", .role = "artificial" },
	{ .name = "main", .role = "function" },
	{ .name = "TASKS", .role = "function" },
};

static struct fathom_cube_cnode cnodes[] = {
	{ .region = 0, .parent = -1 }, { .region = 1, .parent = 0 }, { .region = 2, .parent = 1 },
	{ .region = 2, .parent = 0 }, { .region = 1, .parent = 3 }, { .region = 2, .parent = 3 },
	{ .region = 2, .parent = -1 }, { .region = 3, .parent = 6 },
};

static struct fathom_cube_metric metrics[] = {
	{ .uniq_name = "visits", .dtype = FATHOM_CUBE_UINT64, .type = FATHOM_CUBE_EXCLUSIVE, .parent = -1 },
	{ .uniq_name = "time", .dtype = FATHOM_CUBE_DOUBLE, .type = FATHOM_CUBE_INCLUSIVE, .parent = -1 },
	{ .uniq_name = "min", .dtype = FATHOM_CUBE_MINDOUBLE, .type = FATHOM_CUBE_EXCLUSIVE, .parent = -1 },
	{ .uniq_name = "max", .dtype = FATHOM_CUBE_MAXDOUBLE, .type = FATHOM_CUBE_EXCLUSIVE, .parent = -1 },
	{ .uniq_name = "formula", .type = FATHOM_CUBE_DERIVED, .parent = -1 },
	{ .uniq_name = "inclusive min", .dtype = FATHOM_CUBE_MINDOUBLE, .type = FATHOM_CUBE_INCLUSIVE, .parent = -1 },
};

static const struct fathom_cube cube = {
	.metrics = metrics, .metric_count = 6, .regions = regions, .region_count = 4,
	.cnodes = cnodes, .cnode_count = 8,
};

#define CHECK_CONVERSION(function, metric, given, ...) \
	do { \
		double values_[8]; \
		const double expected_[8] = { __VA_ARGS__ }; \
		memcpy(values_, given, sizeof(values_)); \
		function(&cube, metric, values_); \
		for (int i_ = 0; i_ < 8; i_++) \
			assert_true(values_[i_] == expected_[i_]); \
	} while (0)

static const double given[8] = { 100, 30, 20, 60, 10, 5, 40, 7 };

static void sums_leave_the_tasks_out_of_their_root(void **state)
{
	(void)state;
	CHECK_CONVERSION(fathom_cube_make_inclusive, 0, given, 175, 50, 20, 75, 10, 5, 47, 7);
	CHECK_CONVERSION(fathom_cube_make_exclusive, 1, given, 40, 10, 20, 45, 10, 5, 33, 7);
}

static void what_is_so_already_stays(void **state)
{
	(void)state;
	CHECK_CONVERSION(fathom_cube_make_exclusive, 0, given, 100, 30, 20, 60, 10, 5, 40, 7);
	CHECK_CONVERSION(fathom_cube_make_inclusive, 1, given, 100, 30, 20, 60, 10, 5, 40, 7);
	CHECK_CONVERSION(fathom_cube_make_exclusive, 2, given, 100, 30, 20, 60, 10, 5, 40, 7);
	CHECK_CONVERSION(fathom_cube_make_inclusive, 4, given, 100, 30, 20, 60, 10, 5, 40, 7);
	CHECK_CONVERSION(fathom_cube_make_exclusive, 4, given, 100, 30, 20, 60, 10, 5, 40, 7);
	CHECK_CONVERSION(fathom_cube_make_exclusive, 5, given, 100, 30, 20, 60, 10, 5, 40, 7);
}

static void minima_and_maxima_are_those_of_the_subtree(void **state)
{
	const double least[8] = { DBL_MAX, 1, 2, DBL_MAX, 4, 5, 3, DBL_MAX };
	const double most[8] = { -DBL_MAX, 9, 12, 7, 1, 8, 3, -DBL_MAX };

	(void)state;
	CHECK_CONVERSION(fathom_cube_make_inclusive, 2, least, 4, 1, 2, 4, 4, 5, 3, DBL_MAX);
	CHECK_CONVERSION(fathom_cube_make_inclusive, 3, most, 8, 12, 12, 8, 1, 8, 3, -DBL_MAX);
}

static void there_and_back_is_the_same(void **state)
{
	struct fathom_cube_metric both[2] = { metrics[0], metrics[1] };
	struct fathom_cube copy = cube;
	double values[8];

	(void)state;
	both[0].dtype = FATHOM_CUBE_DOUBLE;
	copy.metrics = both;
	memcpy(values, given, sizeof(values));
	fathom_cube_make_inclusive(&copy, 0, values);
	fathom_cube_make_exclusive(&copy, 1, values);
	for (int i = 0; i < 8; i++)
		assert_true(values[i] == given[i]);
}

static void tasks_are_found_below_their_root_only(void **state)
{
	(void)state;
	assert_int_equal(fathom_cube_tasks(&cube, 0), 1);
	assert_int_equal(fathom_cube_tasks(&cube, 6), -1);
	assert_int_equal(fathom_cube_tasks(&cube, 3), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_leave_the_tasks_out_of_their_root),
		cmocka_unit_test(what_is_so_already_stays),
		cmocka_unit_test(minima_and_maxima_are_those_of_the_subtree),
		cmocka_unit_test(there_and_back_is_the_same),
		cmocka_unit_test(tasks_are_found_below_their_root_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
