/* What reads the same is one region, for every thread and for ever. */
#include "unit_test.h"

#include <pthread.h>

#include "define/region.h"

static const struct fathom_region solve = {
	.name = "solve",
	.canonical = "_Z5solvev",
	.file = "solver.c",
	.module = "/bin/solver",
	.offset = 0x1234,
	.begin_line = 10,
	.end_line = 20,
	.paradigm = FATHOM_PARADIGM_COMPILER,
	.role = FATHOM_ROLE_FUNCTION,
};

static void the_same_spec_is_one_region(void **state)
{
	struct fathom_region other = solve;
	char name[] = "solve";	/* the same text somewhere else */

	(void)state;
	other.name = name;
	other.id = 77;		/* not part of the question */
	assert_ptr_equal(fathom_region_define(&solve), fathom_region_define(&solve));
	assert_ptr_equal(fathom_region_define(&solve), fathom_region_define(&other));
}

static void any_other_field_is_another_region(void **state)
{
	struct fathom_region specs[16];
	const struct fathom_region *regions[16];
	int count = 0;

	(void)state;
	for (int i = 0; i < 16; i++)
		specs[i] = solve;
	count++;
	specs[count++].name = "Solve";
	specs[count++].name = NULL;
	specs[count++].canonical = "_Z5solvei";
	specs[count++].canonical = NULL;
	specs[count++].file = "solver.cc";
	specs[count++].file = NULL;
	specs[count++].module = "/bin/solver2";
	specs[count++].module = NULL;
	specs[count++].offset = 0x1235;
	specs[count++].begin_line = 11;
	specs[count++].end_line = 21;
	specs[count++].paradigm = FATHOM_PARADIGM_USER;
	specs[count++].role = FATHOM_ROLE_LOOP;
	specs[count].name = NULL;
	specs[count++].canonical = "solve";	/* the same texts in other places */
	for (int i = 0; i < count; i++) {
		regions[i] = fathom_region_define(&specs[i]);
		assert_non_null(regions[i]);
		for (int j = 0; j < i; j++)
			assert_ptr_not_equal(regions[i], regions[j]);
	}
	for (int i = 0; i < count; i++)
		assert_ptr_equal(fathom_region_define(&specs[i]), regions[i]);
}

/* Two regions that differ in exactly one property are the same if the mask leaves out that property. */
static void a_mask_says_which_properties_count(void **state)
{
	static const struct {
		uint32_t property;
		struct fathom_region with;
	} cases[] = {
		{ FATHOM_REGION_NAME, { .name = "solve" } },
		{ FATHOM_REGION_CANONICAL, { .canonical = "_Z5solvev" } },
		{ FATHOM_REGION_FILE, { .file = "solve.c" } },
		{ FATHOM_REGION_LINES, { .begin_line = 7 } },
		{ FATHOM_REGION_LINES, { .end_line = 9 } },
		{ FATHOM_REGION_PARADIGM, { .paradigm = FATHOM_PARADIGM_USER } },
		{ FATHOM_REGION_ROLE, { .role = FATHOM_ROLE_LOOP } },
		{ FATHOM_REGION_OBJECT, { .module = "libsolve.so" } },
		{ FATHOM_REGION_OBJECT, { .offset = 0x1234 } },
		{ FATHOM_REGION_PARAMETERS, { .parameters = "usize=5\n" } },
	};
	const struct fathom_region without = { 0 };
	uint32_t tested = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fathom_region *with = &cases[i].with;
		uint32_t others = FATHOM_REGION_ALL & ~cases[i].property;

		assert_false(fathom_region_same(with, &without, FATHOM_REGION_ALL));
		assert_false(fathom_region_same(&without, with, cases[i].property));
		assert_true(fathom_region_same(with, &without, others));
		assert_int_equal(fathom_region_hash(with, others), fathom_region_hash(&without, others));
		if (!with->end_line)	/* of the lines, a hash has the first one only */
			assert_int_not_equal(fathom_region_hash(with, cases[i].property),
					     fathom_region_hash(&without, cases[i].property));
		tested |= cases[i].property;
	}
	assert_int_equal(tested, FATHOM_REGION_ALL);
}

static void texts_are_compared_by_their_characters(void **state)
{
	char name[] = "solve", same_name[] = "solve";
	const struct fathom_region a = { .name = name }, b = { .name = same_name }, none = { 0 };

	(void)state;
	assert_true(fathom_region_same(&a, &b, FATHOM_REGION_ALL));
	assert_false(fathom_region_same(&a, &none, FATHOM_REGION_NAME));
	assert_true(fathom_region_same(&a, &none, 0));
}

static void other_members_never_count(void **state)
{
	const struct fathom_region a = { .name = "solve", .id = 3, .disabled_ns = 5, .has_sleds = true };
	const struct fathom_region b = { .name = "solve", .id = 4, .is_of_profile = true, .switched = 1 };

	(void)state;
	assert_true(fathom_region_same(&a, &b, FATHOM_REGION_ALL));
	assert_int_equal(fathom_region_hash(&a, FATHOM_REGION_ALL), fathom_region_hash(&b, FATHOM_REGION_ALL));
}

static void a_region_keeps_what_it_was_told(void **state)
{
	char name[] = "passing", file[] = "passing.c";
	const struct fathom_region spec = { .name = name, .file = file, .begin_line = 3, .role = FATHOM_ROLE_LOOP };
	const struct fathom_region *region = fathom_region_define(&spec);

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	memset(file, 'x', sizeof(file) - 1);
	assert_string_equal(region->name, "passing");
	assert_string_equal(region->file, "passing.c");
	assert_null(region->canonical);
	assert_null(region->module);
	assert_int_equal(region->begin_line, 3);
	assert_int_equal(region->role, FATHOM_ROLE_LOOP);
}

static void a_hundred_thousand_have_dense_ids_and_stay(void **state)
{
	enum { COUNT = 100000 };
	const struct fathom_region **regions = calloc(COUNT, sizeof(*regions));
	uint32_t first = fathom_region_count();

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < COUNT; i++) {
			struct fathom_region spec = { .module = "program", .offset = 16 * (uint64_t)i };
			const struct fathom_region *region = fathom_region_define(&spec);

			assert_non_null(region);
			assert_int_equal(region->id, first + i);
			assert_ptr_equal(region, fathom_region_by_id(first + i));
			if (round)
				assert_ptr_equal(region, regions[i]);
			regions[i] = region;
		}
		assert_int_equal(fathom_region_count(), first + COUNT);
	}
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(regions[i]->offset, 16 * (uint64_t)i);
	free(regions);
}

enum { THREADS = 4, SHARED = 3000 };
static const struct fathom_region *defined[THREADS][SHARED];
static int wrong_text;

static void *define_all(void *argument)
{
	size_t me = (size_t)(uintptr_t)argument;

	/* Each in an order of its own. */
	for (size_t n = 0; n < SHARED; n++) {
		size_t i = (n * 7919 + me * 1009) % SHARED;
		char name[32];
		struct fathom_region spec = { .name = name, .paradigm = FATHOM_PARADIGM_USER };

		snprintf(name, sizeof(name), "shared %zu", i);
		defined[me][i] = fathom_region_define(&spec);
		/* A region is complete when it is handed out. */
		if (!defined[me][i] || strcmp(defined[me][i]->name, name) ||
		    fathom_region_by_id(fathom_region_count() - 1)->name == NULL)
			__atomic_store_n(&wrong_text, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void threads_get_the_same_regions(void **state)
{
	uint32_t before = fathom_region_count();
	pthread_t threads[THREADS];

	(void)state;
	for (uintptr_t t = 0; t < THREADS; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, define_all, (void *)t), 0);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	assert_false(wrong_text);
	for (int i = 0; i < SHARED; i++)
		for (int t = 1; t < THREADS; t++)
			assert_ptr_equal(defined[t][i], defined[0][i]);
	assert_int_equal(fathom_region_count(), before + SHARED);
}

static void all_roles_and_paradigms_have_names(void **state)
{
	(void)state;
	for (int role = 0; role < FATHOM_ROLE_COUNT; role++) {
		const char *name = fathom_role_name((enum fathom_role)role);

		assert_non_null(name);
		assert_true(*name != '\0');
		if (role > 0)
			assert_string_not_equal(name, "unknown");
	}
	for (int paradigm = 0; paradigm < FATHOM_PARADIGM_COUNT; paradigm++) {
		const char *name = fathom_paradigm_name((enum fathom_paradigm)paradigm);

		assert_non_null(name);
		for (int other = 0; other < paradigm; other++)
			assert_string_not_equal(name, fathom_paradigm_name((enum fathom_paradigm)other));
	}
	assert_string_equal(fathom_role_name(FATHOM_ROLE_COUNT), "unknown");
	assert_string_equal(fathom_paradigm_name(FATHOM_PARADIGM_COUNT), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_spec_is_one_region),
		cmocka_unit_test(any_other_field_is_another_region),
		cmocka_unit_test(a_mask_says_which_properties_count),
		cmocka_unit_test(texts_are_compared_by_their_characters),
		cmocka_unit_test(other_members_never_count),
		cmocka_unit_test(a_region_keeps_what_it_was_told),
		cmocka_unit_test(a_hundred_thousand_have_dense_ids_and_stay),
		cmocka_unit_test(threads_get_the_same_regions),
		cmocka_unit_test(all_roles_and_paradigms_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
