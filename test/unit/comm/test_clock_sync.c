/*
 * Clock offsets, with simulated ranks that have simulated clocks: skewed, drifting, or shared. The true time is a
 * counter that every look at a clock moves on, so nothing depends on this machine; and what a time means is known,
 * so the error of a corrected time can be seen. It must keep the bound that the measurement itself gives.
 */
#include "unit_test.h"

#include <math.h>
#include <unistd.h>

#include "simulated_comm.h"
#include "comm/clock_sync.h"

enum { MOST_RANKS = 24 };

static uint64_t true_ns;

enum { LOOK_NS = 100 };

/* A clock: its reading at the true time t is origin + speed * t. */
struct clock {
	uint64_t origin;
	double speed;
	uint64_t name;
	double rate_told;		/* ticks per second, as it thinks */
};

struct rank {
	struct clock clock;
	struct fathom_clock_sync sync;
};

static uint64_t read_at(const struct clock *clock, double at_ns)
{
	return clock->origin + (uint64_t)llrint(clock->speed * at_ns);
}

static uint64_t read_now(void *context)
{
	return read_at(context, (double)__atomic_fetch_add(&true_ns, LOOK_NS, __ATOMIC_SEQ_CST));
}

static double rate(void *context)
{
	return ((struct clock *)context)->rate_told;
}

static int begin_rank(struct fathom_comm *comm, void *argument)
{
	struct rank *rank = argument;

	rank->sync.clock = (struct fathom_clock_sync_source){ read_now, rate, &rank->clock, rank->clock.name };
	return fathom_clock_sync_begin(&rank->sync, comm);
}

static int end_rank(struct fathom_comm *comm, void *argument)
{
	return fathom_clock_sync_end(&((struct rank *)argument)->sync, comm);
}

static void run_all(struct rank *ranks, int size, simulated_rank *function)
{
	void *arguments[MOST_RANKS] = { NULL };
	int results[MOST_RANKS];

	for (int i = 0; i < size; i++)
		arguments[i] = &ranks[i];
	simulated_mismatches = 0;
	simulated_run(size, function, arguments, results);
	for (int i = 0; i < size; i++)
		assert_int_equal(results[i], 0);
	assert_int_equal(simulated_mismatches, 0);
}

static void run(struct rank *ranks, int size, uint64_t lasts_ns)
{
	run_all(ranks, size, begin_rank);
	true_ns += lasts_ns;
	run_all(ranks, size, end_rank);
}

/* How far corrected times of the rank are from those of rank 0, at the two points measured, in ticks. */
static double error_of(const struct rank *ranks, int rank)
{
	const struct clock *own = &ranks[rank].clock, *reference = &ranks[0].clock;
	double worst = 0;

	for (int p = 0; p < 2; p++) {
		uint64_t ticks = ranks[rank].sync.points[p].ticks;
		double at_ns = (double)(int64_t)(ticks - own->origin) / own->speed;
		uint64_t corrected = fathom_clock_sync_correct(&ranks[rank].sync, ticks);
		double error = fabs((double)(int64_t)(corrected - read_at(reference, at_ns)));

		worst = error > worst ? error : worst;
	}
	return worst;
}

/* Rounding: of the clock's reading, both ways, and of the line. */
static const double ROUNDING = 4;

static void assert_within_bounds(const struct rank *ranks, int size)
{
	for (int i = 0; i < size; i++) {
		const struct fathom_clock_sync_point *points = ranks[i].sync.points;
		uint64_t bound = points[0].error > points[1].error ? points[0].error : points[1].error;

		assert_true(points[0].ticks < points[1].ticks);
		assert_true(error_of(ranks, i) <= (double)bound + ROUNDING);
		assert_true(bound <= ranks[0].sync.largest_error);
	}
}

static void one_clock_needs_no_offset(void **state)
{
	struct rank ranks[7] = { 0 };

	(void)state;
	for (int i = 0; i < 7; i++)
		ranks[i].clock = (struct clock){ .origin = 1000, .speed = 1, .name = 5, .rate_told = 1e9 };
	run(ranks, 7, 1000000);
	for (int i = 0; i < 7; i++) {
		assert_int_equal(ranks[i].sync.clock_count, 1);
		assert_int_equal(ranks[i].sync.points[0].offset, 0);
		assert_int_equal(ranks[i].sync.points[1].offset, 0);
		assert_true(ranks[i].sync.points[0].ticks < ranks[i].sync.points[1].ticks);
		assert_true(fathom_clock_sync_correct(&ranks[i].sync, 123456789) == 123456789);
	}
}

/* Hosts of several ranks, dealt in blocks and in turn, with clocks that are hours apart. */
static void skewed_clocks_are_measured_within_their_bounds(void **state)
{
	static const int sizes[] = { 2, 3, 5, 8, 24 };

	(void)state;
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		for (int hosts = 1; hosts <= sizes[s]; hosts += 1 + hosts / 2) {
			struct rank ranks[MOST_RANKS] = { 0 };

			for (int i = 0; i < sizes[s]; i++) {
				int host = hosts % 2 ? i % hosts : i * hosts / sizes[s];

				ranks[i].clock = (struct clock){
					.origin = (uint64_t)(host * 7919 % 11) * 3600000000000u + 17,
					.speed = 1,
					.name = 100 + (uint64_t)host,
					.rate_told = 1e9,
				};
			}
			run(ranks, sizes[s], 1000000);
			assert_within_bounds(ranks, sizes[s]);
			for (int i = 0; i < sizes[s]; i++) {
				const struct fathom_clock_sync *sync = &ranks[i].sync;

				assert_int_equal(sync->clock_count, hosts);
				/* No drift is seen where there is none. */
				assert_true(sync->points[0].offset == sync->points[1].offset);
			}
		}
	}
}

/* Who shares a clock has the same line, to the tick. */
static void ranks_of_a_host_agree(void **state)
{
	struct rank ranks[12] = { 0 };

	(void)state;
	for (int i = 0; i < 12; i++)
		ranks[i].clock = (struct clock){
			.origin = 1u << (i % 3) * 8, .speed = 1, .name = (uint64_t)i % 3, .rate_told = 1e9 };
	run(ranks, 12, 1000000);
	for (int i = 3; i < 12; i++)
		assert_memory_equal(ranks[i].sync.points, ranks[i % 3].sync.points, sizeof(ranks[i].sync.points));
}

/* Over minutes drift counts, and is seen; over a millisecond it is less than what a measurement may be wrong by. */
static void drift_is_followed_where_it_can_be_seen(void **state)
{
	static const uint64_t lasts_ns[] = { 300000000000u, 1000000 };

	(void)state;
	for (int shortly = 0; shortly < 2; shortly++) {
		struct rank ranks[6] = { 0 };

		for (int i = 0; i < 6; i++)
			ranks[i].clock = (struct clock){ .origin = 1u << i * 5, .speed = 1 + 3e-5 * (i % 3),
							 .name = (uint64_t)i, .rate_told = 1e9 };
		run(ranks, 6, lasts_ns[shortly]);
		assert_within_bounds(ranks, 6);
		for (int i = 0; i < 6; i++) {
			const struct fathom_clock_sync_point *points = ranks[i].sync.points;

			assert_true((!shortly && i % 3) == (points[0].offset != points[1].offset));
		}
	}
}

/* Two kinds of counters: one tick of one is not one of the other. */
static void counters_of_different_speed_meet(void **state)
{
	struct rank ranks[4] = { 0 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		ranks[i].clock = (struct clock){ .origin = 1000u * (unsigned)i, .speed = i % 2 ? 2.5 : 1,
						 .name = (uint64_t)i, .rate_told = i % 2 ? 2.5e9 : 1e9 };
	}
	run(ranks, 4, 10000000000u);
	assert_within_bounds(ranks, 4);
}

/* Two hosts of one name: an answer that comes before its question gives them away. */
static void a_name_alone_is_not_believed(void **state)
{
	struct rank ranks[2] = { 0 };

	(void)state;
	for (int behind = 0; behind < 2; behind++) {
		memset(ranks, 0, sizeof(ranks));
		for (int i = 0; i < 2; i++)
			ranks[i].clock = (struct clock){ .origin = (i == behind) * 3600000000000u, .speed = 1,
							 .name = 9, .rate_told = 1e9 };
		run(ranks, 2, 1000000);
		assert_int_equal(ranks[0].sync.clock_count, 2);
		assert_within_bounds(ranks, 2);
	}
}

/* The formula of OTF2's readers, also before the first point. */
static void times_are_corrected_as_readers_do(void **state)
{
	struct fathom_clock_sync sync = { .points = { { 1000, 500, 0 }, { 2000, 510, 0 } } };

	(void)state;
	assert_true(fathom_clock_sync_correct(&sync, 1000) == 1500);
	assert_true(fathom_clock_sync_correct(&sync, 2000) == 2510);
	assert_true(fathom_clock_sync_correct(&sync, 1500) == 2005);
	assert_true(fathom_clock_sync_correct(&sync, 0) == 490);
	sync.points[0].offset = -5;
	sync.points[1].offset = -5;
	assert_true(fathom_clock_sync_correct(&sync, 3000) == 2995);
}

/* --- processes that wait for a processor --------------------------------------------------------------- */

/* Most messages take 50 microseconds, because the receiver sleeps or waits for a processor; each 37th takes one half of
 * a microsecond. */
enum { SLOW_NS = 50000, FAST_NS = 500, FAST_EVERY = 37 };

static int messages;
static int (*receive_at_once)(struct fathom_comm *comm, int from, void *data, size_t bytes);

static int receive_late(struct fathom_comm *comm, int from, void *data, size_t bytes)
{
	int err = receive_at_once(comm, from, data, bytes);
	int number = __atomic_add_fetch(&messages, 1, __ATOMIC_SEQ_CST);

	__atomic_fetch_add(&true_ns, number % FAST_EVERY ? SLOW_NS : FAST_NS, __ATOMIC_SEQ_CST);
	return err;
}

static int begin_slow_rank(struct fathom_comm *comm, void *argument)
{
	__atomic_store_n(&receive_at_once, comm->receive, __ATOMIC_SEQ_CST);	/* the same at both ranks */
	comm->receive = receive_late;
	return begin_rank(comm, argument);
}

static int end_slow_rank(struct fathom_comm *comm, void *argument)
{
	__atomic_store_n(&receive_at_once, comm->receive, __ATOMIC_SEQ_CST);	/* the same at both ranks */
	comm->receive = receive_late;
	return end_rank(comm, argument);
}

/* Ten slow messages in a row do not end the measurement: the fast ones among many are waited for. Then a message that
 * takes two microseconds does not seem to arrive before it was sent. */
static void a_fast_message_among_slow_ones_is_waited_for(void **state)
{
	struct rank ranks[2] = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++)
		ranks[i].clock = (struct clock){ .origin = 1000 + 7500000000u * (unsigned)i, .speed = 1,
						 .name = 20 + (uint64_t)i, .rate_told = 1e9 };
	run_all(ranks, 2, begin_slow_rank);
	true_ns += 10000000000u;
	run_all(ranks, 2, end_slow_rank);
	assert_within_bounds(ranks, 2);
	assert_true(ranks[1].sync.points[0].error <= 1000);
	assert_true(ranks[1].sync.points[1].error <= 1000);
	for (uint64_t at = 0; at < 20; at++) {
		double sent = (double)at * 5e8, came = sent + 2000;
		uint64_t from_0 = fathom_clock_sync_correct(&ranks[0].sync, read_at(&ranks[0].clock, sent));
		uint64_t from_1 = fathom_clock_sync_correct(&ranks[1].sync, read_at(&ranks[1].clock, sent));

		assert_true(from_0 < fathom_clock_sync_correct(&ranks[1].sync, read_at(&ranks[1].clock, came)));
		assert_true(from_1 < fathom_clock_sync_correct(&ranks[0].sync, read_at(&ranks[0].clock, came)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fast_message_among_slow_ones_is_waited_for),
		cmocka_unit_test(one_clock_needs_no_offset),
		cmocka_unit_test(skewed_clocks_are_measured_within_their_bounds),
		cmocka_unit_test(ranks_of_a_host_agree),
		cmocka_unit_test(drift_is_followed_where_it_can_be_seen),
		cmocka_unit_test(counters_of_different_speed_meet),
		cmocka_unit_test(a_name_alone_is_not_believed),
		cmocka_unit_test(times_are_corrected_as_readers_do),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
