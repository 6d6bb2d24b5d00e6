/* The tree over the ranks; one process alone; and the simulated ranks that other tests trust. */
#include "unit_test.h"

#include <unistd.h>

#include "comm/comm.h"
#include "fibers.h"
#include "simulated_comm.h"

enum { LARGEST = 200 };

static void everybody_but_the_root_has_one_parent_above(void **state)
{
	(void)state;
	for (int size = 1; size <= LARGEST; size++) {
		int parent_of[LARGEST], named_by[LARGEST], named = 0;

		memset(named_by, -1, sizeof(named_by));
		for (int rank = 0; rank < size; rank++) {
			int children[32], count = fathom_comm_tree(rank, size, &parent_of[rank], children);

			assert_in_range(count, 0, 31);
			for (int i = 0; i < count; i++) {
				assert_true(children[i] > rank && children[i] < size);
				assert_true(i == 0 || children[i] > children[i - 1]);	/* nearest first */
				assert_int_equal(named_by[children[i]], -1);
				named_by[children[i]] = rank;
				named++;
			}
		}
		assert_int_equal(named, size - 1);
		assert_int_equal(parent_of[0], -1);
		for (int rank = 1; rank < size; rank++) {
			assert_true(parent_of[rank] >= 0 && parent_of[rank] < rank);
			assert_int_equal(parent_of[rank], named_by[rank]);
		}
	}
}

static void the_tree_is_no_deeper_than_the_logarithm(void **state)
{
	(void)state;
	for (int size = 1; size <= LARGEST; size++) {
		int most = 0;

		while (1 << most < size)
			most++;
		for (int rank = 0; rank < size; rank++) {
			int depth = 0, parent, children[32];

			for (int at = rank; at; at = parent, depth++)
				fathom_comm_tree(at, size, &parent, children);
			assert_true(depth <= most);
		}
	}
}

static void the_largest_worlds_have_trees(void **state)
{
	int parent, children[32];

	(void)state;
	assert_int_equal(fathom_comm_tree(0, INT32_MAX, &parent, children), 31);
	assert_int_equal(children[30], 1 << 30);
	assert_int_equal(fathom_comm_tree(INT32_MAX - 1, INT32_MAX, &parent, children), 0);
	assert_int_equal(fathom_comm_tree(1 << 30, INT32_MAX, &parent, children), 30);
	assert_int_equal(parent, 0);
}

static void one_alone_needs_nobody(void **state)
{
	struct fathom_comm *comm = fathom_comm_serial(), *part;
	int data = 7;

	(void)state;
	assert_int_equal(comm->rank, 0);
	assert_int_equal(comm->size, 1);
	assert_int_equal(comm->broadcast(comm, 0, &data, sizeof(data)), 0);
	assert_int_equal(data, 7);
	assert_int_equal(comm->split(comm, 3, 4, &part), 0);
	assert_int_equal(part->size, 1);
	part->close(part);
	assert_true(comm->send(comm, 1, &data, sizeof(data)) < 0);
	assert_true(comm->receive(comm, 1, &data, sizeof(data)) < 0);
	assert_true(comm->post(comm, 1, &data, sizeof(data)) < 0);
	assert_int_equal(comm->poll(comm, &data, NULL, NULL, false), 0);
	assert_int_equal(data, -1);
}

/* Everybody tells both neighbours of a ring, and of a chain, at once. */
static int exchange_with_neighbours(struct fathom_comm *comm)
{
	for (int open = 0; open < 2; open++) {
		int left = comm->rank ? comm->rank - 1 : open ? -1 : comm->size - 1;
		int right = comm->rank + 1 < comm->size ? comm->rank + 1 : open ? -1 : 0;
		int mine = comm->rank, heard[2] = { -1, -1 };
		const struct fathom_comm_message out[2] = { { right, &mine, sizeof(mine) }, { left, &mine, sizeof(mine) } };
		const struct fathom_comm_message in[2] = { { left, &heard[0], sizeof(int) }, { right, &heard[1], sizeof(int) } };

		if (!open && comm->size < 3)
			continue;
		if (comm->exchange(comm, out, in, 2) || heard[0] != left || heard[1] != right)
			return -1;
	}
	return 0;
}

/* Everybody sends a row of numbers to everybody, and every root broadcasts. */
static int talk(struct fathom_comm *comm, void *argument)
{
	(void)argument;
	for (int from = 0; from < comm->size; from++) {
		for (int turn = 0; turn < 3 && from == comm->rank; turn++)
			for (int to = 0; to < comm->size; to++)
				if (to != from && comm->send(comm, to, &(int){ from * 10 + turn }, sizeof(int)))
					return -1;
		for (int turn = 0; turn < 3 && from != comm->rank; turn++) {
			int got = -1;

			if (comm->receive(comm, from, &got, sizeof(got)) || got != from * 10 + turn)
				return -1;
		}
	}
	for (int root = 0; root < comm->size; root++) {
		int data = comm->rank;

		if (comm->broadcast(comm, root, &data, sizeof(data)) || data != root)
			return -1;
	}
	return exchange_with_neighbours(comm);
}

/* Odd and even ranks part, in reverse order. */
static int split_and_talk(struct fathom_comm *comm, void *argument)
{
	struct fathom_comm *part;
	int err;

	if (comm->split(comm, comm->rank % 2, -comm->rank, &part))
		return -1;
	err = part->rank == (comm->size - 1 - comm->rank) / 2 ? talk(part, argument) : -2;
	part->close(part);
	return err;
}

static void simulated_ranks_hear_each_other(void **state)
{
	void *arguments[9] = { NULL };
	int results[9];

	(void)state;
	for (int size = 1; size <= 9; size++) {
		simulated_run(size, talk, arguments, results);
		for (int rank = 0; rank < size; rank++)
			assert_int_equal(results[rank], 0);
		simulated_run(size, split_and_talk, arguments, results);
		for (int rank = 0; rank < size; rank++)
			assert_int_equal(results[rank], 0);
	}
	assert_false(simulated_mismatches);
}

/* Everybody posts rows of numbers to everybody before anybody polls, and messages of the other kind pass by them. */
static int post_and_poll(struct fathom_comm *comm, void *argument)
{
	enum { ROWS = 5 };
	static _Thread_local char data[FATHOM_COMM_MOST_POSTED];
	int next[9] = { 0 }, from, token = 0;
	size_t bytes;

	(void)argument;
	for (int turn = 0; turn < ROWS; turn++)
		for (int to = 0; to < comm->size; to++)
			if (to != comm->rank && comm->post(comm, to, (int[2]){ comm->rank, turn }, 2 * sizeof(int)))
				return -1;
	if (comm->broadcast(comm, 0, &token, sizeof(token)))
		return -2;
	for (int count = 0; count < ROWS * (comm->size - 1); count++) {
		int got[2];

		if (comm->poll(comm, &from, data, &bytes, true) || from < 0 || bytes != sizeof(got))
			return -3;
		memcpy(got, data, sizeof(got));
		if (got[0] != from || got[1] != next[from]++)
			return -4;
	}
	if (comm->poll(comm, &from, data, &bytes, false) || from != -1)
		return -5;
	return 0;
}

static void simulated_ranks_poll_what_was_posted(void **state)
{
	void *arguments[9] = { NULL };
	int results[9];

	(void)state;
	for (int size = 1; size <= 9; size++) {
		simulated_run(size, post_and_poll, arguments, results);
		for (int rank = 0; rank < size; rank++)
			assert_int_equal(results[rank], 0);
	}
	assert_false(simulated_mismatches);
}

static void post_on_fiber(struct fathom_comm *comm, void *context)
{
	if (post_and_poll(comm, NULL))
		++*(int *)context;
}

static void fibers_poll_what_was_posted(void **state)
{
	int wrong = 0;

	(void)state;
	for (int size = 1; size <= 9; size++) {
		struct fiber_statistics statistics = fibers_run(size, post_on_fiber, &wrong);

		assert_int_equal(statistics.stuck + statistics.left + statistics.mismatches, 0);
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_but_the_root_has_one_parent_above),
		cmocka_unit_test(the_tree_is_no_deeper_than_the_logarithm),
		cmocka_unit_test(the_largest_worlds_have_trees),
		cmocka_unit_test(one_alone_needs_nobody),
		cmocka_unit_test(simulated_ranks_hear_each_other),
		cmocka_unit_test(simulated_ranks_poll_what_was_posted),
		cmocka_unit_test(fibers_poll_what_was_posted),
	};

	alarm(120);	/* a simulated rank that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
