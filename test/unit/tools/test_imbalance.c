/* How unequal the time of a call path is over processes: known answers. */
#include "unit_test.h"

#include <math.h>

#include "tools/report/imbalance.h"

#define NEAR(a, b) near_enough((a), (b), __LINE__)
static void near_enough(double a, double b, int line)
{
	if (fabs(a - b) > 1e-9 * fmax(1, fabs(b))) {
		print_error("line %d: %.12g, not %.12g\n", line, a, b);
		fail();
	}
}

static void each_process_is_above_or_below_the_mean(void **state)
{
	static const double times[] = { 8, 4, 0, 0 }, above[] = { 5, 1, 0, 0 }, below[] = { 0, 0, 3, 3 };
	static const struct fathom_shared_time two = { .sum = 12, .count = 4, .visitors = 2 };
	static const struct fathom_shared_time one = { .sum = 12, .count = 4, .visitors = 1 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct fathom_imbalance result = fathom_imbalance_of(times[i], times[i] > 0, &two);

		NEAR(result.above, above[i]);
		NEAR(result.below, below[i]);
		NEAR(result.bypass, below[i]);
		NEAR(result.single + result.singularity, 0);
		result = fathom_imbalance_of(i ? 0 : 12, !i, &one);
		NEAR(result.single, i ? 0 : 9);
		NEAR(result.singularity, i ? 3 : 0);
	}
}

static struct fathom_imbalance sums_of(const double *times, const double *visits, uint32_t count)
{
	struct fathom_shared_time all = { .count = count };
	struct fathom_imbalance sums = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		all.sum += times[i];
		all.visitors += visits[i] > 0;
	}
	for (uint32_t i = 0; i < count; i++)
		fathom_imbalance_add(&sums, fathom_imbalance_of(times[i], visits[i] > 0, &all));
	return sums;
}

static void what_is_above_the_mean_is_below_it_elsewhere(void **state)
{
	static const double times[] = { 8, 4, 0, 0 }, visits[] = { 1, 7, 0, 0 };
	static const double alone[] = { 0, 12, 0, 0 }, equal[] = { 3, 3, 3, 3 };
	struct fathom_imbalance sums = sums_of(times, visits, 4);

	(void)state;
	NEAR(sums.above, 6);
	NEAR(sums.below, 6);
	NEAR(sums.bypass, 6);
	NEAR(sums.single, 0);
	sums = sums_of(alone, alone, 4);
	NEAR(sums.above, 9);
	NEAR(sums.single, 9);
	NEAR(sums.singularity, 9);
	sums = sums_of(equal, equal, 4);
	NEAR(sums.above + sums.below, 0);
	sums = sums_of(alone + 1, alone + 1, 1);	/* one process alone is the mean */
	NEAR(sums.above + sums.below, 0);
	sums = sums_of(NULL, NULL, 0);
	NEAR(sums.above + sums.below, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_process_is_above_or_below_the_mean),
		cmocka_unit_test(what_is_above_the_mean_is_below_it_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
