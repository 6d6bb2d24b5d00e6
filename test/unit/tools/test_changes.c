/* The statistics of fathom diff: quantiles of Student's distribution, names that match, and what is called a change. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tools/common/match_key.h"
#include "tools/diff/changes.h"

/* Values from tables of the distribution. */
static void quantiles(void **state)
{
	(void)state;
	assert_true(fabs(fathom_student_quantile(0.025, 4) - 2.776445) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.005, 10) - 3.169273) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.05, 1) - 6.313752) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.0005, 30) - 3.645959) < 1e-5);
	assert_true(fabs(fathom_student_quantile(0.025, 1e6) - 1.959966) < 1e-5);
}

static void keys(void **state)
{
	static const char *const pairs[][2] = {
		{ "work", "work" }, { "work.constprop.0", "work" }, { "solve._omp_fn.12", "solve" },
		{ "f.part.0.isra.0", "f" }, { "!$omp parallel @omp.c:4", "!$omp parallel @omp.c" },
		{ "std::vector<int>::at", "std::vector<int>::at" }, { "loop:7", "loop:7" }, { ".cold", ".cold" },
	};
	char key[64];

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		assert_string_equal(fathom_match_key(pairs[i][0], key, sizeof(key)), pairs[i][1]);
	assert_string_equal(fathom_match_key("a_long_name", key, 7), "a_long");
}

/* Two regions in six runs: the first has 10 s and gets 1 s slower, the second stays at 5 s; both spread by 1 %. */
static void changes(void **state)
{
	static const double noise[6] = { 0.99, 1, 1.01, 0.99, 1, 1.01 };
	struct fathom_run_value first[6] = { { 0 } }, second[6] = { { 0 } };
	struct fathom_matched_item items[] = {
		{ .name = "first", .key = "first", .file = "", .parent = -1, .values = first },
		{ .name = "second", .key = "second", .file = "", .parent = -1, .values = second },
	};
	struct fathom_matched_runs matched = { .count = 6, .regions = { .items = items, .count = 2 } };
	struct fathom_change *found;

	(void)state;
	for (int r = 0; r < 6; r++) {
		first[r] = (struct fathom_run_value){ .own = (r < 3 ? 10 : 11) * noise[r], .is_present = true };
		second[r] = (struct fathom_run_value){ .own = 5 * noise[5 - r], .is_present = true };
		matched.runs[r].total = first[r].own + second[r].own;
	}
	found = fathom_changes_find(&matched, &matched.regions, 3, FATHOM_CHANGE_OWN);
	assert_int_equal(found[0].item, 0);
	assert_true(found[0].is_change);
	assert_true(fabs(found[0].before - 10) < 1e-12 && fabs(found[0].after - 11) < 1e-12);
	assert_true(found[0].noise > 0.01 && found[0].noise < 1);
	assert_int_equal(found[1].item, 1);
	assert_false(found[1].is_change);
	free(found);
	assert_true(fathom_changes_total(&matched, 3).is_change);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles), cmocka_unit_test(keys), cmocka_unit_test(changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
