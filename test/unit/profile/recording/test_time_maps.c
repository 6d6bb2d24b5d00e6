/* When a thread makes its next time map. */
#include "unit_test.h"

#include "profile/recording/time_maps.h"

static void a_map_takes_one_percent_of_the_time(void **state)
{
	(void)state;
	assert_int_equal(fathom_time_map_due(5000000, 30, 9000), 5000000 + 900000);
}

/* The thread lost its processor for 10 ms during a walk over 20 call paths: without a bound, the next map would be due
 * after a second. The ticks are those of a counter with 2.5 GHz. */
static void a_walk_that_was_interrupted_does_not_stop_maps(void **state)
{
	const uint64_t ticks_per_ms = 2500000;

	(void)state;
	assert_true(fathom_time_map_due(0, 30, 10 * ticks_per_ms) <= 3 * ticks_per_ms);
	assert_int_equal(fathom_time_map_due(0, 30, 10 * ticks_per_ms), fathom_time_map_due(0, 30, 20 * ticks_per_ms));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_takes_one_percent_of_the_time),
		cmocka_unit_test(a_walk_that_was_interrupted_does_not_stop_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
