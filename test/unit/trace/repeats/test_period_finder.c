/* The period of a stream: the known answers, and random streams against the method that counts unequal values. */
#include "unit_test.h"

#include "platform/arena.h"
#include "trace/repeats/period_finder.h"
#include "trace/repeats/repeat_detector.h"

/* A reproducible random number below limit. */
static uint32_t any(uint64_t *state, uint32_t limit)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*state >> 33) % limit;
}

/* The period at the newest of count values, by comparing all of them. */
static uint32_t slow_period(const uint64_t *values, int count, int window, int longest)
{
	for (int m = 1; m <= longest; m++) {
		bool is_equal = count >= window + m;

		for (int i = 0; i < window && is_equal; i++)
			is_equal = values[count - 1 - i] == values[count - 1 - i - m];
		if (is_equal)
			return (uint32_t)m;
	}
	return 0;
}

static void check_stream(const uint64_t *values, int count, int window, int longest)
{
	struct fathom_period_finder finder;
	struct fathom_arena arena = { 0 };

	assert_int_equal(fathom_period_finder_init(&finder, &arena, (uint32_t)window, (uint32_t)longest), 0);
	for (int i = 0; i < count; i++)
		assert_int_equal(fathom_period_finder_push(&finder, values[i]),
				 slow_period(values, i + 1, window, longest));
	fathom_arena_fini(&arena);
}

/* Values 7 1 2 3 1 2 3 1 2 3 1 9 1 with N = 6 and periods below 4: period 3 at the 10th and 11th value. */
static void known_stream(void **state)
{
	const uint64_t values[] = { 7, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 9, 1 };
	const uint32_t periods[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0 };
	struct fathom_period_finder finder;
	struct fathom_arena arena = { 0 };

	(void)state;
	assert_int_equal(fathom_period_finder_init(&finder, &arena, 6, 3), 0);
	for (int i = 0; i < 13; i++)
		assert_int_equal(fathom_period_finder_push(&finder, values[i]), periods[i]);
	fathom_arena_fini(&arena);
}

/* Streams of stretches with different periods, of few and of many different values, with single errors in between. */
static void random_streams(void **state)
{
	enum { COUNT = 600, STREAMS = 300 };
	uint64_t values[COUNT], seed = 1;

	(void)state;
	for (int s = 0; s < STREAMS; s++) {
		uint32_t kinds = 1 + any(&seed, s % 2 ? 3 : 40);
		int window = 1 + (int)any(&seed, 40), longest = 1 + (int)any(&seed, 40), count = 0;

		while (count < COUNT) {
			int period = 1 + (int)any(&seed, 30), end = count + (int)any(&seed, 150) + 1, first = count;

			for (; count < COUNT && count < end; count++)
				values[count] = count - first < period || any(&seed, 200) == 0 ?
						any(&seed, kinds) : values[count - period];
		}
		check_stream(values, COUNT, window, longest);
	}
}

/* The Thue-Morse sequence, whose windows have equal hashes though they differ (polynomial modulo a power of two). */
static void sequence_of_thue_and_morse(void **state)
{
	enum { COUNT = 10000, WINDOW = 2048, LONGEST = 2048 };
	static uint64_t values[COUNT];

	(void)state;
	for (int i = 0; i < COUNT; i++)
		values[i] = (uint64_t)__builtin_popcount((unsigned)i) % 2;
	check_stream(values, COUNT, WINDOW, LONGEST);
}

/* Returns how many of count values of the stream are recorded. */
static int recorded(uint64_t (*value)(int), int count, struct fathom_repeat_size size, uint32_t whole_periods)
{
	struct fathom_repeat_detector detector;
	struct fathom_arena arena = { 0 };
	int sum = 0;

	assert_int_equal(fathom_repeat_detector_init(&detector, &arena, &size, 1, whole_periods), 0);
	for (int i = 0; i < count; i++)
		sum += !fathom_repeat_detector_push(&detector, value(i));
	fathom_arena_fini(&arena);
	return sum;
}

static uint64_t eight_values(int i)
{
	return (uint64_t)i % 8;
}

/* 250 iterations of 8 events with N = 24 and 2 whole periods: 32 events until the period is found, and 16 more. */
static void known_reduction(void **state)
{
	(void)state;
	assert_int_equal(recorded(eight_values, 2000, (struct fathom_repeat_size){ 24, 12 }, 2), 48);
	assert_int_equal(recorded(eight_values, 2000, (struct fathom_repeat_size){ 24, 12 }, 1), 40);
	/* The period is longer than the longest one that is looked for. */
	assert_int_equal(recorded(eight_values, 2000, (struct fathom_repeat_size){ 24, 7 }, 2), 2000);
}

static uint64_t changing_period(int i)
{
	return i < 1000 ? (uint64_t)i % 8 : 100 + (uint64_t)i % 5;
}

/* The first value of the new pattern is recorded, and so is what follows until its period has been found and kept. */
static void change_of_period(void **state)
{
	(void)state;
	assert_int_equal(recorded(changing_period, 2000, (struct fathom_repeat_size){ 24, 12 }, 2),
			 48 + 24 + 5 + 10);
}

enum { INNER = 30, OUTER = 4 + 2 * INNER };

/* An outer loop of 64 events with an inner one of 30 times 2 events. */
static uint64_t nested_loops(int i)
{
	int at = i % OUTER;

	return at < 2 * INNER ? (uint64_t)at % 2 : 10 + (uint64_t)at;
}

/* The short window finds the inner loop in each iteration, the long one finds the outer loop. */
static void nested_periods(void **state)
{
	const struct fathom_repeat_size sizes[] = { { 8, 4 }, { 256, 128 } };
	struct fathom_repeat_detector detector;
	struct fathom_arena arena = { 0 };
	int in_first = 0, late = 0;

	(void)state;
	assert_int_equal(fathom_repeat_detector_init(&detector, &arena, sizes, 2, 2), 0);
	for (int i = 0; i < 100 * OUTER; i++) {
		bool is_left_out = fathom_repeat_detector_push(&detector, nested_loops(i));

		in_first += i < OUTER && !is_left_out;
		late += i >= 8 * OUTER && !is_left_out;
	}
	/* 10 values until the period 2 is found, 2 periods, the other events of the outer loop. */
	assert_int_equal(in_first, 10 + 4 + 4);
	assert_int_equal(late, 0);
	fathom_arena_fini(&arena);
}

/* Values without a period, and from FIRST on a period of 64 values, the longest that a window of 128 looks for. */
enum { FIRST = 20000 };

static uint64_t late_period(int i)
{
	return i < FIRST ? 1000 + (uint64_t)i : (uint64_t)i % 64;
}

/* Where nothing repeats, few values are looked at. A period is found after the rest in which it began, and keeps the
 * detector awake; after it, rests are short again. */
static void rests(void **state)
{
	const struct fathom_repeat_size sizes[] = { { 6, 4 }, { 128, 64 } };
	struct fathom_repeat_detector detector;
	struct fathom_arena arena = { 0 };
	int looked = 0, found = 0, kept = 0, again = 0;

	(void)state;
	assert_int_equal(fathom_repeat_detector_init(&detector, &arena, sizes, 2, 2), 0);
	for (int i = 0; i < 2 * FIRST; i++) {
		if (fathom_repeat_detector_skips(&detector, UINT64_C(1) << 40 | (uint64_t)i)) {
			kept += found != 0;
			continue;
		}
		looked += i < FIRST;
		if (fathom_repeat_detector_push(&detector, late_period(i)))
			found = found ? found : i;
		else
			kept += found != 0;
	}
	/* Looks of 256 values, and rests of 256, 512, 1024, 2048, and then 4096 values. */
	assert_in_range(looked, 8 * FATHOM_REPEAT_LOOK, 10 * FATHOM_REPEAT_LOOK);
	assert_in_range(found, FIRST + 128 + 64 + 128, FIRST + FATHOM_REPEAT_MOST_REST + 128 + 64 + 128 + 1);
	assert_int_equal(kept, 0);
	for (int i = 0; i < 2 * FATHOM_REPEAT_LOOK; i++)
		if (fathom_repeat_detector_skips(&detector, UINT64_C(1) << 41 | (uint64_t)i))
			again++;
		else
			fathom_repeat_detector_push(&detector, UINT64_C(1) << 42 | (uint64_t)i);
	assert_int_equal(again, FATHOM_REPEAT_LOOK);
	fathom_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_stream),
		cmocka_unit_test(random_streams),
		cmocka_unit_test(sequence_of_thue_and_morse),
		cmocka_unit_test(known_reduction),
		cmocka_unit_test(change_of_period),
		cmocka_unit_test(nested_periods),
		cmocka_unit_test(rests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
