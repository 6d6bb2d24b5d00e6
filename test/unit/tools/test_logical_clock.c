/* The controlled logical clock: known answers, and properties of random traces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tools/trace/logical_clock.h"

static void assert_near(double expected, double got)
{
	if (fabs(expected - got) > 1e-9 * (1 + fabs(expected)))
		fail_msg("%.12f instead of %.12f", got, expected);
}

/* A message from 100 to 95, times in microseconds: the receive jumps to 101, the move decays by g behind it, and an
 * event 5 us before the receive moves with a slope of 0.01. */
static void receive_jumps_and_neighbours_follow(void **state)
{
	uint64_t sender[] = { 100 }, receiver[] = { 90, 95, 96, 120 };
	double sender_moves[1], moves[4];
	struct fathom_logical_clock *clock = fathom_logical_clock_create(2, 0.001);
	struct fathom_logical_clock_result result;
	uint32_t message = fathom_logical_clock_add(clock, 1);

	(void)state;
	fathom_logical_clock_set(clock, 0, sender, sender_moves, 1);
	fathom_logical_clock_set(clock, 1, receiver, moves, 4);
	fathom_logical_clock_add_source(clock, message, 0, 0);
	fathom_logical_clock_add_target(clock, message, 1, 1);
	result = fathom_logical_clock_correct(clock);
	assert_int_equal(1, result.violations);
	assert_int_equal(0, result.left);
	assert_int_equal(1, result.passes);
	assert_near(0.99999, result.g);
	assert_near(0, sender_moves[0]);
	assert_near(95.95, 90 + moves[0]);
	assert_near(101, 95 + moves[1]);
	assert_near(101.99999, 96 + moves[2]);
	assert_near(125.99975, 120 + moves[3]);
	fathom_logical_clock_destroy(clock);
}

/* The same, but the event at 90 is a send that is received at 92: it may move to 91 only, and the line is bent there.
 * */
static void send_before_a_jump_stays_before_its_receive(void **state)
{
	uint64_t sender[] = { 100 }, receiver[] = { 80, 90, 93, 95 }, third[] = { 92 };
	double sender_moves[1], moves[4], third_moves[1];
	struct fathom_logical_clock *clock = fathom_logical_clock_create(3, 0.001);
	uint32_t message = fathom_logical_clock_add(clock, 1), other = fathom_logical_clock_add(clock, 1);
	struct fathom_logical_clock_result result;

	(void)state;
	fathom_logical_clock_set(clock, 0, sender, sender_moves, 1);
	fathom_logical_clock_set(clock, 1, receiver, moves, 4);
	fathom_logical_clock_set(clock, 2, third, third_moves, 1);
	fathom_logical_clock_add_source(clock, message, 0, 0);
	fathom_logical_clock_add_target(clock, message, 1, 3);
	fathom_logical_clock_add_source(clock, other, 1, 1);
	fathom_logical_clock_add_target(clock, other, 2, 0);
	result = fathom_logical_clock_correct(clock);
	assert_int_equal(0, result.left);
	assert_near(101, 95 + moves[3]);
	assert_near(91, 90 + moves[1]);		/* 92 - 1 */
	assert_near(0, third_moves[0]);
	assert_near(1 + 5.0 * 3 / 5, moves[2]);	/* on the line from (90, 1) to (95, 6) */
	if (moves[0] < 0 || moves[0] > moves[1])
		fail_msg("the event before the send moves by %g", moves[0]);
	fathom_logical_clock_destroy(clock);
}

/* Barrier: nobody leaves before the last has entered. */
static void barrier_is_left_behind_the_last_enter(void **state)
{
	uint64_t times[3][2] = { { 10, 20 }, { 30, 31 }, { 12, 33 } };
	double moves[3][2];
	struct fathom_logical_clock *clock = fathom_logical_clock_create(3, 0.001);
	uint32_t barrier = fathom_logical_clock_add(clock, 1);
	struct fathom_logical_clock_result result;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		fathom_logical_clock_set(clock, i, times[i], moves[i], 2);
		fathom_logical_clock_add_source(clock, barrier, i, 0);
		fathom_logical_clock_add_target(clock, barrier, i, 1);
	}
	result = fathom_logical_clock_correct(clock);
	assert_int_equal(1, result.violations);		/* 20 < 30 */
	assert_int_equal(0, result.left);
	assert_near(31, 20 + moves[0][1]);
	assert_near(0, moves[1][1]);
	assert_near(0, moves[2][1]);
	fathom_logical_clock_destroy(clock);
}

/* Nothing is wrong, so nothing moves. */
static void good_times_stay(void **state)
{
	uint64_t a[] = { 1, 1, 5, 9 }, b[] = { 0, 7, 7, 8 };
	double a_moves[4], b_moves[4];
	struct fathom_logical_clock *clock = fathom_logical_clock_create(2, 1);
	uint32_t message = fathom_logical_clock_add(clock, 1);
	int i;

	(void)state;
	fathom_logical_clock_set(clock, 0, a, a_moves, 4);
	fathom_logical_clock_set(clock, 1, b, b_moves, 4);
	fathom_logical_clock_add_source(clock, message, 0, 2);
	fathom_logical_clock_add_target(clock, message, 1, 1);
	fathom_logical_clock_correct(clock);
	for (i = 0; i < 4; i++) {
		assert_near(0, a_moves[i]);
		assert_near(0, b_moves[i]);
	}
	fathom_logical_clock_destroy(clock);
}

/* Two messages that each wait for the other: no times satisfy both, but the correction ends. */
static void contradiction_ends(void **state)
{
	uint64_t times[] = { 10, 20 };
	double moves[2][2];
	struct fathom_logical_clock *clock = fathom_logical_clock_create(2, 1);
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		uint32_t message = fathom_logical_clock_add(clock, 1);

		fathom_logical_clock_set(clock, i, times, moves[i], 2);
		fathom_logical_clock_add_source(clock, message, i, 1);
		fathom_logical_clock_add_target(clock, message, 1 - i, 0);
	}
	assert_true(fathom_logical_clock_correct(clock).left > 0);
	fathom_logical_clock_destroy(clock);
}

enum { PLACES = 5, EVENTS = 2000 };

/* Random traces: true times with a message between random events, seen by clocks that are wrong by up to 500 ticks and
 * drift. No violation is left, the order of each location stays, and no interval shrinks by more than 1 - g. */
static void random_traces_obey_all_rules(void **state)
{
	static uint64_t times[PLACES][EVENTS];
	static double moves[PLACES][EVENTS];
	unsigned seed;

	(void)state;
	for (seed = 1; seed <= 40; seed++) {
		struct fathom_logical_clock *clock = fathom_logical_clock_create(PLACES, 1);
		struct fathom_logical_clock_result result;
		size_t p, i;

		srandom(seed);
		for (p = 0; p < PLACES; p++) {
			uint64_t time = 1000 + (uint64_t)random() % 500;

			for (i = 0; i < EVENTS; i++)
				times[p][i] = time += (uint64_t)random() % 40;
			fathom_logical_clock_set(clock, p, times[p], moves[p], EVENTS);
		}
		/* Messages go from event i to event i + 1 or later: there is no circle. */
		for (i = 0; i + 10 < EVENTS; i++) {
			size_t from = (size_t)random() % PLACES, to =
				(from + 1 + (size_t)random() % (PLACES - 1)) % PLACES;
			uint32_t message = fathom_logical_clock_add(clock, 3);

			fathom_logical_clock_add_source(clock, message, from, i);
			fathom_logical_clock_add_target(clock, message, to, i + 1 + (size_t)random() % 9);
		}
		result = fathom_logical_clock_correct(clock);
		assert_int_equal(0, result.left);
		for (p = 0; p < PLACES; p++)
			for (i = 1; i < EVENTS; i++) {
				double before = (double)(times[p][i] - times[p][i - 1]);
				double after = before + moves[p][i] - moves[p][i - 1];

				if (moves[p][i] < 0 || after < result.g * before - 1e-6)
					fail_msg("seed %u, place %zu, event %zu: %g becomes %g", seed, p, i, before,
						 after);
			}
		fathom_logical_clock_destroy(clock);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(receive_jumps_and_neighbours_follow),
		cmocka_unit_test(send_before_a_jump_stays_before_its_receive),
		cmocka_unit_test(barrier_is_left_behind_the_last_enter),
		cmocka_unit_test(good_times_stay),
		cmocka_unit_test(contradiction_ends),
		cmocka_unit_test(random_traces_obey_all_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
