/* Counters that a part of the members of a cluster has: known answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "clusters/extrapolation.h"

static void errors_are_weighted_by_cycles(void **state)
{
	(void)state;
	assert_float_equal(fathom_weighted_error(102, 100, 0.9), 0.018, 1e-12);
	assert_float_equal(fathom_weighted_error(60, 50, 0.1), 0.02, 1e-12);
	assert_float_equal(fathom_weighted_error(60, 50, 1), 0.2, 1e-12);
}

static void values_follow_from_the_reference(void **state)
{
	/* Three of ten members were measured: 10, 12 and 14 in 100 cycles each; all members have 110 cycles on average. */
	struct fathom_measured_sums sums = { 3, 36, 100 + 144 + 196, 300 };
	struct fathom_extrapolated values;

	(void)state;
	fathom_extrapolate(&values, &sums, 10, 110);
	assert_float_equal(values.mean, 13.2, 1e-12);
	assert_float_equal(values.total, 132, 1e-12);
	assert_float_equal(values.error, 2 / sqrt(3) / 12, 1e-12);
	sums = (struct fathom_measured_sums){ 1, 10, 100, 100 };
	fathom_extrapolate(&values, &sums, 10, 100);
	assert_float_equal(values.total, 100, 1e-12);
	assert_true(isnan(values.error));
	sums = (struct fathom_measured_sums){ 0 };
	fathom_extrapolate(&values, &sums, 10, 100);
	assert_true(isnan(values.mean) && isnan(values.total));
	sums = (struct fathom_measured_sums){ 2, 0, 0, 200 };
	fathom_extrapolate(&values, &sums, 10, 100);
	assert_true(values.mean == 0 && values.total == 0 && values.error == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_weighted_by_cycles),
		cmocka_unit_test(values_follow_from_the_reference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
