/* Refinement finds phases of different density, which no single eps finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "clusters/aggregative_refinement.h"
#include "clusters/dbscan.h"
#include "clusters/divisive_refinement.h"
#include "clusters/sequence_scores.h"

enum { TASKS = 8, ITERATIONS = 10, PHASES = 3, POINTS = TASKS * ITERATIONS * PHASES };

static double values[POINTS], seconds[POINTS];
static uint32_t planted[POINTS], found[POINTS];
static const struct fathom_points points = { values, POINTS, 1 };

/* The points of a task follow each other in the order of time. */
static void score(void *scorer, const uint32_t *clusters, uint32_t count, double *scores)
{
	enum { LETTERS = 64 };
	struct fathom_sequence sequences[TASKS];
	struct fathom_sequence_score found_scores[LETTERS];
	struct fathom_alignment alignment;
	double matches[LETTERS], mismatches[LETTERS], shares[LETTERS] = { 0 };
	const struct fathom_alignment_scores plain = { matches, mismatches, 0, 1, 1 };

	(void)scorer;
	assert_true(count < LETTERS);
	for (int l = 0; l < LETTERS; l++) {
		matches[l] = 1;
		mismatches[l] = -.5;
	}
	for (uint32_t t = 0; t < TASKS; t++)
		sequences[t] = (struct fathom_sequence){ clusters + t * ITERATIONS * PHASES, ITERATIONS * PHASES, 1 };
	assert_int_equal(fathom_alignment_make(&alignment, sequences, TASKS, &plain), 0);
	fathom_sequence_scores(&alignment, sequences, shares, count + 1, found_scores);
	for (uint32_t c = 1; c <= count; c++)
		scores[c] = found_scores[c].score;
	fathom_alignment_fini(&alignment);
}

/* Phases 1 and 2 are dense and near to each other, phase 3 is loose and far away. */
static void plant(void)
{
	static const double begin[PHASES] = { 0, .83, 10 }, step[PHASES] = { .01, .01, .05 };

	for (int t = 0; t < TASKS; t++)
		for (int i = 0; i < ITERATIONS; i++)
			for (int p = 0; p < PHASES; p++) {
				int point = (t * ITERATIONS + i) * PHASES + p;

				/* Neighbours in value are of different tasks and iterations. */
				values[point] = begin[p] + step[p] * ((t * ITERATIONS + i) * 7 % 80);
				seconds[point] = p + 1;
				planted[point] = (uint32_t)p + 1;
			}
}

static void different_densities(void **state)
{
	static const double eps[] = { .02, .06, .2 };
	struct fathom_refinement_input input = { &points, seconds, eps, 3, 2, score, NULL, false };
	struct fathom_refinement tree;

	(void)state;
	plant();
	assert_int_equal(fathom_dbscan(&points, .02, 2, found), 2);
	assert_int_equal(fathom_dbscan(&points, .06, 2, found), 2);
	assert_int_equal(fathom_aggregative_refinement_make(&tree, &input, found), 3);
	assert_memory_equal(found, planted, sizeof(found));
	assert_int_equal(tree.node_count, 3);
	assert_int_equal(tree.edge_count, 0);
	assert_int_equal(tree.steps, 2);
	for (uint32_t n = 0; n < 3; n++) {
		assert_int_equal(tree.nodes[n].id, n + 1);
		assert_int_equal(tree.nodes[n].step, n < 2 ? 1 : 2);
		assert_int_equal(tree.nodes[n].count, 80);
		assert_true(tree.nodes[n].score > .999 && tree.nodes[n].seconds == 80 * (n + 1) && tree.nodes[n].is_leaf);
	}
	fathom_refinement_fini(&tree);
}

/* The second half of phase 1 is so far away that the first eps divides it; the next one joins the parts. */
static void parts_are_joined(void **state)
{
	static const double eps[] = { .02, .035 };
	struct fathom_refinement_input input = { &points, seconds, eps, 2, 2, score, NULL, false };
	struct fathom_refinement tree;

	(void)state;
	plant();
	for (int i = 0; i < POINTS; i++)
		if (planted[i] == 1 && values[i] > .395)
			values[i] += .02;
		else if (planted[i] == 2)
			values[i] += .5;
		else if (planted[i] == 3)
			values[i] = 10 + (values[i] - 10) / 5;
	assert_int_equal(fathom_aggregative_refinement_make(&tree, &input, found), 3);
	assert_int_equal(tree.node_count, 5);
	assert_int_equal(tree.edge_count, 2);
	assert_int_equal(tree.nodes[4].id, 1);
	assert_false(tree.nodes[0].is_leaf);
	for (int i = 0; i < POINTS; i++)
		assert_int_equal(found[i], planted[i] == 1 ? 3 : planted[i] - 1);
	fathom_refinement_fini(&tree);
}

/* From large to small: phases 1 and 2 are one cluster that the smallest eps divides; phase 3 would be noise and stays. */
static void divisive(void **state)
{
	static const double eps[] = { .02, .06, .2 };
	struct fathom_refinement_input input = { &points, seconds, eps, 3, 2, score, NULL, true };
	struct fathom_refinement tree;

	(void)state;
	plant();
	assert_int_equal(fathom_divisive_refinement_make(&tree, &input, found), 3);
	for (int i = 0; i < POINTS; i++)
		assert_int_equal(found[i], planted[i] == 3 ? 1 : planted[i] + 1);
	assert_int_equal(tree.steps, 3);
	assert_int_equal(tree.node_count, 4);
	assert_int_equal(tree.edge_count, 2);
	assert_true(!tree.nodes[0].is_leaf && tree.nodes[1].is_leaf && tree.nodes[2].is_leaf && tree.nodes[3].is_leaf);
	assert_true(tree.nodes[2].id == tree.nodes[0].id && tree.nodes[2].step == 3 && tree.nodes[3].score > .999);
	assert_true(tree.history[0].eps == .2 && tree.history[1].eps == .06 && tree.history[2].eps == .02);
	assert_int_equal(tree.history[1].node_count, 2);
	assert_int_equal(tree.history[1].nodes[1], 0);
	assert_int_equal(tree.history[2].nodes[1], 3);
	assert_true(tree.history[0].scores[0] > .999);
	fathom_refinement_fini(&tree);
}

/* Fragments of a loose phase, which each thread executes elsewhere, are no parts: it stays whole. */
static void fragments(void **state)
{
	static const double eps[] = { .002, .02 };
	struct fathom_refinement_input input = { &points, seconds, eps, 2, 2, score, NULL, false };
	struct fathom_refinement tree;

	(void)state;
	plant();
	for (int i = 0; i < POINTS; i++)	/* pairs of neighbours of phase 1 are nearer to each other */
		if (planted[i] == 1)
			values[i] -= (i / PHASES * 7 % 80) % 2 * .0085;
	assert_int_equal(fathom_divisive_refinement_make(&tree, &input, found), 2);
	assert_int_equal(tree.node_count, 2);
	for (int i = 0; i < POINTS; i++)
		assert_int_equal(found[i], planted[i] == 3 ? FATHOM_NOISE : planted[i]);
	fathom_refinement_fini(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(different_densities), cmocka_unit_test(parts_are_joined), cmocka_unit_test(divisive),
		cmocka_unit_test(fragments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
