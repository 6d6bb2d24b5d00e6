/* The numbering of rows against the rule written down naively, and sets of rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cube/row_order.h"
#include "cube/rowset.h"
#include "model.h"
#include "platform/arena.h"

/* "Give consecutive numbers to all children of the node; then, for each child in order, do the
 * same." */
static void number_below(const struct fathom_cube *cube, int32_t node, uint32_t *rows, uint32_t *next)
{
	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		if (cube->cnodes[i].parent == node)
			rows[i] = (*next)++;
	}
	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		if (cube->cnodes[i].parent == node)
			number_below(cube, (int32_t)i, rows, next);
	}
}

static void naive_wide(const struct fathom_cube *cube, uint32_t *rows)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		if (cube->cnodes[i].parent == -1) {
			rows[i] = next++;
			number_below(cube, (int32_t)i, rows, &next);
		}
	}
}

static void two_known_trees(void **state)
{
	/* A(B(C, D(E)), F(G)) in pre-order */
	struct fathom_cube_cnode one[] = {
		{ .parent = -1 }, { .parent = 0 }, { .parent = 1 }, { .parent = 1 }, { .parent = 3 },
		{ .parent = 0 }, { .parent = 5 },
	};
	/* A(B(C), D) and E(F(G), H) */
	struct fathom_cube_cnode two[] = {
		{ .parent = -1 }, { .parent = 0 }, { .parent = 1 }, { .parent = 0 },
		{ .parent = -1 }, { .parent = 4 }, { .parent = 5 }, { .parent = 4 },
	};
	const uint32_t rows_one[] = { 0, 1, 3, 4, 5, 2, 6 };
	const uint32_t rows_two[] = { 0, 1, 3, 2, 4, 5, 7, 6 };
	uint32_t rows[8];
	uint32_t scratch[8];

	(void)state;
	fathom_cube_order_wide(one, 7, rows, scratch);
	assert_memory_equal(rows, rows_one, sizeof(rows_one));
	fathom_cube_order_wide(two, 8, rows, scratch);
	assert_memory_equal(rows, rows_two, sizeof(rows_two));
}

static void random_trees_follow_the_rule(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct model model;
		uint32_t rows[256];
		uint32_t expected[256];
		uint32_t scratch[256];

		model_random(&model, seed);
		fathom_cube_order_wide(model.cube.cnodes, model.cube.cnode_count, rows, scratch);
		naive_wide(&model.cube, expected);
		assert_memory_equal(rows, expected, model.cube.cnode_count * sizeof(*rows));
		model_free(&model);
	}
}

static void a_rowset_answers_as_a_table_would(void **state)
{
	(void)state;
	for (uint32_t limit = 1; limit < 400; limit += 21) {
		struct fathom_arena arena = { 0 };
		struct fathom_cube_rowset set;
		bool member[400];
		uint32_t before = 0;

		assert_int_equal(fathom_cube_rowset_init(&set, &arena, limit), 0);
		for (uint32_t row = 0; row < limit; row++) {
			member[row] = model_mix(limit, row) % 3 == 0;
			if (member[row])
				fathom_cube_rowset_add(&set, row);
		}
		fathom_cube_rowset_seal(&set);
		for (uint32_t row = 0; row < limit; row++) {
			uint32_t next = row;

			while (next < limit && !member[next])
				next++;
			assert_int_equal(fathom_cube_rowset_has(&set, row), member[row]);
			assert_int_equal(fathom_cube_rowset_place(&set, row), before);
			assert_int_equal(fathom_cube_rowset_next(&set, row), next);
			before += member[row];
		}
		assert_int_equal(set.count, before);
		assert_false(fathom_cube_rowset_has(&set, limit));
		assert_int_equal(fathom_cube_rowset_next(&set, limit), limit);
		fathom_arena_fini(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_known_trees),
		cmocka_unit_test(random_trees_follow_the_rule),
		cmocka_unit_test(a_rowset_answers_as_a_table_would),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
