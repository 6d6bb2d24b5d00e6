/* Memory of the arena: aligned, zero, apart from each other, and where it was. */
#include "unit_test.h"

#include "platform/arena.h"

static void an_empty_arena_holds_nothing(void **state)
{
	struct fathom_arena arena = { 0 };

	(void)state;
	fathom_arena_fini(&arena);
	assert_int_equal(arena.mapped_bytes, 0);
}

static void memory_is_aligned_and_zero(void **state)
{
	struct fathom_arena arena = { 0 };
	uint64_t chance = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t bytes = 1 + random_below(&chance, 300);
		unsigned char *memory = fathom_arena_alloc(&arena, bytes);

		assert_non_null(memory);
		assert_int_equal((uintptr_t)memory % 16, 0);
		if (bytes % FATHOM_CACHE_LINE == 0)
			assert_int_equal((uintptr_t)memory % FATHOM_CACHE_LINE, 0);
		for (size_t b = 0; b < bytes; b++)
			assert_int_equal(memory[b], 0);
		memset(memory, 0xff, bytes);	/* so that an overlap shows */
	}
	fathom_arena_fini(&arena);
}

static void what_was_handed_out_stays(void **state)
{
	enum { COUNT = 5000 };
	struct fathom_arena arena = { 0 };
	uint64_t *memory[COUNT];
	size_t words[COUNT];
	uint64_t chance = 2;

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		words[i] = 1 + random_below(&chance, 100);
		memory[i] = fathom_arena_alloc(&arena, words[i] * sizeof(uint64_t));
		for (size_t w = 0; w < words[i]; w++)
			memory[i][w] = i << 32 | w;
	}
	for (size_t i = 0; i < COUNT; i++)
		for (size_t w = 0; w < words[i]; w++)
			assert_int_equal(memory[i][w], i << 32 | w);
	fathom_arena_fini(&arena);
}

static void a_large_piece_fits(void **state)
{
	struct fathom_arena arena = { 0 };
	size_t large = (size_t)50 << 20;
	char *small = fathom_arena_alloc(&arena, 10);
	char *piece = fathom_arena_alloc(&arena, large);

	(void)state;
	assert_non_null(small);
	assert_non_null(piece);
	piece[0] = piece[large - 1] = 1;
	assert_true(arena.mapped_bytes >= large);
	fathom_arena_fini(&arena);
}

static void what_cannot_be_had_is_null_and_harms_nothing(void **state)
{
	struct fathom_arena arena = { 0 };
	char *before = fathom_arena_alloc(&arena, 100), *after;

	(void)state;
	assert_null(fathom_arena_alloc(&arena, SIZE_MAX));
	assert_null(fathom_arena_alloc(&arena, SIZE_MAX / 2));
	assert_null(fathom_arena_alloc(&arena, SIZE_MAX / 2 - 4096));
	after = fathom_arena_alloc(&arena, 100);
	assert_non_null(after);
	assert_true(after >= before + 100 || after + 100 <= before);
	fathom_arena_fini(&arena);
}

static void copies_end_with_nul(void **state)
{
	struct fathom_arena arena = { 0 };

	(void)state;
	for (size_t length = 0; length < 200; length++) {
		char text[200];
		char *copy;

		memset(text, 'x', sizeof(text));
		copy = fathom_arena_copy(&arena, text, length);
		assert_non_null(copy);
		assert_int_equal(strlen(copy), length);
	}
	fathom_arena_fini(&arena);
}

/* Few mappings: each time an arena grows it grows by more, up to a limit. */
static void mappings_are_not_much_larger_than_needed(void **state)
{
	struct fathom_arena arena = { 0 };
	size_t used = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		assert_non_null(fathom_arena_alloc(&arena, 128));
		used += 128;
		assert_true(arena.mapped_bytes >= used);
		assert_true(arena.mapped_bytes <= 3 * used + ((size_t)64 << 10));
	}
	fathom_arena_fini(&arena);
	assert_int_equal(arena.mapped_bytes, 0);
	assert_non_null(fathom_arena_alloc(&arena, 1));	/* empty and ready again */
	fathom_arena_fini(&arena);
}

static void an_array_grows_with_its_elements(void **state)
{
	struct fathom_arena arena = { 0 };
	uint32_t *numbers = NULL, *before, room = 0;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		before = numbers;
		assert_true(fathom_arena_grow(&arena, &numbers, &room, i + 1, sizeof(*numbers)));
		assert_true(room > i);
		assert_int_equal(numbers[i], 0);
		numbers[i] = i;
		if (i)		/* a thread may still be reading the array that became too small */
			assert_int_equal(before[i - 1], i - 1);
	}
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i);
	assert_true(fathom_arena_grow(&arena, &numbers, &room, 5000, sizeof(*numbers)));
	assert_true(room >= 5000);
	fathom_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_arena_holds_nothing),
		cmocka_unit_test(memory_is_aligned_and_zero),
		cmocka_unit_test(what_was_handed_out_stays),
		cmocka_unit_test(a_large_piece_fits),
		cmocka_unit_test(what_cannot_be_had_is_null_and_harms_nothing),
		cmocka_unit_test(copies_end_with_nul),
		cmocka_unit_test(an_array_grows_with_its_elements),
		cmocka_unit_test(mappings_are_not_much_larger_than_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
