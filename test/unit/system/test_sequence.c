/* Sequences with known answers, their bytes and text, and the trees over ranks that builds them. */
#include "unit_test.h"

#include <errno.h>

#include "system/inorder_tree.h"
#include "system/sequence.h"
#include "system/byte_stack.h"
#include "system/name_pattern.h"

enum { N = FATHOM_ELEMENT_NODE, P = FATHOM_ELEMENT_PROCESS, L = FATHOM_ELEMENT_LOCATION };

static const char *classes[] = { "machine", "node", "rack", "process", "CPU thread %", "GPU\n0-3" };

/* 16 nodes of 8 processes of 4 threads. */
static struct fathom_sequence_record regular[] = {
	{ N, 0, 0, 1, 1 }, { N, 1, 0, 16, 1 }, { P, 3, 0, 8, 1 }, { L, 4, 0, 4, 0 },
};

/* 16 nodes of 4 processes of 4 threads, and 16 of 4 processes of 2 threads and a GPU. */
static struct fathom_sequence_record two[] = {
	{ N, 0, 0, 1, 2 }, { N, 1, 0, 16, 1 }, { P, 3, 0, 4, 1 }, { L, 4, 0, 4, 0 },
	{ N, 1, 0, 16, 1 }, { P, 3, 0, 4, 2 }, { L, 4, 1, 2, 0 }, { L, 5, 0, 1, 0 },
};

#define SEQUENCE(array) \
	{ .records = (array), .count = sizeof(array) / sizeof(*(array)), .classes = classes, .class_count = 6 }

static uint64_t sum(struct fathom_span span)
{
	return span.nodes + span.processes + span.locations;
}

static void sizes_and_indices_are_known(void **state)
{
	struct fathom_sequence one = SEQUENCE(regular), other = SEQUENCE(two);
	/* Node 3, process 2, thread 1. */
	const struct fathom_step way[] = { { 0, 0 }, { 1, 3 }, { 2, 2 }, { 3, 1 } };
	struct fathom_step found[FATHOM_SEQUENCE_DEPTH];

	(void)state;
	assert_int_equal(sum(fathom_records_span(one.records, 3)), 1);
	assert_int_equal(sum(fathom_records_span(one.records, 2)), 5);
	assert_int_equal(sum(fathom_records_span(one.records, 1)), 41);
	assert_int_equal(sum(fathom_records_span(one.records, 0)), 657);
	assert_int_equal(sum(fathom_sequence_index(&one, way, 2)), 124);
	assert_int_equal(sum(fathom_sequence_index(&one, way, 3)), 135);
	assert_int_equal(sum(fathom_sequence_index(&one, way, 4)), 137);
	assert_int_equal(fathom_sequence_locate(&one, FATHOM_ELEMENT_LOCATION, (3 * 8 + 2) * 4 + 1, found), 4);
	assert_memory_equal(found, way, sizeof(way));
	assert_int_equal(fathom_sequence_locate(&one, FATHOM_ELEMENT_PROCESS, 3 * 8 + 2, found), 3);
	assert_memory_equal(found, way, 3 * sizeof(*way));
	assert_int_equal(fathom_sequence_locate(&one, FATHOM_ELEMENT_LOCATION, 16 * 8 * 4, found), 0);
	assert_int_equal(fathom_sequence_locate(&one, FATHOM_ELEMENT_NODE, 17, found), 0);
	assert_int_equal(sum(fathom_records_span(other.records, 0)), 609);
	assert_int_equal(fathom_records_end(other.records, 1), 4);
	assert_int_equal(fathom_records_end(other.records, 0), 8);
}

static void a_walk_meets_all_in_order(void **state)
{
	struct fathom_sequence sequence = SEQUENCE(two);
	struct fathom_walk walk;
	uint64_t count = 0;
	char text[64];

	(void)state;
	fathom_walk_begin(&walk, &sequence);
	for (; fathom_walk_next(&walk); count++) {
		assert_int_equal(sum(walk.before), count);
		if (count == 1 + 16 * 21 + 17)
			assert_string_equal(fathom_walk_name(&walk, text, sizeof(text)), "node 17");
		if (count == 1 + 16 * 21 + 17 + 1 + 4 + 1) {
			assert_string_equal(fathom_walk_name(&walk, text, sizeof(text)), "CPU thread 1");
			assert_string_equal(fathom_walk_threads(&walk), "");
		}
		if (count == 1 + 16 * 21 + 17 + 1 + 4 + 3) {
			assert_int_equal(walk.in_process, 2);
			assert_string_equal(fathom_walk_name(&walk, text, sizeof(text)), "GPU");
			assert_string_equal(fathom_walk_threads(&walk), "0-3");
		}
	}
	assert_int_equal(count, 609);
	assert_false(fathom_walk_next(&walk));
}

static char printed[1024];

static void print(void *context, const char *text)
{
	(void)context;
	strcat(strcat(printed, text), "\n");
}

static void people_can_read_it(void **state)
{
	struct fathom_sequence sequence = SEQUENCE(two);

	(void)state;
	fathom_sequence_print(&sequence, print, NULL);
	assert_string_equal(printed, "machine x1\n"
				     "  node x16\n"
				     "    process x4\n"
				     "      CPU thread 0-3 x4\n"
				     "  node x16\n"
				     "    process x4\n"
				     "      CPU thread 1-2 x2\n"
				     "      GPU x1\n");
}

static void the_order_is_by_what_is_inside(void **state)
{
	(void)state;
	assert_int_equal(fathom_records_compare(&two[1], &two[4]), -1);
	assert_int_equal(fathom_records_compare(&two[4], &two[1]), 1);
	assert_int_equal(fathom_records_compare(&two[1], &two[1]), 0);
	/* Processes before nodes; how many copies there are of the topmost does not matter. */
	assert_int_equal(fathom_records_compare(&two[2], &two[1]), -1);
	regular[3].copies = 9;
	assert_int_equal(fathom_records_compare(&regular[3], &two[3]), 0);
	regular[3].copies = 4;
}

static int unpack(const void *packed, size_t bytes)
{
	struct fathom_sequence sequence;
	const char *found[16];
	int64_t count = fathom_sequence_packed_classes(packed, bytes);

	return count < 0 || count > 16 ? -EPROTO : fathom_sequence_unpack(&sequence, found, packed, bytes);
}

/* Whatever single byte is another one: no crash, and where the rules are broken it is said. */
static void broken_bytes_are_refused(void **state)
{
	struct fathom_sequence sequence = SEQUENCE(two);
	struct fathom_byte_stack store;
	struct fathom_sequence_record *records;

	(void)state;
	fathom_byte_stack_init(&store, NULL, NULL);
	assert_int_equal(fathom_sequence_pack(&sequence, &store), 0);
	assert_int_equal(unpack(store.base, store.used), 0);
	for (size_t bytes = 0; bytes < store.used; bytes++)
		assert_int_equal(unpack(store.base, bytes), -EPROTO);
	for (size_t at = 0; at < store.used; at++) {
		for (int bit = 0; bit < 8; bit++) {
			store.base[at] = (char)(store.base[at] ^ 1 << bit);
			unpack(store.base, store.used);
			store.base[at] = (char)(store.base[at] ^ 1 << bit);
		}
	}
	records = (struct fathom_sequence_record *)(void *)(store.base + 16);
	records[4].copies = 0;
	assert_int_equal(unpack(store.base, store.used), -EPROTO);
	records[4] = records[1];	/* two that are equal up to what is inside: out of order */
	memcpy(&records[1], &two[4], 4 * sizeof(*records));
	assert_int_equal(unpack(store.base, store.used), -EPROTO);
	fathom_byte_stack_fini(&store);
}

static void titles_come_apart(void **state)
{
	static const struct {
		const char *name, *threads, *class;
		uint32_t number;
		bool has_number;
	} cases[] = {
		{ "Master thread", NULL, "Master thread", 0, false },
		{ "OMP thread 12", NULL, "OMP thread %", 12, true },
		{ "OMP thread 0:2", NULL, "OMP thread 0:%", 2, true },
		{ "at 07", NULL, "at 07", 0, false },
		{ "at 0", NULL, "at %", 0, true },
		{ "9", NULL, "%", 9, true },
		{ "4294967296000", NULL, "4294967296000", 0, false },
		{ "100%", NULL, "100%%", 0, false },
		{ "", NULL, "", 0, false },
		{ "cluster 1 (7 threads)", "1-7", "cluster 1 (7 threads)\n1-7", 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct fathom_location_label label = { cases[i].name, cases[i].threads };
		struct fathom_byte_stack store;
		struct fathom_name_pattern title;

		fathom_byte_stack_init(&store, NULL, NULL);
		assert_int_equal(fathom_name_pattern_put(&title, &store, &label), 0);
		assert_string_equal(store.base, cases[i].class);
		assert_int_equal(title.number, cases[i].number);
		assert_int_equal(title.has_number, cases[i].has_number);
		fathom_byte_stack_fini(&store);
	}
}

/* --- trees over ranks ------------------------------------------------------------------------------ */

static bool is_power_of_two(int distance)
{
	return distance > 0 && !(distance & (distance - 1));
}

/* From first on, all below a rank without a gap; returns the one behind. */
static int visit(int rank, int size, int first, int depth)
{
	struct fathom_tree_links links = fathom_tree_links_of(rank, size);
	int most = 1;

	while (1 << most < size)
		most++;
	assert_in_range(depth, 0, most + 1);
	if (links.left >= 0) {
		assert_int_equal(fathom_tree_links_of(links.left, size).parent, rank);
		assert_true(is_power_of_two(rank - links.left));
		first = visit(links.left, size, first, depth + 1);
	}
	assert_int_equal(first, rank);
	first++;
	if (links.right >= 0) {
		assert_int_equal(fathom_tree_links_of(links.right, size).parent, rank);
		assert_true(is_power_of_two(links.right - rank));
		first = visit(links.right, size, first, depth + 1);
	}
	return first;
}

static void all_ranks_are_linked_in_their_order(void **state)
{
	(void)state;
	for (int size = 1; size <= 300; size++) {
		assert_int_equal(fathom_tree_links_of(0, size).parent, -1);
		assert_int_equal(fathom_tree_links_of(0, size).left, -1);
		assert_int_equal(visit(0, size, 0, 0), size);
	}
	assert_int_equal(fathom_tree_links_of(0, INT32_MAX).right, 1 << 30);
	assert_int_equal(fathom_tree_links_of(INT32_MAX - 1, INT32_MAX).parent, INT32_MAX - 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_and_indices_are_known),
		cmocka_unit_test(a_walk_meets_all_in_order),
		cmocka_unit_test(people_can_read_it),
		cmocka_unit_test(the_order_is_by_what_is_inside),
		cmocka_unit_test(broken_bytes_are_refused),
		cmocka_unit_test(titles_come_apart),
		cmocka_unit_test(all_ranks_are_linked_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
