/* The system of many processes is what they are together: in random systems, with few bits of hash, without memory. */
#include "unit_test.h"

#include <errno.h>
#include <unistd.h>

#include "fibers.h"
#include "made_system.h"
#include "simulated_comm.h"
#include "system/tree_labels.h"

static struct made_system made;

static int build(struct fathom_comm *comm, void *context)
{
	struct made_process *process = &made.processes[comm->rank];
	struct fathom_system_options options = made.options;

	(void)context;
	options.resize = made_resize;
	options.resize_context = process;
	process->result = fathom_system_build(&process->system, &process->place, process->locations, process->count, comm,
					      &options);
	return process->result;
}

static void build_in_fiber(struct fathom_comm *comm, void *context)
{
	build(comm, context);
}

static struct fiber_statistics run(void)
{
	struct fiber_statistics statistics = fibers_run(made.size, build_in_fiber, NULL);

	assert_int_equal(statistics.stuck, 0);
	assert_int_equal(statistics.mismatches, 0);
	assert_int_equal(statistics.left, 0);
	return statistics;
}

static void systems_by_chance_are_described(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		int size = 1 + (int)(seed * 7 % 60);

		for (int split = 0; split < 2; split++) {
			made_by_chance(&made, size, seed);
			made.options.split = (uint64_t)split;
			run();
			made_compare(&made);
			made_fini(&made);
		}
	}
}

/* Both ways of splitting give the same: that of all indices. */
static void both_splits_give_the_same(void **state)
{
	static struct fathom_span before[MADE_RANKS];

	(void)state;
	for (uint64_t seed = 1000; seed < 1040; seed++) {
		for (int split = 0; split < 2; split++) {
			made_by_chance(&made, 100, seed);
			made.options.split = (uint64_t)split;
			run();
			for (int rank = 0; rank < made.size; rank++) {
				if (split)
					assert_memory_equal(&before[rank], &made.processes[rank].system.before,
							    sizeof(*before));
				before[rank] = made.processes[rank].system.before;
			}
			made_fini(&made);
		}
	}
}

static void colliding_names_are_told_apart(void **state)
{
	(void)state;
	for (uint32_t bits = 1; bits <= 4; bits++) {
		for (uint64_t seed = 1; seed <= 20; seed++) {
			for (int split = 0; split < 2; split++) {
				made_by_chance(&made, 90, seed);
				made.options.split = (uint64_t)split;
				made.options.hash_bits = bits;
				run();
				made_compare(&made);
				made_fini(&made);
			}
		}
	}
}

/* As threads, whose sends wait until somebody receives. */
static void sends_that_wait_do_not_hang(void **state)
{
	void *arguments[24] = { NULL };
	int results[24];

	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		for (int split = 0; split < 2; split++) {
			made_by_chance(&made, 5 + (int)seed * 2, seed);
			made.options.split = (uint64_t)split;
			simulated_run(made.size, build, arguments, results);
			made_compare(&made);
			made_fini(&made);
		}
	}
	assert_false(simulated_mismatches);
}

/* Any request of memory that fails, anywhere, and all say so. */
static void without_memory_all_say_so(void **state)
{
	long failures = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 24; seed++) {
		for (int split = 0; split < 2; split++) {
			int size = 2 + (int)seed % 9;

			for (int rank = 0; rank < size; rank++) {
				for (long failing = 1;; failing++) {
					made_by_chance(&made, size, seed);
					made.options.split = (uint64_t)split;
					made.processes[rank].failing = failing;
					run();
					if (made.processes[rank].requests < failing)
						break;
					failures++;
					for (int r = 0; r < size; r++) {
						assert_int_equal(made.processes[r].result, -ENOMEM);
						assert_int_equal(made.processes[r].held, 0);
					}
				}
				made_compare(&made);
				made_fini(&made);
			}
		}
	}
	assert_in_range(failures, 1000, 1000000);
}

/* A split that fails, and all say so. With few bits of hash, parts are split again. */
static void splits_that_fail_are_everybody_s(void **state)
{
	long failures = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		for (fibers_failing_split = 1;; fibers_failing_split++) {
			made_by_chance(&made, 12 + (int)seed, seed);
			made.options.split = FATHOM_SPLIT_COMM;
			made.options.hash_bits = 2;
			run();
			if (made.processes[0].result == 0)
				break;
			failures++;
			for (int rank = 0; rank < made.size; rank++) {
				assert_int_equal(made.processes[rank].result, -ENOMEM);
				assert_int_equal(made.processes[rank].held, 0);
			}
		}
		made_compare(&made);
		made_fini(&made);
	}
	fibers_failing_split = 0;
	assert_in_range(failures, 30, 100000);
}

static void build_without_place(struct fathom_comm *comm, void *context)
{
	struct made_process *process = &made.processes[comm->rank];
	struct fathom_system_options options = { .split = FATHOM_SPLIT_CHAIN };

	(void)context;
	process->result = fathom_system_build(&process->system, comm->rank == 3 ? NULL : &process->place,
					      process->locations, process->count, comm, &options);
}

static void a_rank_without_a_place_holds_nobody_up(void **state)
{
	struct fiber_statistics statistics;

	(void)state;
	made_by_chance(&made, 9, 5);
	statistics = fibers_run(made.size, build_without_place, NULL);
	assert_int_equal(statistics.stuck, 0);
	for (int rank = 0; rank < made.size; rank++)
		assert_int_equal(made.processes[rank].result, -ENOMEM);
}

/* --- labels ------------------------------------------------------------------------------------------ */

static int labels_result[MADE_RANKS];
static struct fathom_labels labels_of[MADE_RANKS];

static void build_with_labels(struct fathom_comm *comm, void *context)
{
	struct made_process *process = &made.processes[comm->rank];
	struct fathom_system_options options = made.options;
	long *failing = context;

	build(comm, NULL);
	options.resize = made_resize;
	options.resize_context = process;
	process->requests = 0;
	process->failing = comm->rank == failing[0] ? failing[1] : 0;
	labels_result[comm->rank] = fathom_labels_collect(&labels_of[comm->rank], &process->system, &process->place,
							  (uint32_t)comm->rank, comm, &options);
}

/* Ranks and names are found at their indices. */
static void compare_labels(void)
{
	struct fathom_labels *labels = &labels_of[0];
	struct fathom_walk walk;

	for (int rank = 0; rank < made.size; rank++) {
		assert_int_equal(labels_result[rank], 0);
		assert_int_equal(fathom_labels_rank(labels, made.processes[rank].system.before.processes), rank);
	}
	fathom_walk_begin(&walk, &made.processes[0].system.sequence);
	while (fathom_walk_next(&walk)) {
		char text[64];

		if (walk.record->kind != FATHOM_ELEMENT_NODE)
			continue;
		fathom_labels_node(labels, &walk, text, sizeof(text));
		for (int rank = 0; rank < made.size; rank++) {
			const struct made_process *process = &made.processes[rank];
			uint32_t level = (uint32_t)walk.depth;
			char expected[64];

			if (level >= process->place.levels || process->system.speaks_for[level] != walk.before.nodes)
				continue;
			snprintf(expected, sizeof(expected), "%s %s", fathom_system_path_class(&process->place, level),
				 fathom_system_path_name(&process->place, level));
			assert_string_equal(text, expected);
		}
	}
}

static void labels_are_those_of_the_ranks(void **state)
{
	long nobody[2] = { -1, 0 };

	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct fiber_statistics statistics;

		made_by_chance(&made, 1 + (int)(seed * 11 % 90), seed);
		statistics = fibers_run(made.size, build_with_labels, nobody);
		assert_int_equal(statistics.stuck + statistics.mismatches + statistics.left, 0);
		compare_labels();
		fathom_labels_fini(&labels_of[0]);
		made_fini(&made);
	}
}

static void labels_without_memory_are_nobody_s(void **state)
{
	(void)state;
	for (int rank = 0; rank < 9; rank++) {
		for (long failing = 1;; failing++) {
			long failure[2] = { rank, failing };
			struct fiber_statistics statistics;

			made_by_chance(&made, 9, 4);
			statistics = fibers_run(made.size, build_with_labels, failure);
			assert_int_equal(statistics.stuck + statistics.mismatches + statistics.left, 0);
			if (made.processes[rank].requests < failing)
				break;
			for (int r = 0; r < made.size; r++)
				assert_int_equal(labels_result[r], -ENOMEM);
			made_fini(&made);
		}
		compare_labels();
		fathom_labels_fini(&labels_of[0]);
		made_fini(&made);
	}
}

/* In blocks one run is enough, in turn one for each node; too many names are given up. */
static void labels_take_little(void **state)
{
	long nobody[2] = { -1, 0 };

	(void)state;
	for (int cyclic = 0; cyclic < 2; cyclic++) {
		memset(&made, 0, sizeof(made));
		made.size = MADE_RANKS;
		for (int rank = 0; rank < made.size; rank++) {
			char name[256];

			snprintf(name, sizeof(name), "%0200d", cyclic ? rank % 8 : rank);
			made_level(&made.processes[rank], "machine", "M");
			made_level(&made.processes[rank], "node", name);
			made_threads(&made.processes[rank], 1);
		}
		assert_int_equal(fibers_run(made.size, build_with_labels, nobody).stuck, 0);
		assert_int_equal(labels_of[0].run_count, cyclic ? 8 : 1);
		assert_int_equal(labels_of[0].names != NULL, cyclic);	/* 512 of 200 characters are too many */
		fathom_labels_fini(&labels_of[0]);
		made_fini(&made);
	}
}

/* The example of six ranks on two hosts in turn, with known indices. */
static void indices_are_those_of_the_example(void **state)
{
	static const uint64_t node_of[] = { 1, 2, 1, 2, 1, 2 }, process_of[] = { 0, 3, 1, 4, 2, 5 };
	static const uint64_t location_of[] = { 0, 10, 4, 14, 8, 18 };

	(void)state;
	for (int split = 0; split < 2; split++) {
		memset(&made, 0, sizeof(made));
		made.size = 6;
		made.options.split = (uint64_t)split;
		for (int rank = 0; rank < 6; rank++) {
			made_level(&made.processes[rank], "machine", "M");
			made_level(&made.processes[rank], "node", rank % 2 ? "B" : "A");
			made_threads(&made.processes[rank], rank < 4 ? 4 : 2);
			for (uint32_t i = 0; i < 4; i++)
				made.processes[rank].locations[i].name = "thread";
		}
		run();
		for (int rank = 0; rank < 6; rank++) {
			const struct fathom_span *before = &made.processes[rank].system.before;

			assert_int_equal(before->nodes - 1, node_of[rank]);
			assert_int_equal(before->processes, process_of[rank]);
			assert_int_equal(before->locations, location_of[rank]);
		}
		made_fini(&made);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(systems_by_chance_are_described),
		cmocka_unit_test(both_splits_give_the_same),
		cmocka_unit_test(colliding_names_are_told_apart),
		cmocka_unit_test(sends_that_wait_do_not_hang),
		cmocka_unit_test(without_memory_all_say_so),
		cmocka_unit_test(splits_that_fail_are_everybody_s),
		cmocka_unit_test(a_rank_without_a_place_holds_nobody_up),
		cmocka_unit_test(labels_are_those_of_the_ranks),
		cmocka_unit_test(labels_without_memory_are_nobody_s),
		cmocka_unit_test(labels_take_little),
		cmocka_unit_test(indices_are_those_of_the_example),
	};

	alarm(120);	/* a rank that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
