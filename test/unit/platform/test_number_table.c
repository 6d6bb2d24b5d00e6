/* Numbers that are found by a hash, also where hashes are equal, and what a table does without memory. */
#include "unit_test.h"

#include <errno.h>

#include "platform/number_table.h"

enum { RECORDS = 5000 };

static uint64_t keys[RECORDS];
static bool is_out_of_memory;

void *__real_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes)
{
	return is_out_of_memory ? NULL : __real_fathom_arena_alloc(arena, bytes);
}

/* Only 16 values: many records have the same. */
static uint64_t poor_hash(uint64_t key)
{
	return key % 16;
}

static uint32_t *find(const struct fathom_number_table *table, uint64_t hash, uint64_t key)
{
	uint32_t *slot = fathom_number_table_first(table, hash);

	while (*slot && keys[*slot - 1] != key)
		slot = fathom_number_table_next(table, slot);
	return slot;
}

static void add_all(uint64_t (*hash)(uint64_t key), struct fathom_number_table *table, struct fathom_arena *arena,
		    uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		int result = fathom_number_table_reserve(table, arena, i);
		uint32_t *slot;

		assert_true(result >= 0);
		for (uint32_t n = 0; result > 0 && n < i; n++)
			fathom_number_table_put(table, hash(keys[n]), n);
		keys[i] = (uint64_t)i * 77 + 1;
		slot = find(table, hash(keys[i]), keys[i]);
		assert_int_equal(*slot, 0);
		*slot = i + 1;
	}
}

static uint64_t good_hash(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

static void each_number_is_found_while_the_table_grows(void **state)
{
	struct fathom_number_table table = { 0 };
	struct fathom_arena arena = { 0 };

	(void)state;
	add_all(good_hash, &table, &arena, RECORDS);
	for (uint32_t i = 0; i < RECORDS; i++)
		assert_int_equal(*find(&table, good_hash(keys[i]), keys[i]), i + 1);
	assert_int_equal(*find(&table, good_hash(2), 2), 0);
	assert_true(table.size >= 2 * RECORDS);
	fathom_arena_fini(&arena);
}

static void equal_hashes_are_told_apart_by_their_records(void **state)
{
	struct fathom_number_table table = { 0 };
	struct fathom_arena arena = { 0 };

	(void)state;
	add_all(poor_hash, &table, &arena, 600);
	for (uint32_t i = 0; i < 600; i++)
		assert_int_equal(*find(&table, poor_hash(keys[i]), keys[i]), i + 1);
	fathom_arena_fini(&arena);
}

static void without_memory_the_table_stays_as_it_is(void **state)
{
	struct fathom_number_table table = { 0 }, before;
	struct fathom_arena arena = { 0 };

	(void)state;
	is_out_of_memory = true;
	assert_int_equal(fathom_number_table_reserve(&table, &arena, 0), -ENOMEM);
	assert_null(table.slots);
	is_out_of_memory = false;
	add_all(good_hash, &table, &arena, 100);
	before = table;
	is_out_of_memory = true;
	assert_int_equal(fathom_number_table_reserve(&table, &arena, 100), 0);
	assert_int_equal(fathom_number_table_reserve(&table, &arena, 100000), -ENOMEM);
	is_out_of_memory = false;
	assert_memory_equal(&table, &before, sizeof(table));
	assert_int_equal(*find(&table, good_hash(keys[50]), keys[50]), 51);
	fathom_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_is_found_while_the_table_grows),
		cmocka_unit_test(equal_hashes_are_told_apart_by_their_records),
		cmocka_unit_test(without_memory_the_table_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
