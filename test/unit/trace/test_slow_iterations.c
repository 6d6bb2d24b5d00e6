/* Which iterations of a phase are slow. */
#include "unit_test.h"

#include "trace/slow_iterations.h"

static const struct fathom_region phase = { .name = "phase" }, inner = { .name = "inner" };

/* Begins iterations of these lengths one after another; returns the index of the first slow one, or -1. */
static int first_slow(const uint64_t *ticks, int count, uint64_t factor)
{
	struct fathom_slow_iterations iterations = { 0 };
	uint64_t now = 1000;

	assert_false(fathom_slow_iterations_begin(&iterations, &phase, now, factor));
	for (int i = 0; i < count; i++) {
		assert_false(fathom_slow_iterations_begin(&iterations, &inner, now + 1, factor));
		now += ticks[i];
		if (fathom_slow_iterations_begin(&iterations, &phase, now, factor))
			return i;
	}
	return -1;
}

static void equal_iterations(void **state)
{
	uint64_t ticks[100];

	(void)state;
	for (int i = 0; i < 100; i++)
		ticks[i] = 50;
	assert_int_equal(-1, first_slow(ticks, 100, 2));
	ticks[70] = 99;
	assert_int_equal(-1, first_slow(ticks, 100, 2));
	ticks[70] = 100;
	assert_int_equal(70, first_slow(ticks, 100, 2));
	ticks[14] = 1000;		/* too early to know the median */
	assert_int_equal(70, first_slow(ticks, 100, 2));
	ticks[15] = 1000;
	assert_int_equal(15, first_slow(ticks, 100, 2));
}

/* The median of 1 to 15, in any order, is 8. */
static void different_iterations(void **state)
{
	uint64_t ticks[16];

	(void)state;
	for (int i = 0; i < 15; i++)
		ticks[i] = (uint64_t)(i * 7 % 15 + 1);
	ticks[15] = 23;
	assert_int_equal(-1, first_slow(ticks, 16, 3));
	ticks[15] = 24;
	assert_int_equal(15, first_slow(ticks, 16, 3));
}

/* A program that becomes slower is slow until most of the iterations are. */
static void slower_program(void **state)
{
	struct fathom_slow_iterations iterations = { 0 };
	uint64_t now = 0;
	int slow = 0;

	(void)state;
	for (int i = 0; i < 60; i++) {
		slow += fathom_slow_iterations_begin(&iterations, &phase, now, 4);
		now += i < 30 ? 10 : 1000;
	}
	assert_int_equal(8, slow);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_iterations),
		cmocka_unit_test(different_iterations),
		cmocka_unit_test(slower_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
