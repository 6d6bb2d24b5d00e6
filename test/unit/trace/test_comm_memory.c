/*
 * The memory that a process of a large run keeps for its communicators, in traces (trace/comms) and in logs of operations
 * (waits/recording): for regular members it does not depend on the number of processes.
 */
#include "trace/comms.h"
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "waits/recording.h"

enum { REGULAR = 2000, IRREGULAR = 100, MOST = 20000 };

static uint32_t *ranks;
static uint32_t next_number;		/* of the log's communicators */

/* Returns the bytes of address space that this process has. */
static long address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (!file || fscanf(file, "%ld", &pages) != 1)
		fail_msg("/proc/self/statm cannot be read");
	fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

/* Defines communicators of count processes, as if this process were a member of all, and returns by how many bytes each of
 * them lets the process grow. The members of regular ones are the same distance apart from each other. */
static long define(uint32_t comms, uint32_t count, bool is_regular)
{
	static uint64_t key;
	long before = address_space();

	for (uint32_t c = 0; c < comms; c++) {
		struct fathom_comm_members members = { .ranks = ranks, .count = count, .key = ++key,
						       .parent = FATHOM_NO_COMM };
		struct fathom_waits_comm_spec spec = { .ranks = ranks, .count = count, .key = key };

		for (uint32_t i = 0; i < count; i++)
			ranks[i] = c + i * comms + (is_regular ? 0 : i * i % 31);
		assert_int_not_equal(fathom_trace_comm_define(&members), UINT32_MAX);
		fathom_waits_comm_note(next_number++, &spec);
		assert_non_null(fathom_waits_comm_find(next_number - 1));
	}
	return (address_space() - before) / comms;
}

static void regular_communicators_take_as_much_in_each_run(void **state)
{
	static const uint32_t sizes[] = { 100, 10000, MOST };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		long bytes = define(REGULAR, sizes[i], true);

		print_message("%u processes: %ld bytes for each communicator\n", sizes[i], bytes);
		/* A list of 10,000 ranks takes 40,000 bytes, and there are two lists. Tables and arenas grow in steps. */
		assert_true(bytes < 4000);
	}
}

static void other_communicators_have_a_list_of_their_members(void **state)
{
	long bytes = define(IRREGULAR, 10000, false);

	(void)state;
	print_message("10000 processes without order: %ld bytes for each communicator\n", bytes);
	assert_true(bytes > 60000 && bytes < 200000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regular_communicators_take_as_much_in_each_run),
		cmocka_unit_test(other_communicators_have_a_list_of_their_members),
	};

	ranks = calloc(MOST, sizeof(*ranks));
	if (!ranks)
		return 99;
	fathom_waits_recording_init(1000000, ".");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
