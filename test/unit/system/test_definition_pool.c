/* Pools: one process's, and the union of those of many simulated ranks. */
#include "unit_test.h"

#include <stdio.h>
#include <unistd.h>

#include "simulated_comm.h"
#include "system/definition_pool.h"

static void equal_things_have_one_number(void **state)
{
	struct fathom_pool pool = { .count = 0 };
	char text[16];

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 1000; i++) {
			snprintf(text, sizeof(text), "thing %d", i);
			assert_int_equal(fathom_pool_add(&pool, text, (uint32_t)strlen(text)), i);
		}
	}
	assert_int_equal(pool.count, 1000);
	assert_int_equal(fathom_pool_find(&pool, "thing 999", 9), 999);
	assert_int_equal(fathom_pool_find(&pool, "thing 999", 8), 99);	/* all bytes count, and no more */
	assert_int_equal(fathom_pool_find(&pool, "nothing", 7), -1);
	assert_int_equal(fathom_pool_add(&pool, "", 0), 1000);		/* nothing at all is a thing, too */
	assert_int_equal(fathom_pool_add(&pool, "", 0), 1000);
	fathom_pool_fini(&pool);
}

static void nothing_is_found_in_an_empty_pool(void **state)
{
	struct fathom_pool pool = { .count = 0 };

	(void)state;
	assert_int_equal(fathom_pool_find(&pool, "x", 1), -1);
	fathom_pool_fini(&pool);
}

enum { MOST_RANKS = 33, MOST_THINGS = 40 };

struct rank {
	int count;			/* things it has */
	int things[MOST_THINGS];
	bool renames;			/* rank 0 gives names */
	bool only_reduces;
	int err;			/* it has no memory */
	uint32_t numbers[MOST_THINGS];
	uint32_t union_count;		/* at rank 0 */
	int union_things[4096];
};

static int run_rank(struct fathom_comm *comm, void *argument)
{
	struct rank *rank = argument;
	struct fathom_pool pool = { .count = 0 };
	uint32_t names[4096];
	int err;

	for (int i = 0; i < rank->count; i++)
		fathom_pool_add(&pool, &rank->things[i], sizeof(int));
	pool.err = rank->err;
	err = fathom_pool_reduce(&pool, comm);
	if (!err && comm->rank == 0) {
		rank->union_count = pool.count;
		for (uint32_t i = 0; i < pool.count; i++) {
			memcpy(&rank->union_things[i], pool.things[i].data, sizeof(int));
			names[i] = 10000 - i;
		}
		rank->err = pool.err;
	}
	if (!err && !rank->only_reduces)
		err = fathom_pool_hand_back(&pool, comm, comm->rank == 0 && rank->renames ? names : NULL,
					    rank->numbers);
	fathom_pool_fini(&pool);
	return err;
}

static struct rank ranks[MOST_RANKS];

static void run(int size)
{
	void *arguments[MOST_RANKS] = { NULL };
	int results[MOST_RANKS];

	for (int i = 0; i < size; i++)
		arguments[i] = &ranks[i];
	simulated_mismatches = 0;
	simulated_run(size, run_rank, arguments, results);
	for (int i = 0; i < size; i++)
		assert_int_equal(results[i], 0);
	assert_int_equal(simulated_mismatches, 0);
}

/* Every rank's number of a thing is where the union has that thing. */
static void assert_numbers(int size, bool renamed)
{
	for (int r = 0; r < size; r++) {
		for (int i = 0; i < ranks[r].count; i++) {
			uint32_t number = ranks[r].numbers[i];

			if (renamed)
				number = 10000 - number;
			assert_true(number < ranks[0].union_count);
			assert_int_equal(ranks[0].union_things[number], ranks[r].things[i]);
		}
	}
}

/* Each rank knows other things in another order, some know none. */
static void numbers_lead_to_the_same_things(void **state)
{
	static const int sizes[] = { 1, 2, 3, 4, 7, 8, 33 };

	(void)state;
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		for (int renames = 0; renames < 2; renames++) {
			memset(ranks, 0, sizeof(ranks));
			for (int r = 0; r < sizes[s]; r++) {
				ranks[r].count = r % 5 == 3 ? 0 : 1 + r * 7 % MOST_THINGS;
				ranks[r].renames = renames;
				for (int i = 0; i < ranks[r].count; i++)
					ranks[r].things[i] = (r % 2 ? MOST_THINGS - i : i) + r / 4;
			}
			run(sizes[s]);
			assert_numbers(sizes[s], renames);
			for (uint32_t i = 0; i < ranks[0].union_count; i++)
				for (uint32_t j = 0; j < i; j++)
					assert_int_not_equal(ranks[0].union_things[i], ranks[0].union_things[j]);
		}
	}
}

/* What comes first at every rank comes first in the union: parents before children. */
static void the_order_of_ranks_is_kept(void **state)
{
	(void)state;
	memset(ranks, 0, sizeof(ranks));
	for (int r = 0; r < 8; r++) {
		ranks[r].count = 2;
		ranks[r].things[0] = r / 2;
		ranks[r].things[1] = 100 + r;
	}
	run(8);
	for (int r = 0; r < 8; r++)
		assert_true(ranks[r].numbers[0] < ranks[r].numbers[1]);
	for (int r = 1; r < 8; r++)
		assert_true(ranks[r - 1].numbers[1] < ranks[r].numbers[1]);
}

/* Rank 0 learns that it is not complete, and nobody is left waiting. */
static void a_rank_without_memory_is_told_to_rank_0(void **state)
{
	(void)state;
	for (int poor = 0; poor < 8; poor++) {
		memset(ranks, 0, sizeof(ranks));
		for (int r = 0; r < 8; r++) {
			ranks[r].count = 3;
			ranks[r].only_reduces = true;
			ranks[r].err = r == poor ? -12 : 0;
		}
		run(8);
		assert_int_equal(ranks[0].err, -12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_things_have_one_number),
		cmocka_unit_test(nothing_is_found_in_an_empty_pool),
		cmocka_unit_test(numbers_lead_to_the_same_things),
		cmocka_unit_test(the_order_of_ranks_is_kept),
		cmocka_unit_test(a_rank_without_memory_is_told_to_rank_0),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
