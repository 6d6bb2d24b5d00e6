/* Time stamps never go back, and units of 2^-32 s keep the order that ticks had. */
#include "unit_test.h"

#include <errno.h>
#include <time.h>

#include "platform/clock.h"

static void ticks_never_go_back(void **state)
{
	const enum fathom_clock_kind kinds[] = { FATHOM_CLOCK_MONOTONIC, FATHOM_CLOCK_AUTO };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		uint64_t last;

		assert_int_equal(fathom_clock_init(kinds[k]), 0);
		last = fathom_clock.begin_ticks;
		for (int i = 0; i < 100000; i++) {
			uint64_t now = fathom_clock_ticks();

			assert_true(now >= last);
			last = now;
		}
	}
}

static void the_counter_is_used_or_refused(void **state)
{
	int err = fathom_clock_init(FATHOM_CLOCK_TSC);

	(void)state;
	assert_int_equal(err, fathom_clock.uses_tsc ? 0 : -ENODEV);
	assert_int_equal(fathom_clock_init(FATHOM_CLOCK_MONOTONIC), 0);
	assert_false(fathom_clock.uses_tsc);
}

/* Both clocks count the same time, so what they say of one stretch agrees, however long it took. */
static void a_second_is_2_to_the_32_units(void **state)
{
	const enum fathom_clock_kind kinds[] = { FATHOM_CLOCK_MONOTONIC, FATHOM_CLOCK_AUTO };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		const struct timespec pause = { .tv_nsec = 50000000 };
		uint64_t outer = fathom_clock_monotonic_ns(), ticks, inner, begin_ticks;
		double units;

		assert_int_equal(fathom_clock_init(kinds[k]), 0);
		begin_ticks = fathom_clock_ticks();
		inner = fathom_clock_monotonic_ns();
		nanosleep(&pause, NULL);
		inner = fathom_clock_monotonic_ns() - inner;
		ticks = fathom_clock_ticks() - begin_ticks;
		outer = fathom_clock_monotonic_ns() - outer;
		units = (double)fathom_ticks_to_units(fathom_clock_scale(), ticks);
		/* A thousandth for the calibration itself. */
		assert_true(units >= (double)inner * 1e-9 * FATHOM_UNITS_PER_SECOND * 0.999);
		assert_true(units <= (double)outer * 1e-9 * FATHOM_UNITS_PER_SECOND * 1.001);
	}
}

static void parts_are_never_longer_than_the_whole(void **state)
{
	uint64_t chance = 3;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		/* From 1/256 of a unit a tick to 256 units a tick. */
		struct fathom_tick_scale scale = { next_random(&chance) >> (23 + random_below(&chance, 17)) };
		uint64_t a = next_random(&chance) >> (10 + random_below(&chance, 50));
		uint64_t b = next_random(&chance) >> (10 + random_below(&chance, 50));
		uint64_t both = fathom_ticks_to_units(scale, a + b);
		uint64_t apart = fathom_ticks_to_units(scale, a) + fathom_ticks_to_units(scale, b);

		assert_true(apart <= both);
		assert_true(both - apart <= 1);
	}
}

static void up_is_the_next_unit_unless_exact(void **state)
{
	const struct fathom_tick_scale one = { (uint64_t)1 << 32 };
	uint64_t chance = 4;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		struct fathom_tick_scale scale = { 1 + (next_random(&chance) >> 30) };
		uint64_t ticks = next_random(&chance) >> 30;
		uint64_t down = fathom_ticks_to_units(scale, ticks), up = fathom_ticks_to_units_up(scale, ticks);
		unsigned __int128 exact = (unsigned __int128)scale.units_per_tick_q32 * ticks;

		assert_true(up - down == ((exact & 0xffffffffu) != 0));
		assert_int_equal(fathom_ticks_to_units(one, ticks), ticks);
		assert_int_equal(fathom_ticks_to_units_up(one, ticks), ticks);
	}
}

/* A year of a 5 GHz counter. */
static void long_times_do_not_overflow(void **state)
{
	const struct fathom_tick_scale scale = { (uint64_t)(FATHOM_UNITS_PER_SECOND / 5e9 * 4294967296.0) };
	uint64_t year = (uint64_t)365 * 86400;
	double seconds = (double)fathom_ticks_to_units(scale, year * 5000000000u) / FATHOM_UNITS_PER_SECOND;

	(void)state;
	assert_true(seconds > (double)year - 1 && seconds <= (double)year);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_never_go_back),
		cmocka_unit_test(the_counter_is_used_or_refused),
		cmocka_unit_test(a_second_is_2_to_the_32_units),
		cmocka_unit_test(parts_are_never_longer_than_the_whole),
		cmocka_unit_test(up_is_the_next_unit_unless_exact),
		cmocka_unit_test(long_times_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
