/* The statistics of fathom diff: quantiles of Student's distribution, names that match, and what is called a change. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tools/common/match_key.h"
#include "tools/diff/changes.h"
#include "tools/diff/spread_prior.h"
#include "tools/diff/student_distribution.h"

/* Values from tables of the distribution. */
static void quantiles(void **state)
{
	(void)state;
	assert_true(fabs(fathom_student_quantile(0.025, 4) - 2.776445) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.005, 10) - 3.169273) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.05, 1) - 6.313752) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.0005, 30) - 3.645959) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.025, 1e6) - 1.959966) < 1e-5);
}

static void keys(void **state)
{
	static const char *const pairs[][2] = {
		{ "work", "work" }, { "work.constprop.0", "work" }, { "solve._omp_fn.12", "solve" },
		{ "f.part.0.isra.0", "f" }, { "!$omp parallel @omp.c:4", "!$omp parallel @omp.c" },
		{ "std::vector<int>::at", "std::vector<int>::at" }, { "loop:7", "loop:7" }, { ".cold", ".cold" },
	};
	char key[64];

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		assert_string_equal(fathom_match_key(pairs[i][0], key, sizeof(key)), pairs[i][1]);
	assert_string_equal(fathom_match_key("a_long_name", key, 7), "a_long");
}

/* Two regions in six runs: the first has 10 s and gets 1 s slower, the second stays at 5 s; both spread by 1 %. */
static void changes(void **state)
{
	static const double noise[6] = { 0.99, 1, 1.01, 0.99, 1, 1.01 };
	struct fathom_run_value first[6] = { { 0 } }, second[6] = { { 0 } };
	struct fathom_matched_item items[] = {
		{ .name = "first", .key = "first", .file = "", .parent = -1, .values = first },
		{ .name = "second", .key = "second", .file = "", .parent = -1, .values = second },
	};
	struct fathom_matched_runs matched = { .count = 6, .regions = { .items = items, .count = 2 } };
	struct fathom_change *found;

	(void)state;
	for (int r = 0; r < 6; r++) {
		first[r] = (struct fathom_run_value){ .own = (r < 3 ? 10 : 11) * noise[r], .is_present = true };
		second[r] = (struct fathom_run_value){ .own = 5 * noise[5 - r], .is_present = true };
		matched.runs[r].total = first[r].own + second[r].own;
	}
	found = fathom_changes_find(&matched, &matched.regions, 3, FATHOM_CHANGE_OWN);
	assert_int_equal(found[0].item, 0);
	assert_true(found[0].is_change);
	assert_true(fabs(found[0].before - 10) < 1e-12 && fabs(found[0].after - 11) < 1e-12);
	assert_true(found[0].noise > 0.01 && found[0].noise < 1);
	assert_int_equal(found[1].item, 1);
	assert_false(found[1].is_change);
	free(found);
	assert_true(fathom_changes_total(&matched, 3).is_change);
}

/* Upper points of the F distribution, from tables. */
static void variance_ratios(void **state)
{
	(void)state;
	assert_true(fabs(fathom_variance_ratio_tail(6.388233, 4, 4) - 0.05) < 1e-6);
	assert_true(fabs(fathom_variance_ratio_tail(4.849147, 10, 10) - 0.01) < 1e-6);
	assert_true(fabs(fathom_variance_ratio_tail(18.512821, 1, 2) - 0.05) < 1e-6);
	assert_true(fabs(fathom_variance_ratio_tail(1, 7, 7) - 0.5) < 1e-9);
}

/* --- many functions, with random times ----------------------------------------------------------------- */

enum { FUNCTIONS = 100, RUNS_MOST = 10, TRIES = 1000, CHANGED = 3 };

static uint64_t seed;

/* Returns a number between 0 and 1, without both (xorshift). */
static double chance(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
	return sqrt(-2 * log(chance())) * cos(2 * 3.14159265358979323846 * chance());
}

enum noise { EQUAL, UNEQUAL, FEW_NOISY, WHOLE_RUNS };

/* Returns the relative standard deviation of a function's time. */
static double deviation_of(enum noise noise)
{
	switch (noise) {
	case EQUAL: return 0.01;
	case UNEQUAL: return 0.002 * pow(25, chance());		/* 0.2 to 5 % */
	case FEW_NOISY: return chance() < 0.05 ? 0.05 : 0.005;
	default: return 0.003;
	}
}

/* Counts the tries in which a function is wrongly called changed, and those in which only the function that takes 10 %
 * longer on the second side is. */
static void try_often(enum noise noise, uint32_t runs, bool has_change, int *wrong, int *right)
{
	static struct fathom_run_value values[FUNCTIONS][RUNS_MOST];
	static struct fathom_matched_item items[FUNCTIONS];
	struct fathom_matched_runs matched = { .count = 2 * runs, .regions = { .items = items, .count = FUNCTIONS } };

	*wrong = *right = 0;
	for (int t = 0; t < TRIES; t++) {
		double whole[RUNS_MOST];
		struct fathom_change *found;
		int others = 0, hits = 0;

		for (uint32_t r = 0; r < matched.count; r++) {
			whole[r] = noise == WHOLE_RUNS ? 1 + 0.01 * normal() : 1;
			matched.runs[r].total = 0;
		}
		for (int f = 0; f < FUNCTIONS; f++) {
			double deviation = deviation_of(noise);

			for (uint32_t r = 0; r < matched.count; r++) {
				double value = (1 + deviation * normal()) * whole[r] / (1 + f % 50);

				if (has_change && f == CHANGED && r >= runs)
					value *= 1.1;
				values[f][r] = (struct fathom_run_value){ .own = value, .is_present = true };
				matched.runs[r].total += value;
			}
			items[f] = (struct fathom_matched_item){ .name = "f", .key = "f", .file = "", .parent = -1,
								 .values = values[f] };
		}
		found = fathom_changes_find(&matched, &matched.regions, runs, FATHOM_CHANGE_OWN);
		for (int f = 0; f < FUNCTIONS; f++) {
			hits += found[f].is_change && has_change && found[f].item == CHANGED;
			others += found[f].is_change && !(has_change && found[f].item == CHANGED);
		}
		free(found);
		*wrong += others > 0;
		*right += hits && !others;
	}
}

/* Without a change, at most one of 100 tries names any function, however the times vary. */
static void no_change(void **state)
{
	int wrong, right;

	(void)state;
	for (enum noise noise = EQUAL; noise <= WHOLE_RUNS; noise++)
		for (uint32_t runs = 3; runs <= 5; runs += 2) {
			seed = 88172645463325252U;
			try_often(noise, runs, false, &wrong, &right);
			if (wrong > TRIES / 100)
				fail_msg("noise %d, %u runs of each side: %d of %d tries", noise, runs, wrong, TRIES);
		}
}

/* A function that takes 10 % longer is named, and no other one. */
static void one_change(void **state)
{
	int wrong, right;

	(void)state;
	seed = 88172645463325252U;
	try_often(EQUAL, 3, true, &wrong, &right);
	assert_true(wrong <= TRIES / 100 && right >= TRIES * 98 / 100);
	try_often(WHOLE_RUNS, 5, true, &wrong, &right);
	assert_true(wrong <= TRIES / 100 && right >= TRIES * 98 / 100);
}

/* The prior of equal spreads is worth much, that of very unequal ones little; few regions tell little. */
static void priors(void **state)
{
	double equal[200], unequal[200], three[3] = { 1e-4, 4e-4, 9e-4 };
	struct fathom_spread_prior prior;

	(void)state;
	seed = 1234567;
	for (int i = 0; i < 200; i++) {
		equal[i] = unequal[i] = 0;
		for (int d = 0; d < 4; d++)
			equal[i] += 1e-4 * pow(normal(), 2) / 4;
		unequal[i] = equal[i] * pow(1000, chance());
	}
	prior = fathom_spread_prior_fit(equal, 200, 4);
	assert_true(prior.degrees > 8 && fabs(prior.variance / 1e-4 - 1) < 0.2);
	prior = fathom_spread_prior_fit(unequal, 200, 4);
	assert_true(prior.degrees < 2);
	prior = fathom_spread_prior_fit(three, 3, 4);
	assert_true(prior.variance == 4e-4 && prior.degrees == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles), cmocka_unit_test(variance_ratios), cmocka_unit_test(keys),
		cmocka_unit_test(priors), cmocka_unit_test(changes), cmocka_unit_test(no_change),
		cmocka_unit_test(one_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
