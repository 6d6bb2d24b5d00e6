/*
 * Tables of partners: sums are exact whatever leaves the table, and what a partner lacks is bounded.
 */
#include "unit_test.h"

#include "platform/arena.h"
#include "profile/recording/partners.h"

static struct fathom_arena arena;

static void count(struct fathom_partners **partners, uint32_t rank, uint32_t most, uint64_t bytes)
{
	struct fathom_partner *partner = fathom_partners_make(partners, &arena, rank, most);

	assert_non_null(partner);
	partner->traffic.messages[FATHOM_SENT]++;
	partner->traffic.bytes[FATHOM_SENT] += bytes;
}

static const struct fathom_partner *find(const struct fathom_partners *partners, uint32_t rank)
{
	for (uint32_t i = 0; i <= partners->mask; i++)
		if (partners->table[i].rank == rank)
			return &partners->table[i];
	return NULL;
}

static uint64_t sent_bytes(const struct fathom_partners *partners)
{
	uint64_t sum = partners->others.bytes[FATHOM_SENT];

	for (uint32_t i = 0; i <= partners->mask; i++)
		if (partners->table[i].rank != FATHOM_PARTNER_NONE)
			sum += partners->table[i].traffic.bytes[FATHOM_SENT];
	return sum;
}

static void all_partners_are_exact_while_they_fit(void **state)
{
	struct fathom_partners *partners = NULL;

	(void)state;
	for (uint32_t round = 1; round <= 3; round++)
		for (uint32_t rank = 0; rank < 500; rank++)
			count(&partners, 16 * rank, 500, rank * round);
	assert_int_equal(partners->count, 500);
	assert_int_equal(partners->others.messages[FATHOM_SENT], 0);
	for (uint32_t rank = 0; rank < 500; rank++) {
		const struct fathom_partner *partner = find(partners, 16 * rank);

		assert_non_null(partner);
		assert_int_equal(partner->traffic.bytes[FATHOM_SENT], 6 * rank);
		assert_int_equal(partner->traffic.messages[FATHOM_SENT], 3);
		assert_int_equal(partner->missed, 0);
	}
}

static void sums_are_exact_and_what_is_missed_is_bounded(void **state)
{
	enum { RANKS = 1000, MOST = 128, ROUNDS = 40 };
	static uint64_t truth[RANKS], weight[RANKS];
	struct fathom_partners *partners = NULL;
	uint64_t sum = 0, random = 1;

	(void)state;
	for (uint32_t i = 0; i < RANKS * ROUNDS; i++) {
		uint32_t rank;

		random = random * 6364136223846793005u + 1442695040888963407u;
		/* Every fourth message goes to one of eight ranks: each has a share of 1/32, more than 2/MOST. */
		rank = i % 4 ? (uint32_t)(random >> 33) % RANKS : (uint32_t)(random >> 33) % 8 * 100;
		count(&partners, rank, MOST, random >> 40 & 1023);
		truth[rank] += random >> 40 & 1023;
		weight[rank] += (random >> 40 & 1023) + 1;
		sum += random >> 40 & 1023;
		assert_true(partners->count <= MOST);
	}
	assert_int_equal(sent_bytes(partners), sum);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		const struct fathom_partner *partner = find(partners, rank);

		if (!partner) {
			assert_true(weight[rank] <= partners->floor);
			continue;
		}
		assert_true(partner->traffic.bytes[FATHOM_SENT] <= truth[rank]);
		assert_true(fathom_partner_weight(partner) >= weight[rank]);
	}
	for (uint32_t heavy = 0; heavy < 8; heavy++)
		assert_non_null(find(partners, heavy * 100));
}

static void locations_are_added_up(void **state)
{
	struct fathom_partners *first = NULL, *second = NULL, *sum = NULL;

	(void)state;
	for (uint32_t rank = 0; rank < 40; rank++)
		count(&first, rank, 100, 10);
	for (uint32_t rank = 0; rank < 40; rank++)
		for (uint32_t i = 0; i <= rank; i++)
			count(&second, rank, 8, 10);
	assert_true(second->floor > 0);
	assert_true(fathom_partners_merge(&sum, &arena, first) && fathom_partners_merge(&sum, &arena, second));
	assert_int_equal(sent_bytes(sum), 40 * 10 + 40 * 41 / 2 * 10);
	for (uint32_t rank = 0; rank < 40; rank++) {
		const struct fathom_partner *partner = find(sum, rank);

		assert_non_null(partner);
		assert_true(fathom_partner_weight(partner) >= 11 + (rank + 1) * 11);
	}
}

static void thinning_keeps_the_largest(void **state)
{
	struct fathom_partners *partners = NULL;

	(void)state;
	for (uint32_t rank = 0; rank < 100; rank++)
		count(&partners, rank, 1000, rank * 10);
	assert_true(fathom_partners_thin(&partners, &arena, 10));
	assert_int_equal(partners->count, 10);
	for (uint32_t rank = 90; rank < 100; rank++)
		assert_non_null(find(partners, rank));
	assert_int_equal(partners->others.bytes[FATHOM_SENT], 89 * 90 / 2 * 10);
	/* Ties: none of equal partners stays, if not all can. */
	for (uint32_t rank = 0; rank < 20; rank++)
		count(&partners, 1000 + rank, 1000, 1);
	assert_true(fathom_partners_thin(&partners, &arena, 15));
	assert_int_equal(partners->count, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_partners_are_exact_while_they_fit),
		cmocka_unit_test(sums_are_exact_and_what_is_missed_is_bounded),
		cmocka_unit_test(locations_are_added_up),
		cmocka_unit_test(thinning_keeps_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
