/* Periods of signals: known answers, and planted periods with jitter between a begin and an end without a period. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "periods/autocorrelation.h"
#include "periods/haar_transform.h"
#include "periods/periodic_region.h"

enum { MOST = 1 << 16 };

static double signal_of_test[MOST];
static uint64_t seed = 7;

static double next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static void square_wave_resembles_itself_after_a_period(void **state)
{
	double wave[32], correlation[17];

	(void)state;
	for (int i = 0; i < 32; i++)
		wave[i] = i % 8 < 4;
	assert_int_equal(fathom_autocorrelation(wave, 32, correlation, 17), 0);
	assert_float_equal(correlation[0], 1, 1e-9);
	assert_float_equal(correlation[8], 1, 1e-9);		/* unbiased; 24 / 32 of it is the biased value .75 */
	assert_float_equal(correlation[8] * 24 / 32, 0.75, 1e-9);
	assert_float_equal(correlation[4], -1, 1e-9);
	assert_float_equal(correlation[2], 0, 0.1);
	for (int i = 0; i < 32; i++)
		wave[i] = 3;
	assert_int_equal(fathom_autocorrelation(wave, 32, correlation, 17), 0);
	assert_float_equal(correlation[0], 0, 0);
}

static void autocorrelation_is_that_of_its_definition(void **state)
{
	double values[100], correlation[100], mean = 0, variance = 0;

	(void)state;
	for (int i = 0; i < 100; i++)
		mean += (values[i] = next_random()) / 100;
	for (int i = 0; i < 100; i++)
		variance += (values[i] - mean) * (values[i] - mean) / 100;
	assert_int_equal(fathom_autocorrelation(values, 100, correlation, 100), 0);
	for (int k = 0; k < 100; k++) {
		double sum = 0;

		for (int i = 0; i + k < 100; i++)
			sum += (values[i] - mean) * (values[i + k] - mean);
		assert_float_equal(correlation[k], sum / (100 - k) / variance, 1e-9);
	}
}

static void wavelets_keep_the_energy_and_place_it(void **state)
{
	double values[8] = { 4, 2, 5, 5, 1, 1, 1, 1 }, scratch[8], energies[2], sum = 0;

	(void)state;
	fathom_haar_transform(values, 8, 2, scratch);
	for (int i = 0; i < 8; i++)
		sum += values[i] * values[i];
	assert_float_equal(sum, 74, 1e-9);
	assert_float_equal(values[0], 8, 1e-9);			/* mean 4, times the square root of 4 */
	assert_float_equal(values[1], 2, 1e-9);
	fathom_haar_energies(values, 8, 2, energies);
	assert_float_equal(energies[0], 70 - 64, 1e-9);		/* all but that of the mean */
	assert_float_equal(energies[1], 0, 1e-9);
}

/* Fills in a signal: constant at the begin and the end, iterations of phases of 8 threads between them. Each iteration
 * is longer or shorter by at most `jitter` of its period. Returns the end of the iterations. */
static size_t plant(size_t count, size_t begin, double period, size_t iterations, double jitter)
{
	static const double shares[] = { 0.4, 0.1, 0.3, 0.2 }, computing[] = { 8, 0, 6, 1 };
	double at = (double)begin;
	size_t end = begin;

	for (size_t i = 0; i < count; i++)
		signal_of_test[i] = i < begin ? 8 : 1;
	for (size_t n = 0; n < iterations; n++) {
		double length = period * (1 + jitter * (2 * next_random() - 1));

		for (int phase = 0; phase < 4; phase++) {
			at += shares[phase] * length;
			for (; end < (size_t)at && end < count; end++)
				signal_of_test[end] = computing[phase];
		}
	}
	return end;
}

static void planted_periods_are_found(void **state)
{
	static const struct { size_t count, begin; double period; size_t iterations; double jitter; } cases[] = {
		{ 65536, 20000, 100, 300, 0 }, { 65536, 20000, 100.37, 300, 0 }, { 65536, 5000, 1000, 50, 0.02 },
		{ 65536, 30000, 400, 60, 0.1 }, { 65536, 0, 640, 100, 0.05 }, { 65536, 10000, 9000, 5, 0.01 },
		{ 8192, 1000, 12, 500, 0 }, { 65536, 40000, 30, 700, 0.05 }, { 65536, 7001, 13331, 4, 0 },
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		size_t end = plant(cases[c].count, cases[c].begin, cases[c].period, cases[c].iterations,
				   cases[c].jitter);
		double mean = (double)(end - cases[c].begin) / (double)cases[c].iterations;
		struct fathom_periodic_region region;

		assert_int_equal(fathom_periodic_region_find(&region, signal_of_test, cases[c].count, 2), 0);
		assert_float_equal(region.period, mean,
				   (0.02 + cases[c].jitter / 2) * mean + 0.5);
		assert_float_equal(region.begin, (double)cases[c].begin, mean + (double)cases[c].count / 64);
		assert_float_equal(region.end, (double)end, mean + (double)cases[c].count / 64);
		assert_true(region.correlation > (cases[c].jitter > 0 ? FATHOM_LEAST_PERIOD :
						     FATHOM_SURE_PERIOD));
		assert_float_equal((double)region.count, (double)cases[c].iterations,
				   2.5 + cases[c].jitter * (double)cases[c].iterations);
		assert_true(region.typical + 2 <= region.count);
		assert_true(region.likeness > (cases[c].jitter > 0 ? 0 : 0.9));
		assert_true(region.calmest < region.period);
	}
}

static void typical_periods_are_not_the_unusual_ones(void **state)
{
	struct fathom_periodic_region region;

	(void)state;
	plant(4096, 0, 256, 16, 0);
	for (size_t i = 0; i < 4 * 256; i++)		/* the first four periods differ */
		signal_of_test[i] += 4 * next_random() - (signal_of_test[i] > 7 ? 4 : 0);
	assert_int_equal(fathom_periodic_region_find(&region, signal_of_test, 4096, 2), 0);
	assert_float_equal(region.period, 256, 2);
	assert_true(region.typical >= 4);
}

static void noise_and_constants_have_no_period(void **state)
{
	struct fathom_periodic_region region;

	(void)state;
	for (size_t i = 0; i < 4096; i++)
		signal_of_test[i] = next_random();
	assert_int_equal(fathom_periodic_region_find(&region, signal_of_test, 4096, 2), 0);
	assert_true(region.period == 0);
	for (size_t i = 0; i < 4096; i++)
		signal_of_test[i] = 5;
	assert_int_equal(fathom_periodic_region_find(&region, signal_of_test, 4096, 2), 0);
	assert_true(region.period == 0);
	assert_int_equal(fathom_periodic_region_find(&region, signal_of_test, 3, 2), 0);
	assert_true(region.period == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(square_wave_resembles_itself_after_a_period),
		cmocka_unit_test(autocorrelation_is_that_of_its_definition),
		cmocka_unit_test(wavelets_keep_the_energy_and_place_it),
		cmocka_unit_test(planted_periods_are_found),
		cmocka_unit_test(typical_periods_are_not_the_unusual_ones),
		cmocka_unit_test(noise_and_constants_have_no_period),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
