/* Tables that are read while they grow. Under -fsanitize=thread the last test says whether all orders are kept. */
#include "unit_test.h"

#include <errno.h>
#include <pthread.h>

#include "platform/catalog.h"

enum { THINGS = 20000, READERS = 3 };

struct thing {
	size_t hash;
	uint64_t number, square;	/* of what is complete, one is the square of the other */
};

static bool is_out_of_memory;

void *__real_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes)
{
	return is_out_of_memory ? NULL : __real_fathom_arena_alloc(arena, bytes);
}

static size_t hash_of(const void *thing)
{
	return ((const struct thing *)thing)->hash;
}

static struct thing *find(const struct fathom_catalog *catalog, size_t hash, uint64_t number)
{
	struct fathom_catalog_search search = fathom_catalog_search(catalog, hash);
	struct thing *thing;

	while ((thing = fathom_catalog_next(&search)) != NULL && thing->number != number)
		;
	return thing;
}

static struct thing *add(struct fathom_catalog *catalog, struct fathom_arena *arena, size_t hash, uint64_t number)
{
	struct thing *thing = __real_fathom_arena_alloc(arena, sizeof(*thing));

	if (fathom_catalog_make_room(catalog, arena))
		return NULL;
	*thing = (struct thing){ hash, number, number * number };
	fathom_catalog_add(catalog, thing);
	return thing;
}

static size_t spread(uint64_t number)
{
	return (size_t)(number * 0x9e3779b97f4a7c15u >> 20);
}

static size_t crowd(uint64_t number)
{
	return number % 3 ? SIZE_MAX : 0;	/* the last place and the first, which follows it */
}

static void what_was_added_is_found(void **state)
{
	size_t (*const hashes[])(uint64_t) = { spread, crowd };
	static struct thing *added[THINGS];

	(void)state;
	for (size_t h = 0; h < 2; h++) {
		struct fathom_catalog catalog = { .hash = hash_of };
		struct fathom_arena arena = { 0 };
		size_t count = h ? 600 : THINGS;

		assert_null(find(&catalog, 0, 0));
		for (uint64_t i = 0; i < count; i++) {
			assert_null(find(&catalog, hashes[h](i), i));
			added[i] = add(&catalog, &arena, hashes[h](i), i);
			assert_non_null(added[i]);
		}
		assert_int_equal(catalog.count, count);
		for (uint64_t i = 0; i < count; i++)
			assert_ptr_equal(find(&catalog, hashes[h](i), i), added[i]);
		assert_null(find(&catalog, hashes[h](0), count));
		fathom_arena_fini(&arena);
	}
}

/* Whoever searched before the catalog grew may go on. */
static void a_search_outlives_growth(void **state)
{
	struct fathom_catalog catalog = { .hash = hash_of };
	struct fathom_arena arena = { 0 };
	struct fathom_catalog_search search;
	uint64_t seen = 0;

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		add(&catalog, &arena, 7, i);
	search = fathom_catalog_search(&catalog, 7);
	for (; seen < 50; seen++)
		assert_int_equal(((struct thing *)fathom_catalog_next(&search))->number, seen);
	for (uint64_t i = 100; i < 1000; i++)
		add(&catalog, &arena, 7, i);
	for (; fathom_catalog_next(&search); seen++)
		;
	assert_in_range(seen, 100, 1000);
	fathom_arena_fini(&arena);
}

static void without_memory_all_stays(void **state)
{
	struct fathom_catalog catalog = { .hash = hash_of };
	struct fathom_arena arena = { 0 };
	uint64_t count = 0;

	(void)state;
	is_out_of_memory = true;
	assert_int_equal(fathom_catalog_make_room(&catalog, &arena), -ENOMEM);
	assert_null(find(&catalog, 0, 0));
	is_out_of_memory = false;
	assert_non_null(add(&catalog, &arena, spread(count), count));
	is_out_of_memory = true;
	for (count = 1; add(&catalog, &arena, spread(count), count); count++)
		;
	assert_int_equal(catalog.count, count);
	for (uint64_t i = 0; i < count; i++)
		assert_non_null(find(&catalog, spread(i), i));
	assert_null(find(&catalog, spread(count), count));
	is_out_of_memory = false;
	assert_non_null(add(&catalog, &arena, spread(count), count));
	fathom_arena_fini(&arena);
}

static struct {
	struct fathom_catalog catalog;
	struct fathom_arena arena;
	uint64_t count;			/* released: things that must be found */
	int broken;
} shared = { .catalog.hash = hash_of };

static void *look(void *argument)
{
	uint64_t next = (uintptr_t)argument, count;

	do {
		count = __atomic_load_n(&shared.count, __ATOMIC_ACQUIRE);
		for (uint64_t turn = 0; count && turn < 64; turn++) {
			uint64_t number = next++ % count;
			const struct thing *thing = find(&shared.catalog, spread(number), number);

			if (!thing || thing->square != number * number)
				__atomic_store_n(&shared.broken, 1, __ATOMIC_RELAXED);
		}
		/* What is being added now is not there, or whole. */
		for (uint64_t number = count; number < count + 4; number++) {
			const struct thing *thing = find(&shared.catalog, spread(number), number);

			if (thing && thing->square != number * number)
				__atomic_store_n(&shared.broken, 1, __ATOMIC_RELAXED);
		}
	} while (count < THINGS);
	return NULL;
}

static void readers_see_whole_things_while_it_grows(void **state)
{
	pthread_t readers[READERS];

	(void)state;
	for (uintptr_t i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, look, (void *)(i * 1009)), 0);
	for (uint64_t i = 0; i < THINGS; i++) {
		add(&shared.catalog, &shared.arena, spread(i), i);
		__atomic_store_n(&shared.count, i + 1, __ATOMIC_RELEASE);
	}
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	assert_false(shared.broken);
	fathom_arena_fini(&shared.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found),
		cmocka_unit_test(a_search_outlives_growth),
		cmocka_unit_test(without_memory_all_stays),
		cmocka_unit_test(readers_see_whole_things_while_it_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
