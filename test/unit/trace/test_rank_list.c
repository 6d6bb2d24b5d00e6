/* Lists of ranks as runs: what was stored comes back, regular lists are short whatever their length. */
#include "trace/rank_list.h"
#include "unit_test.h"

enum { MOST = 10000 };

static uint32_t ranks[MOST], words[MOST + 1], copy[MOST + 1];
static uint64_t seed = 42;

/* Stores the first count ranks, compares, and returns the number of words. */
static uint32_t store(uint32_t count)
{
	uint32_t used = fathom_rank_list_pack(words, ranks, count), highest = 0, i;

	assert_true(used <= count + 1);
	assert_int_equal(used, fathom_rank_list_words(words, count, used));
	assert_int_equal(0, fathom_rank_list_words(words, count, used - 1));
	assert_int_equal(0, fathom_rank_list_words(words, count + 1, used));
	fathom_rank_list_unpack(words, copy, count);
	for (i = 0; i < count; i++) {
		assert_int_equal(ranks[i], copy[i]);
		highest = ranks[i] > highest ? ranks[i] : highest;
	}
	for (i = 0; i < count; i += 1 + count / 17) {
		assert_int_equal(ranks[i], fathom_rank_list_at(words, i));
		assert_true(fathom_rank_list_contains(words, count, ranks[i]));
	}
	assert_false(fathom_rank_list_contains(words, count, highest + 1));
	if (count) {
		assert_int_equal(ranks[0], fathom_rank_list_first(words));
		assert_true(fathom_rank_list_is_below(words, count, highest + 1));
		assert_false(fathom_rank_list_is_below(words, count, highest));
	}
	return used;
}

static void regular_lists_are_short(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 0; i < MOST; i++)
		ranks[i] = i;
	assert_int_equal(4, store(MOST));		/* all ranks: 16 bytes in place of 40 kB */
	assert_true(fathom_rank_list_counts_up(words, MOST));
	for (i = 0; i < MOST / 100; i++)
		ranks[i] = 100 * i + 7;
	assert_int_equal(4, store(MOST / 100));		/* a column of a grid */
	assert_false(fathom_rank_list_counts_up(words, MOST / 100));
	for (i = 0; i < MOST; i++)
		ranks[i] = MOST - 1 - i;
	assert_int_equal(4, store(MOST));		/* the reverse */
	assert_false(fathom_rank_list_counts_up(words, MOST));
	for (i = 0; i < MOST; i++)
		ranks[i] = i < MOST / 2 ? 2 * i : 2 * (i - MOST / 2) + 1;
	assert_int_equal(7, store(MOST));		/* the even ones, then the odd ones */
	for (i = 0; i < 1000; i++)
		ranks[i] = i / 10 * 100 + i % 10;
	assert_int_equal(301, store(1000));		/* a block of a grid: a run for each row */
}

static void any_list_comes_back(void **state)
{
	uint32_t i, n;

	(void)state;
	for (n = 0; n < 2000; n++) {
		uint32_t count = random_below(&seed, 60), limit = 1 + random_below(&seed, 100);
		uint32_t step = random_below(&seed, 4);

		for (i = 0; i < count; i++)
			ranks[i] = i && random_below(&seed, 4) ? ranks[i - 1] + step : random_below(&seed, limit);
		store(count);
	}
	for (i = 0; i < 50; i++) {
		ranks[0] = i ? 0 : 3;
		ranks[1] = 1;
		assert_int_equal(!!i, (store(2), fathom_rank_list_counts_up(words, 2)));
	}
}

/* Words that are damaged are refused, or give as many ranks as their counts say. */
static void damage_is_noticed(void **state)
{
	uint32_t i, n, used;

	(void)state;
	for (n = 0; n < 20000; n++) {
		uint32_t count = 1 + random_below(&seed, 40);

		for (i = 0; i < count; i++)
			ranks[i] = i * 3;
		used = fathom_rank_list_pack(words, ranks, count);
		words[random_below(&seed, used)] = random_below(&seed, 3) ? random_below(&seed, 50) :
						   (uint32_t)next_random(&seed);
		if (fathom_rank_list_words(words, count, used))
			fathom_rank_list_unpack(words, copy, count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regular_lists_are_short),
		cmocka_unit_test(any_list_comes_back),
		cmocka_unit_test(damage_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
