/* Operation logs as a running process writes them. */
#include "unit_test.h"

#include "waits/recording.h"

enum { MEGABYTE = 1000000 };

static const struct fathom_waits_part send_part = { .kind = FATHOM_WAITS_SEND, .peer = 1, .tag = 7 };

/* Records an operation with so many parts, and its end. */
static void record(struct fathom_waits_log *log, uint64_t **end, uint64_t begin, int parts)
{
	for (int i = 0; i < parts; i++)
		fathom_waits_log_add(log, end, 0x1000 + begin, begin, send_part);
	if (*end)
		**end = fathom_waits_end_of(begin + 5);
	*end = NULL;
}

static void operations_have_their_parts_and_ends(void **state)
{
	struct fathom_waits_log *log = fathom_waits_log_create(0);
	struct fathom_waits_whole_log whole;
	uint64_t *end = NULL;

	(void)state;
	record(log, &end, 100, 1);
	record(log, &end, 200, 4);
	record(log, &end, 300, 1);
	assert_int_equal(fathom_waits_log_open(log, 1000, &whole), 0);
	assert_int_equal(whole.count, 5);
	assert_int_equal(fathom_waits_record_end(&whole.records[0]), 105);
	assert_int_equal(fathom_waits_record_end(&whole.records[1]), 205);
	assert_int_equal(fathom_waits_record_kind(&whole.records[2]), FATHOM_WAITS_OPERATION_MORE);
	assert_int_equal(fathom_waits_record_fill(&whole.records[2]), 2);
	assert_int_equal(fathom_waits_record_back(&whole.records[2]), 1);
	assert_int_equal(fathom_waits_record_fill(&whole.records[3]), 1);
	assert_int_equal(fathom_waits_record_back(&whole.records[3]), 2);
	assert_int_equal(whole.records[3].more[0].tag, 7);
	assert_int_equal(whole.records[4].operation.call_path, 0x1000 + 300);
	fathom_waits_log_close(&whole);
}

static void an_operation_that_a_jump_left_ends_at_its_begin(void **state)
{
	struct fathom_waits_log *log = fathom_waits_log_create(1);
	struct fathom_waits_whole_log whole;
	uint64_t *end = NULL;

	(void)state;
	fathom_waits_log_add(log, &end, 1, 100, send_part);
	fathom_waits_log_add(log, &end, 1, 200, send_part);	/* without an exit of the first one */
	assert_int_equal(fathom_waits_log_open(log, 900, &whole), 0);
	assert_int_equal(whole.count, 2);
	assert_int_equal(fathom_waits_record_end(&whole.records[0]), 100);
	assert_int_equal(fathom_waits_record_end(&whole.records[1]), 900);
	fathom_waits_log_close(&whole);
}

/* Records operations with one part and more, also across the end of a chunk. is_fast: further parts are added by
 * fathom_waits_log_append where it can. Returns how many of them it added. */
static int record_many(struct fathom_waits_log *log, bool is_fast)
{
	uint64_t *end = NULL;
	int appended = 0;

	for (uint64_t i = 0; i < 2500; i++) {
		for (uint64_t p = 0; p < 1 + i % 7; p++) {
			struct fathom_waits_part part = { .kind = FATHOM_WAITS_SEND, .tag = (int32_t)(10 * i + p) };

			if (is_fast && fathom_waits_log_append(log, end, 10 * i, part))
				appended++;
			else
				fathom_waits_log_add(log, &end, 1, 10 * i, part);
		}
		*end = fathom_waits_end_of(10 * i + 5);
		end = NULL;
	}
	return appended;
}

static void parts_appended_at_once_make_the_same_records(void **state)
{
	struct fathom_waits_log *log = fathom_waits_log_create(2), *fast = fathom_waits_log_create(3);
	struct fathom_waits_whole_log whole, whole_fast;

	(void)state;
	record_many(log, false);
	/* 7497 further parts; one of them comes where the chunk ends. */
	assert_in_range(record_many(fast, true), 7490, 7497);
	assert_int_equal(fathom_waits_log_open(log, 90000, &whole), 0);
	assert_int_equal(fathom_waits_log_open(fast, 90000, &whole_fast), 0);
	assert_in_range(whole.count, FATHOM_WAITS_CHUNK_RECORDS + 1, 2 * FATHOM_WAITS_CHUNK_RECORDS);
	assert_int_equal(whole.count, whole_fast.count);
	assert_memory_equal(whole.records, whole_fast.records, whole.count * sizeof(*whole.records));
	fathom_waits_log_close(&whole);
	fathom_waits_log_close(&whole_fast);
}

static void maps_are_records_of_their_own(void **state)
{
	const struct fathom_waits_map_entry entries[3] = { { 1, 10 }, { 2, 20 }, { 3, 30 } };
	struct fathom_waits_log *log = fathom_waits_log_create(2);
	struct fathom_waits_whole_log whole;
	uint64_t *end = NULL;

	(void)state;
	fathom_waits_log_map(log, entries, 3);
	record(log, &end, 100, 1);
	assert_int_equal(fathom_waits_log_open(log, 900, &whole), 0);
	assert_int_equal(whole.count, 3);
	assert_int_equal(fathom_waits_record_kind(&whole.records[0]), FATHOM_WAITS_MAP);
	assert_int_equal(fathom_waits_record_kind(&whole.records[1]), FATHOM_WAITS_MAP_MORE);
	assert_int_equal(fathom_waits_record_back(&whole.records[1]), 1);
	assert_int_equal(fathom_waits_record_fill(&whole.records[1]), 1);
	assert_int_equal(whole.records[1].entries[0].ticks, 30);
	fathom_waits_log_close(&whole);
}

static void a_long_log_goes_on_in_a_file_until_that_is_full(void **state)
{
	enum { OPERATIONS = 600000 };	/* 24 MB; memory and file have 16 MB */
	struct fathom_waits_log *log = fathom_waits_log_create(3);
	struct fathom_waits_whole_log whole;
	uint64_t *end = NULL;

	(void)state;
	for (uint64_t i = 1; i <= OPERATIONS; i++)
		record(log, &end, 10 * i, 1);
	assert_int_equal(fathom_waits_log_open(log, 0, &whole), 0);
	assert_true(whole.count > 15 * MEGABYTE / 40);
	assert_true(whole.count < 17 * MEGABYTE / 40);
	assert_int_equal(whole.count + whole.lost, OPERATIONS);
	for (uint64_t i = 0; i < whole.count; i++) {
		assert_int_equal(whole.records[i].operation.begin, 10 * (i + 1));
		assert_int_equal(fathom_waits_record_end(&whole.records[i]), 10 * (i + 1) + 5);
	}
	fathom_waits_log_close(&whole);
}

static void a_request_names_the_operation_that_began_it(void **state)
{
	(void)state;
	assert_null(fathom_waits_posted_find(12345));
	fathom_waits_posted_make(12345)->record = 17;
	assert_int_equal(fathom_waits_posted_find(12345)->record, 17);
	assert_null(fathom_waits_posted_make(UINT64_MAX));
}

static void communicators_have_equal_identities_at_all_members(void **state)
{
	const uint32_t even[] = { 0, 2, 4, 6 }, odd[] = { 9, 3, 1 };
	const struct fathom_waits_comm_spec world = { .count = 1000000 };
	const struct fathom_waits_comm_spec evens = { .ranks = even, .count = 4, .key = 5, .rank = 2 };
	const struct fathom_waits_comm_spec between = { .ranks = even, .count = 4, .remote = odd, .remote_count = 3 };
	const struct fathom_waits_comm_spec beyond = { .ranks = odd, .count = 3, .remote = even, .remote_count = 4 };

	(void)state;
	fathom_waits_comm_note(0, &world);
	fathom_waits_comm_note(1, &evens);
	fathom_waits_comm_note(2, &evens);
	fathom_waits_comm_note(3, &between);
	fathom_waits_comm_note(5, &beyond);
	fathom_waits_comm_note_operation(6, 1, 1);
	assert_int_equal(fathom_waits_comm_count(), 7);
	assert_null(fathom_waits_comm_find(4));
	assert_null(fathom_waits_comm_find(0)->group.ranks);
	assert_int_equal(fathom_waits_member(&fathom_waits_comm_find(0)->group, 999999), 999999);
	assert_null(fathom_waits_comm_find(1)->group.ranks);	/* the ranks have equal distances */
	assert_int_equal(fathom_waits_member(&fathom_waits_comm_find(1)->group, 3), 6);
	assert_int_equal(fathom_waits_member(&fathom_waits_comm_find(1)->group, 4), UINT32_MAX);
	assert_int_equal(fathom_waits_member(&fathom_waits_comm_find(3)->remote, 1), 3);
	assert_int_not_equal(fathom_waits_comm_find(1)->identity, fathom_waits_comm_find(2)->identity);
	assert_int_not_equal(fathom_waits_comm_find(1)->identity, fathom_waits_comm_find(6)->identity);
	assert_int_equal(fathom_waits_comm_find(6)->group.count, 4);
	assert_int_equal(fathom_waits_window_note(1, 1), 0);	/* windows have numbers of their own */
	assert_int_equal(fathom_waits_window_note(1, 2), 1);
	assert_int_equal(fathom_waits_window_note(4, 1), UINT32_MAX);
	assert_int_equal(fathom_waits_window_count(), 2);
	assert_null(fathom_waits_window_find(2));
	assert_int_equal(fathom_waits_member(&fathom_waits_window_find(1)->group, 3), 6);
	assert_int_not_equal(fathom_waits_window_find(0)->identity, fathom_waits_window_find(1)->identity);
	assert_int_not_equal(fathom_waits_window_find(0)->identity, fathom_waits_comm_find(6)->identity);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_have_their_parts_and_ends),
		cmocka_unit_test(an_operation_that_a_jump_left_ends_at_its_begin),
		cmocka_unit_test(parts_appended_at_once_make_the_same_records),
		cmocka_unit_test(maps_are_records_of_their_own),
		cmocka_unit_test(a_long_log_goes_on_in_a_file_until_that_is_full),
		cmocka_unit_test(a_request_names_the_operation_that_began_it),
		cmocka_unit_test(communicators_have_equal_identities_at_all_members),
	};

	fathom_waits_recording_init(MEGABYTE, ".");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
