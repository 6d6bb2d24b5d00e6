/* Folding: the known answer of two halves, planted curves with noise, modes and outliers of durations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "folding/duration_modes.h"
#include "folding/monotone_fit.h"

static uint64_t seed = 11;

static double next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(1 - next_random())) * cos(2 * 3.14159265358979 * next_random());
}

static void two_halves_have_their_slopes(void **state)
{
	struct fathom_fit_points points = { 0 };
	struct fathom_fit fit;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		double x = next_random();

		fathom_fit_points_add(&points, x, x < 0.5 ? 0.5 * x : 1.5 * x - 0.5);
	}
	fathom_monotone_fit(&fit, &points);
	assert_int_equal(fit.segments, 2);
	assert_float_equal(fit.x[1], 0.5, 0.006);
	assert_float_equal(fathom_fit_slope(&fit, 0), 0.5, 0.01);
	assert_float_equal(fathom_fit_slope(&fit, 1), 1.5, 0.01);
	assert_true(fit.error < 0.005);
	/* 10^6 instructions in 1000 us: 500 and 1500 per us. */
	assert_float_equal(fathom_fit_slope(&fit, 0) * 1e6 / 1000, 500, 10);
	assert_float_equal(fathom_fit_slope(&fit, 1) * 1e6 / 1000, 1500, 30);
}

static void planted_slopes_are_found_in_noise(void **state)
{
	static const double ends[] = { 0, 0.2, 0.5, 0.7, 1 }, slopes[] = { 0.5, 2, 0.1, 0.9333333333 };

	(void)state;
	for (int round = 0; round < 10; round++) {
		struct fathom_fit_points points = { 0 };
		struct fathom_fit fit;
		double mean = 0;

		for (int i = 0; i < 20000; i++) {
			double x = next_random(), y = 0;

			for (int s = 0; s < 4 && x > ends[s]; s++)
				y += slopes[s] * (fmin(x, ends[s + 1]) - ends[s]);
			fathom_fit_points_add(&points, x, fmin(fmax(y + 0.01 * normal(), 0), 1));
		}
		fathom_monotone_fit(&fit, &points);
		for (int i = 0; i < 1000; i++) {		/* the mean difference of the rates */
			double x = (i + 0.5) / 1000;
			uint32_t s = 0;
			int planted = 0;

			while (s + 1 < fit.segments && x > fit.x[s + 1])
				s++;
			while (planted < 3 && x > ends[planted + 1])
				planted++;
			mean += fabs(fathom_fit_slope(&fit, s) - slopes[planted]) / 1000;
		}
		assert_true(fit.segments >= 4 && fit.segments <= 6);
		assert_true(mean < 0.05);
	}
}

static void curves_do_not_fall(void **state)
{
	struct fathom_fit_points points = { 0 };
	struct fathom_fit fit;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		double x = next_random();

		fathom_fit_points_add(&points, x, fmin(fmax(0.5 + 0.4 * sin(12 * x) + 0.02 * normal(), 0), 1));
	}
	fathom_fit_points_add(&points, -0.1, 0.5);	/* left out */
	fathom_fit_points_add(&points, NAN, 0.5);
	assert_int_equal(points.total, 5000);
	fathom_monotone_fit(&fit, &points);
	assert_true(fit.segments > 1 && fit.x[0] == 0 && fit.y[0] == 0);
	assert_true(fit.x[fit.segments] == 1 && fit.y[fit.segments] == 1);
	for (uint32_t s = 0; s < fit.segments; s++)
		assert_true(fathom_fit_slope(&fit, s) >= 0 && fit.x[s + 1] > fit.x[s] + 0.049);
	memset(&points, 0, sizeof(points));
	fathom_fit_points_add(&points, 0.5, 0.5);
	fathom_monotone_fit(&fit, &points);
	assert_int_equal(fit.segments, 0);
}

static void points_in_one_place_are_enough(void **state)
{
	struct fathom_fit_points points = { 0 };
	struct fathom_fit fit;

	(void)state;
	for (int i = 0; i < 100; i++)
		fathom_fit_points_add(&points, 0.3, 0.8);
	fathom_monotone_fit(&fit, &points);
	assert_true(fit.segments >= 1);
	for (uint32_t s = 0; s <= fit.segments; s++)
		assert_true(fit.y[s] >= 0 && fit.y[s] <= 1);
}

static void modes_are_divided_and_outliers_left_out(void **state)
{
	double durations[200];
	uint32_t modes[200], count;

	(void)state;
	for (int i = 0; i < 200; i++)
		durations[i] = (i % 2 ? 1 : 2) * (1 + 0.01 * normal());
	durations[10] = 50;
	durations[21] = 1.3;
	assert_int_equal(fathom_duration_modes_find(durations, 200, modes, &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(modes[10], FATHOM_NO_MODE);
	assert_int_equal(modes[21], FATHOM_NO_MODE);
	for (int i = 0, left = 0; i < 200; i++) {
		left += modes[i] == FATHOM_NO_MODE;
		assert_true(left < 8);
		assert_true(modes[i] == FATHOM_NO_MODE || modes[i] == (i % 2 ? 1 : 2));
	}
	for (int i = 0; i < 200; i++)
		durations[i] = 3;
	assert_int_equal(fathom_duration_modes_find(durations, 200, modes, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(modes[199], 1);
	assert_int_equal(fathom_duration_modes_find(durations, 7, modes, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(fathom_duration_modes_find(durations, 0, modes, &count), 0);
	assert_int_equal(count, 0);
	for (int i = 0; i < 200; i++)
		durations[i] = exp(next_random() * 5);
	assert_int_equal(fathom_duration_modes_find(durations, 200, modes, &count), 0);
	assert_true(count >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_halves_have_their_slopes),
		cmocka_unit_test(planted_slopes_are_found_in_noise),
		cmocka_unit_test(curves_do_not_fall),
		cmocka_unit_test(points_in_one_place_are_enough),
		cmocka_unit_test(modes_are_divided_and_outliers_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
