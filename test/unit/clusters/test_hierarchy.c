/* Hierarchical clusters: the known answer in all linkages, cuts, and a slow method on random points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "clusters/hierarchy.h"

static const double square[] = { 0, 0, 1, 0, 10, 0, 11, 1 };
static const struct fathom_points four = { square, 4, 2 };

static void known_answer(void **state)
{
	static const double last[] = { 10.0238, 9, 11.0454 };
	uint32_t groups[4];
	struct fathom_join joins[3];

	(void)state;
	for (enum fathom_linkage linkage = FATHOM_LINKAGE_AVERAGE; linkage <= FATHOM_LINKAGE_COMPLETE; linkage++) {
		assert_int_equal(fathom_hierarchy_make(&four, linkage, joins), 0);
		assert_true(joins[0].a == 0 && joins[0].b == 1 && joins[0].height == 1 && joins[0].size == 2);
		assert_true(joins[1].a == 2 && joins[1].b == 3 && fabs(joins[1].height - sqrt(2)) < 1e-12);
		assert_true(joins[2].a == 4 && joins[2].b == 5 && fabs(joins[2].height - last[linkage]) < 1e-4);
		assert_int_equal(fathom_hierarchy_groups(joins, 4, 0), 2);
		assert_int_equal(fathom_hierarchy_groups(joins, 4, 20), 1);
		assert_int_equal(fathom_hierarchy_cut(joins, 4, 2, groups), 0);
		assert_memory_equal(groups, ((uint32_t[]){ 1, 1, 2, 2 }), sizeof(groups));
		assert_int_equal(fathom_hierarchy_cut(joins, 4, 3, groups), 0);
		assert_memory_equal(groups, ((uint32_t[]){ 1, 1, 2, 3 }), sizeof(groups));
	}
	/* Two points of Ward: their distance. Groups: 2 x 2 x 2 / (2 + 2) x the squared distance of the means. */
	assert_int_equal(fathom_hierarchy_make(&four, FATHOM_LINKAGE_WARD, joins), 0);
	assert_true(fabs(joins[2].height - sqrt(2 * (10 * 10 + .5 * .5))) < 1e-9);
}

static void few_points(void **state)
{
	struct fathom_points points = { square, 1, 2 };
	struct fathom_join joins[1];
	uint32_t groups[2];

	(void)state;
	assert_int_equal(fathom_hierarchy_make(&points, FATHOM_LINKAGE_AVERAGE, joins), 0);
	assert_int_equal(fathom_hierarchy_groups(joins, 1, 0), 1);
	assert_int_equal(fathom_hierarchy_cut(joins, 1, 1, groups), 0);
	assert_int_equal(groups[0], 1);
	points.count = 0;
	assert_int_equal(fathom_hierarchy_cut(joins, 0, 1, groups), 0);
}

/* Single linkage joins along the shortest edges that connect all points: the heights are those of a spanning tree. */
static void spanning_tree(void **state)
{
	enum { COUNT = 200 };
	static double values[3 * COUNT], nearest[COUNT], heights[COUNT];
	static struct fathom_join joins[COUNT];
	struct fathom_points points = { values, COUNT, 3 };
	uint64_t seed = 5;
	double sum = 0, wanted = 0;

	(void)state;
	for (int i = 0; i < 3 * COUNT; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		values[i] = (double)(seed >> 40) / 1e6;
	}
	for (int i = 0; i < COUNT; i++)
		nearest[i] = HUGE_VAL;
	for (int next = 0, done = 0; done < COUNT - 1; done++) {
		int best = -1;

		nearest[next] = -1;
		for (int i = 0; i < COUNT; i++) {
			double square_sum = 0;

			for (int d = 0; d < 3; d++)
				square_sum += pow(values[3 * i + d] - values[3 * next + d], 2);
			if (nearest[i] >= 0 && sqrt(square_sum) < nearest[i])
				nearest[i] = sqrt(square_sum);
			if (nearest[i] >= 0 && (best < 0 || nearest[i] < nearest[best]))
				best = i;
		}
		heights[done] = nearest[best];
		wanted += heights[done];
		next = best;
	}
	assert_int_equal(fathom_hierarchy_make(&points, FATHOM_LINKAGE_SINGLE, joins), 0);
	for (int j = 0; j < COUNT - 1; j++) {
		sum += joins[j].height;
		assert_true(j == 0 || joins[j].height >= joins[j - 1].height);
		assert_true(joins[j].a < joins[j].b && joins[j].b < COUNT + (uint32_t)j);
	}
	assert_true(fabs(sum - wanted) < 1e-6 * wanted);
	assert_int_equal(joins[COUNT - 2].size, COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answer), cmocka_unit_test(few_points), cmocka_unit_test(spanning_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
