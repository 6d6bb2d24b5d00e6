/* Numbers for people, and the smaller parts of the tools. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/hash_index.h"
#include "tools/common/number_format.h"
#include "tools/common/text_layout.h"

#define SECONDS(expected, value) assert_string_equal(expected, fathom_number_seconds(text, value))
#define COUNT(expected, value) assert_string_equal(expected, fathom_number_count(text, value))
#define BYTES(expected, value) assert_string_equal(expected, fathom_number_bytes(text, value))
#define PERCENT(expected, part, whole) assert_string_equal(expected, fathom_number_percent(text, part, whole))

static void seconds_have_four_digits_and_a_unit(void **state)
{
	char text[FATHOM_NUMBER_BYTES];

	(void)state;
	SECONDS("0 s", 0);
	SECONDS("<1 ns", 1e-12);
	SECONDS("1 ns", 1e-9);
	SECONDS("999 ns", 999e-9);
	SECONDS("1.000 us", 999.6e-9);
	SECONDS("12.35 us", 12.3456e-6);
	SECONDS("999.9 us", 999.9e-6);
	SECONDS("1.000 ms", 999.96e-6);
	SECONDS("103.0 ms", 0.103);
	SECONDS("1.000 s", 0.99996);
	SECONDS("1.234 s", 1.234);
	SECONDS("10.00 s", 9.9996);
	SECONDS("99999 s", 99999);
	SECONDS("27.78 h", 100000);
	SECONDS("2.778 Mh", 1e10);
	SECONDS("-1.500 ms", -0.0015);
	SECONDS("-", NAN);
	SECONDS("-", INFINITY);
	SECONDS("-", DBL_MAX);
	SECONDS("-", -DBL_MAX);
}

static void counts_are_whole_while_people_count_them(void **state)
{
	char text[FATHOM_NUMBER_BYTES];

	(void)state;
	COUNT("0", 0);
	COUNT("99999", 99999);
	COUNT("100.0k", 100000);
	COUNT("1.000M", 999960);
	COUNT("27.00M", 27e6);
}

static void bytes_have_si_prefixes(void **state)
{
	char text[FATHOM_NUMBER_BYTES];

	(void)state;
	BYTES("0 B", 0);
	BYTES("999 B", 999);
	BYTES("1.000 kB", 1000);
	BYTES("1.000 MB", 999960);
	BYTES("65.54 MB", 65536000);
	BYTES("18.45 EB", 18446744073709551615.0);
}

static void percentages_never_are_minus_zero(void **state)
{
	char text[FATHOM_NUMBER_BYTES];

	(void)state;
	PERCENT("0.0%", -0.0001, 1);
	PERCENT("0.0%", 5, 0);
	PERCENT("100.0%", 2, 2);
	PERCENT("33.3%", 1, 3);
	PERCENT("-10.0%", -1, 10);
	PERCENT(">9999%", 1, 1e-9);
	PERCENT("3029%", 30.29, 1);
	PERCENT("<-999%", -1, 1e-9);
	PERCENT("-", NAN, 1);
}

static void no_number_is_wider_than_its_column(void **state)
{
	char text[FATHOM_NUMBER_BYTES];
	double value;

	(void)state;
	for (value = 1e-13; value < 1e21; value *= 1.37) {
		assert_true(strlen(fathom_number_seconds(text, value)) <= 9);
		assert_true(strlen(fathom_number_count(text, value)) <= 8);
		assert_true(strlen(fathom_number_bytes(text, value)) <= 9);
		assert_true(strlen(fathom_number_percent(text, value, 1)) <= 6);
	}
}

static void a_rank_file_has_a_number(void **state)
{
	(void)state;
	assert_int_equal(0, fathom_experiment_rank_of("rank-0.cubex", ".cubex"));
	assert_int_equal(1234, fathom_experiment_rank_of("rank-1234.cubex", ".cubex"));
	assert_int_equal(-1, fathom_experiment_rank_of("rank-.cubex", ".cubex"));
	assert_int_equal(-1, fathom_experiment_rank_of("rank--1.cubex", ".cubex"));
	assert_int_equal(-1, fathom_experiment_rank_of("rank-1.cubex.part", ".cubex"));
	assert_int_equal(-1, fathom_experiment_rank_of("rank-1x.cubex", ".cubex"));
	assert_int_equal(-1, fathom_experiment_rank_of("rank-99999999999999999999.cubex", ".cubex"));
	assert_int_equal(-1, fathom_experiment_rank_of("profile.cubex", ".cubex"));
	assert_int_equal(-1, fathom_experiment_rank_of("rank-1.cubex", ".snapshot"));
	assert_int_equal(7, fathom_experiment_rank_of("rank-7.snapshot", ".snapshot"));
}

static void the_nearest_word_is_meant(void **state)
{
	(void)state;
	assert_int_equal(0, fathom_tool_edit_distance("time", "TIME"));
	assert_int_equal(1, fathom_tool_edit_distance("tme", "time"));
	assert_int_equal(4, fathom_tool_edit_distance("", "time"));
	assert_string_equal("bytes_sent", fathom_tool_nearer("bytes_snt", "bytes_put", "bytes_sent"));
	assert_string_equal("bytes_put", fathom_tool_nearer("bytes_pt", "bytes_put", "bytes_sent"));
	assert_null(fathom_tool_nearer("zzz", NULL, "visits"));
}

static bool is_number(const void *things, uint32_t number, const void *wanted)
{
	return ((const uint64_t *)things)[number] == *(const uint64_t *)wanted;
}

static void an_index_finds_what_was_added(void **state)
{
	static uint64_t things[5000];
	struct fathom_index index = { 0 };
	uint64_t wanted = 7;
	uint32_t i;

	(void)state;
	assert_int_equal(-1, fathom_index_find(&index, 1, is_number, things, &wanted));
	for (i = 0; i < 5000; i++) {
		things[i] = (uint64_t)i * i;
		fathom_index_add(&index, things[i] % 97, i);	/* many share a hash */
	}
	for (i = 0; i < 5000; i++)
		assert_int_equal(i, fathom_index_find(&index, things[i] % 97, is_number, things, &things[i]));
	assert_int_equal(-1, fathom_index_find(&index, 7, is_number, things, &wanted));
	fathom_index_fini(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds_have_four_digits_and_a_unit),
		cmocka_unit_test(counts_are_whole_while_people_count_them),
		cmocka_unit_test(bytes_have_si_prefixes),
		cmocka_unit_test(percentages_never_are_minus_zero),
		cmocka_unit_test(no_number_is_wider_than_its_column),
		cmocka_unit_test(a_rank_file_has_a_number),
		cmocka_unit_test(the_nearest_word_is_meant),
		cmocka_unit_test(an_index_finds_what_was_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
