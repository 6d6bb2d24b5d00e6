/* The logs of bursts: all records come back in their order, whether they were in memory or in the file meanwhile; those
 * without room are counted; and a log can be read while its thread records. */
#include "unit_test.h"

#include <pthread.h>

#include "event/location.h"
#include "profile/recording/burst_log.h"

enum { MEMORY = 1000000, WORDS = FATHOM_BURST_COUNTERS };

static struct fathom_location locations[4] = {
	{ .kind = FATHOM_KIND_INITIAL }, { .kind = FATHOM_KIND_CREATED }, { .kind = FATHOM_KIND_CREATED },
	{ .kind = FATHOM_KIND_SCRATCH },
};

/* Adds a record as burst_stage.c does it. */
static bool add(struct fathom_burst_log *log, uint64_t number)
{
	uint64_t *record;

	if (log->next >= log->end && !fathom_burst_log_make_room(log))
		return false;
	record = log->next;
	record[FATHOM_BURST_BEGIN] = number;
	record[FATHOM_BURST_END] = number + 1;
	record[FATHOM_BURST_BEFORE] = record[FATHOM_BURST_AFTER] = ~number;
	__atomic_store_n(&log->next, record + WORDS, __ATOMIC_RELEASE);
	return true;
}

struct seen {
	uint64_t count;
	bool is_wrong;
};

static int see(void *context, const uint64_t *records, uint32_t count)
{
	struct seen *seen = context;

	for (uint32_t i = 0; i < count; i++, seen->count++) {
		const uint64_t *record = records + (size_t)i * WORDS;

		seen->is_wrong |= record[FATHOM_BURST_BEGIN] != seen->count || record[FATHOM_BURST_AFTER] != ~seen->count;
	}
	return 0;
}

static void read_back(struct fathom_burst_log *log, uint64_t expected)
{
	struct seen seen = { 0, false };

	assert_int_equal(fathom_burst_log_read(log, true, see, &seen), 0);
	assert_false(seen.is_wrong);
	assert_int_equal(seen.count, expected);
	seen = (struct seen){ 0, false };
	assert_int_equal(fathom_burst_log_read(log, false, see, &seen), 0);
	assert_int_equal(seen.count, expected);
}

static void a_log_that_is_empty_has_no_records(void **state)
{
	struct fathom_burst_log *log = fathom_burst_log_create(&locations[0]);

	(void)state;
	assert_non_null(log);
	assert_ptr_equal(fathom_burst_log_newest(), log);
	read_back(log, 0);
}

static void the_location_of_no_thread_is_in_no_list(void **state)
{
	struct fathom_burst_log *newest = fathom_burst_log_newest(), *log = fathom_burst_log_create(&locations[3]);

	(void)state;
	assert_non_null(log);
	assert_int_equal(log->state, FATHOM_BURST_NEVER);
	assert_ptr_equal(fathom_burst_log_newest(), newest);
}

/* The memory has room for 31250 records, and the file for 15 times as many. */
static void records_come_back_in_their_order_from_memory_and_file(void **state)
{
	struct fathom_burst_log *log = fathom_burst_log_newest();
	uint64_t number = 0;

	(void)state;
	for (; number < 100000; number++)
		assert_true(add(log, number));
	assert_true(log->in_file > 0);
	read_back(log, number);
	while (add(log, number))
		number++;
	assert_true(number > 400000 && number < 520000);
	assert_false(add(log, number));
	assert_int_equal(log->dropped, 2);
	read_back(log, number);
}

static void *record(void *context)
{
	struct fathom_burst_log *log = context;

	for (uint64_t number = 0; add(log, number); number++)
		;
	return NULL;
}

static void a_log_can_be_read_while_its_thread_records(void **state)
{
	struct fathom_burst_log *log = fathom_burst_log_create(&locations[1]);
	struct seen seen;
	pthread_t thread;
	uint64_t before = 0;

	(void)state;
	/* The file is full already: this location has the two chunks that each location may have. */
	assert_int_equal(pthread_create(&thread, NULL, record, log), 0);
	for (int i = 0; i < 50; i++) {
		seen = (struct seen){ 0, false };
		assert_int_equal(fathom_burst_log_read(log, true, see, &seen), 0);
		assert_false(seen.is_wrong);
		assert_true(seen.count >= before);
		before = seen.count;
	}
	pthread_join(thread, NULL);
	assert_int_equal(log->dropped, 1);
	read_back(log, 2 * (131072 / (WORDS * 8)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_that_is_empty_has_no_records),
		cmocka_unit_test(the_location_of_no_thread_is_in_no_list),
		cmocka_unit_test(records_come_back_in_their_order_from_memory_and_file),
		cmocka_unit_test(a_log_can_be_read_while_its_thread_records),
	};

	fathom_burst_log_init(MEMORY, ".");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
