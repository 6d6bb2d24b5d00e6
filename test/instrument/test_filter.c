/* The rules of a filter file: what they mean, and what is said of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "filter.h"

static char path[64];
static char error[256];

static int read_text(struct fathom_filter *filter, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	error[0] = '\0';
	memset(filter, 0, sizeof(*filter));
	return fathom_filter_read(filter, path, error, sizeof(error));
}

static enum fathom_filter_answer ask(const struct fathom_filter *filter, const char *name, const char *other,
				     const char *file)
{
	const char *names[] = { name, other };

	return fathom_filter_ask(filter, names, 2, file);
}

static void last_match_wins(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude *\ninclude solve_*\nexclude solve_tiny\n"), 0);
	assert_int_equal(ask(&filter, "main_loop", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "solve_big", NULL, "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "solve_tiny", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	fathom_filter_fini(&filter);
}

static void nothing_said_is_silence(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "\n  # only a comment\n\t\nexclude never\n"), 0);
	assert_int_equal(filter.count, 1);
	assert_int_equal(ask(&filter, "neverland", "nev", "never.c"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void any_of_the_names_matches(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude Grid::exchange(int, double*)\r\nexclude _ZN3foo*   \n"), 0);
	assert_int_equal(ask(&filter, "Grid::exchange(int, double*)", "_ZN4Grid8exchangeEiPd", NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "foo::bar()", "_ZN3foo3barEv", NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "foo::bar()", NULL, NULL), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void files_are_known_by_path_and_last_part(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude file src/*\nexclude file util.c\n"), 0);
	assert_int_equal(ask(&filter, "f", NULL, "src/deep/x.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "f", NULL, "../lib/util.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "f", NULL, "main.c"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask(&filter, "util.c", NULL, NULL), FATHOM_FILTER_SILENT);
	assert_false(fathom_filter_wants_names(&filter));
	fathom_filter_fini(&filter);
}

static void include_file_takes_back_an_exclude_only(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude *\ninclude file solver.c\n"), 0);
	assert_int_equal(ask(&filter, "f", NULL, "solver.c"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask(&filter, "f", NULL, "other.c"), FATHOM_FILTER_EXCLUDE);
	assert_true(fathom_filter_wants_names(&filter));
	fathom_filter_fini(&filter);
}

static void wrong_rules_are_named_by_place(void **state)
{
	static const struct { const char *text, *place, *what; } wrong[] = {
		{ "exclude a\n  omit b\n", ":2:3: ", "include or exclude" },
		{ "exclude\n", ":1:8: ", "pattern" },
		{ "include file \n", ":1:13: ", "file names" },
		{ "\n\nexclude ab[c\n", ":3:11: ", "[ without ]" },
		{ "excluded a\n", ":1:1: ", "include or exclude" },
		{ "exclude", ":1:8: ", "pattern" },
	};
	struct fathom_filter filter;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_not_equal(read_text(&filter, wrong[i].text), 0);
		assert_non_null(strstr(error, path));
		assert_non_null(strstr(error, wrong[i].place));
		assert_non_null(strstr(error, wrong[i].what));
		assert_null(strchr(error, '\n'));
		assert_int_equal(filter.count, 0);
		assert_null(filter.rules);
	}
}

static void escaped_brackets_are_letters(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude A::operator\\[]*\nexclude x[0-9]\n"), 0);
	assert_int_equal(ask(&filter, "A::operator[](int)", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "x7", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "xa", NULL, NULL), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void files_that_cannot_be_read_are_named(void **state)
{
	struct fathom_filter filter = { 0 };

	(void)state;
	assert_int_not_equal(fathom_filter_read(&filter, "/nonexistent/rules", error, sizeof(error)), 0);
	assert_non_null(strstr(error, "/nonexistent/rules"));
	assert_int_not_equal(fathom_filter_read(&filter, "/", error, sizeof(error)), 0);
	assert_string_equal(error, "/: Is a directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_match_wins),
		cmocka_unit_test(nothing_said_is_silence),
		cmocka_unit_test(any_of_the_names_matches),
		cmocka_unit_test(files_are_known_by_path_and_last_part),
		cmocka_unit_test(include_file_takes_back_an_exclude_only),
		cmocka_unit_test(wrong_rules_are_named_by_place),
		cmocka_unit_test(escaped_brackets_are_letters),
		cmocka_unit_test(files_that_cannot_be_read_are_named),
	};
	int failed, fd;

	strcpy(path, "/tmp/fathom-filter.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 99;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
