/* The system of many processes is what they are together: in random systems, with few bits of hash, without memory. */
#include "core_test.h"

#include <errno.h>
#include <unistd.h>

#include "fibers.h"
#include "made_system.h"
#include "simulated_comm.h"

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
		cmocka_unit_test(a_rank_without_a_place_holds_nobody_up),
		cmocka_unit_test(indices_are_those_of_the_example),
	};

	alarm(120);	/* a rank that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
