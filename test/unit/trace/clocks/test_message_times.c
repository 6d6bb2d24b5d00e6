/*
 * Messages that arrive before they are sent: simulated ranks whose clocks are wrong by known amounts must find exactly
 * those, in rings of any size, however many messages there are and whoever else sends.
 */
#include "unit_test.h"

#include <unistd.h>

#include "simulated_comm.h"
#include "trace/clocks/message_times.h"

enum { MOST_RANKS = 13, TRANSFER = 10, PAUSE = 100 };

struct rank {
	uint32_t rank, size;
	uint32_t messages;		/* to the next one in the ring */
	int64_t skew;			/* its clock goes wrong by so much, and is not corrected */
	bool misses_one;		/* its last receive is not told of */
	struct fathom_message_times_result result;
};

static bool meaning(void *context, const struct fathom_message_kind *key, uint64_t *name, uint32_t *peer)
{
	const struct rank *rank = context;
	uint32_t other = (uint32_t)key->peer, from = key->is_send ? rank->rank : other;

	*peer = other;
	*name = (uint64_t)from << 40 ^ (uint64_t)(key->is_send ? other : rank->rank) << 20 ^ (uint32_t)key->tag;
	return key->comm == 0;
}

static uint64_t correct(void *context, uint64_t ticks)
{
	(void)context;
	return ticks;
}

static int play(struct fathom_comm *comm, void *argument)
{
	struct rank *rank = argument;
	struct fathom_arena arena = { 0 };
	struct fathom_message_times *arrivals = NULL;
	const struct fathom_message_times *all[1];
	struct fathom_message_kind to = { .peer = (int32_t)((rank->rank + 1) % rank->size), .tag = 7, .is_send = 1 };
	struct fathom_message_kind from = { .peer = (int32_t)((rank->rank + rank->size - 1) % rank->size), .tag = 7 };
	struct fathom_message_kind unknown = { .comm = 5, .is_send = 1 };
	struct fathom_message_times_source source = { all, 1, meaning, correct, rank };
	uint64_t origin = (uint64_t)(1000000 + rank->skew);
	int err;

	for (uint32_t i = 0; i < rank->messages; i++) {
		fathom_message_times_add(&arrivals, &arena, &to, origin + i * PAUSE);
		fathom_message_times_add(&arrivals, &arena, &unknown, origin);
		if (!rank->misses_one || i + 1 < rank->messages)
			fathom_message_times_add(&arrivals, &arena, &from, origin + i * PAUSE + TRANSFER);
	}
	all[0] = arrivals;
	err = fathom_message_times_check(comm, &source, &rank->result);
	fathom_arena_fini(&arena);
	return err;
}

static struct rank ranks[MOST_RANKS];

static struct fathom_message_times_result run(int size, uint32_t messages)
{
	void *arguments[MOST_RANKS];
	int results[MOST_RANKS];

	for (int r = 0; r < size; r++) {
		ranks[r].rank = (uint32_t)r;
		ranks[r].size = (uint32_t)size;
		ranks[r].messages = messages;
		arguments[r] = &ranks[r];
	}
	simulated_run(size, play, arguments, results);
	for (int r = 0; r < size; r++)
		assert_int_equal(results[r], 0);
	assert_int_equal(simulated_mismatches, 0);
	return ranks[0].result;
}

static void right_clocks(void **state)
{
	(void)state;
	memset(ranks, 0, sizeof(ranks));
	for (int size = 1; size <= MOST_RANKS; size++) {
		struct fathom_message_times_result result = run(size, 3);

		assert_int_equal(result.checked, 3 * size);
		assert_int_equal(result.early, 0);
	}
}

/* What a rank that is behind receives is early; what it sends is only late. */
static void one_behind(void **state)
{
	(void)state;
	memset(ranks, 0, sizeof(ranks));
	for (int size = 2; size <= MOST_RANKS; size++) {
		struct fathom_message_times_result result;

		ranks[size / 2].skew = -25;
		result = run(size, 5);
		ranks[size / 2].skew = 0;
		assert_int_equal(result.checked, 5 * size);
		assert_int_equal(result.early, 5);
		assert_int_equal(result.most_ticks, 25 - TRANSFER);
	}
}

/* Of many messages some are looked at, from the first to the last. */
static void many(void **state)
{
	static const uint32_t counts[] = { 63, 64, 65, 127, 128, 129, 1000, 100000 };

	(void)state;
	memset(ranks, 0, sizeof(ranks));
	ranks[1].skew = -11;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct fathom_message_times_result result = run(3, counts[i]);

		assert_int_equal(result.checked % 3, 0);
		assert_true(result.checked / 3 >= 32 && result.checked / 3 <= 64);
		assert_true(result.checked / 3 == counts[i] || counts[i] > 64);
		assert_int_equal(result.early, result.checked / 3);
		assert_int_equal(result.most_ticks, 1);
	}
}

/* Where sends and receives do not count alike, nobody knows which belong together. */
static void one_missing(void **state)
{
	struct fathom_message_times_result result;

	(void)state;
	memset(ranks, 0, sizeof(ranks));
	ranks[2].misses_one = true;
	result = run(4, 10);
	assert_int_equal(result.checked, 30);
	assert_int_equal(result.early, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_clocks),
		cmocka_unit_test(one_behind),
		cmocka_unit_test(many),
		cmocka_unit_test(one_missing),
	};

	alarm(100);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
