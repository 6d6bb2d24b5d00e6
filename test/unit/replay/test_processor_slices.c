/* Tasks that share processors by slices: times that were computed by hand, and slices that are found again. */
#include "made_programs.h"

#include <stdlib.h>

#include "replay/processor_slices.h"
#include "replay/slice_length.h"

/* Turns from 0 to 3, from 6 to 9, and so on. */
static void one_task(void **state)
{
	static const struct fathom_task_slices slices = { .offset = 0, .length = 3, .period = 6 }, alone = { 0 };
	static const struct fathom_task_slices later = { .offset = 3, .length = 3, .period = 6 };

	(void)state;
	NEAR(fathom_slices_next(&slices, 2), 2);
	NEAR(fathom_slices_next(&slices, 3), 6);
	NEAR(fathom_slices_next(&slices, 7), 7);
	NEAR(fathom_slices_next(&later, 0), 3);
	NEAR(fathom_slices_next(&alone, 4), 4);
	NEAR(fathom_slices_run(&slices, 0, 3), 3);
	NEAR(fathom_slices_run(&slices, 0, 4), 7);
	NEAR(fathom_slices_run(&slices, 2, 1), 3);
	NEAR(fathom_slices_run(&slices, 4, 1), 7);
	NEAR(fathom_slices_run(&slices, 0, 6), 9);
	NEAR(fathom_slices_run(&slices, 0, 10), 19);
	NEAR(fathom_slices_run(&later, 1, 2), 5);
	NEAR(fathom_slices_run(&slices, 4, 0), 4);
	NEAR(fathom_slices_run(&alone, 4, 1), 5);
}

/* Of two tasks on a processor with slices of 3 s, a task that computed 7 s was without it for 3 s. */
static void processor_times(void **state)
{
	(void)state;
	NEAR(fathom_slices_processor_time(2, 3, 2), 2);
	NEAR(fathom_slices_processor_time(7, 3, 2), 4);
	NEAR(fathom_slices_processor_time(12, 3, 2), 6);
	NEAR(fathom_slices_processor_time(4, 3, 1.5), 2.5);
	NEAR(fathom_slices_processor_time(7, 3, 1), 7);
	NEAR(fathom_slices_processor_time(7, 0, 2), 7);
}

static void sharers(void **state)
{
	struct fathom_replay_program program = made_program(6, 3);

	(void)state;
	assert_false(fathom_slices_are_measured(&program));
	fathom_slices_set_measured(&program, 2);
	NEAR(program.tasks[0].sharers, 1.5);
	NEAR(program.tasks[5].sharers, 1.5);
	assert_true(fathom_slices_are_measured(&program));
	fathom_slices_set_measured(&program, 3);
	assert_false(fathom_slices_are_measured(&program));
	fathom_slices_set_measured(&program, 0);
	assert_false(fathom_slices_are_measured(&program));
	fathom_replay_program_fini(&program);
}

/* Five tasks of a node with two processors: three tasks share the first processor, two the second one. */
static void processors_of_tasks(void **state)
{
	struct fathom_replay_program program = made_program(6, 5);
	struct fathom_machine machine = made_machine(0, 0);
	struct fathom_task_slices *slices;

	(void)state;
	machine.cpus = 2;
	machine.slice_seconds = 1;
	slices = fathom_slices_create(&program, &machine);
	assert_non_null(slices);
	for (int t = 0; t < 5; t++) {
		assert_true(slices[t].length >= .95 && slices[t].length <= 1.05);
		NEAR(slices[t].length, slices[t % 2].length);
		NEAR(slices[t].period, (t % 2 ? 2 : 3) * slices[t].length);
		NEAR(slices[t].offset, t / 2 * slices[t].length);
	}
	assert_true(fabs(slices[0].length - slices[1].length) > .01);
	NEAR(slices[5].period, 0);	/* alone on its node */
	free(slices);
	fathom_replay_program_fini(&program);
}

/* Two tasks share a processor and compute 2 s each, in slices of about 1 s: the first one ends after one slice of the
 * other, the second one after two. A receive of the second one ends when its first slice begins. */
static void computation(void **state)
{
	struct fathom_replay_program program = made_program(2, 2);
	struct fathom_machine machine = made_machine(0, 0);
	struct fathom_replay_result result;
	struct fathom_task_slices *slices;
	double length;

	(void)state;
	made_send(&program, 0, 1, 8, FATHOM_REPLAY_STANDARD, true);
	made_burst(&program, 0, 2, 0);
	made_receive(&program, 1, 0);
	made_burst(&program, 1, 2, 0);
	machine.cpus = 1;
	machine.slice_seconds = 1;
	result = made_replay(&program, &machine);
	slices = fathom_slices_create(&program, &machine);
	assert_non_null(slices);
	length = slices[0].length;
	NEAR(result.tasks[0].end, 2 + length);
	NEAR(result.tasks[1].end, 2 + 2 * length);
	NEAR(result.tasks[0].burst_seconds, 2);
	NEAR(result.tasks[0].wait_seconds, length);
	NEAR(result.tasks[1].wait_seconds, 2 * length);
	free(slices);
	fathom_replay_result_fini(&result, 2);
	machine.slice_seconds = 0;	/* the queue: a task that waits has no processor */
	NEAR(made_seconds(&program, &machine), 4);
	fathom_replay_program_fini(&program);
}

/* The length of the slices is found again from the time of the replay. */
static void length_found(void **state)
{
	struct fathom_replay_program program = made_program(2, 2);
	struct fathom_machine machine = made_machine(1e-6, 1e9);
	double seconds, found;

	(void)state;
	for (int i = 0; i < 300; i++) {
		made_burst(&program, 0, 50e-6, 0);
		made_burst(&program, 1, 60e-6, 0);
		made_send(&program, 0, 1, 8, FATHOM_REPLAY_STANDARD, true);
		made_receive(&program, 1, 0);
		made_send(&program, 1, 0, 8, FATHOM_REPLAY_STANDARD, true);
		made_receive(&program, 0, 1);
	}
	machine.cpus = 1;
	machine.slice_seconds = 3e-3;
	seconds = made_seconds(&program, &machine);
	assert_true(seconds > 300 * 2 * 2.5e-3);
	fathom_slices_set_measured(&program, 1);
	machine.slice_seconds = 0;
	assert_int_equal(fathom_slice_length_fit(&program, &machine, seconds), 0);
	found = machine.slice_seconds;
	assert_true(found > 2.9e-3 && found < 3.1e-3);
	fathom_replay_program_fini(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_task),
		cmocka_unit_test(processor_times),
		cmocka_unit_test(sharers),
		cmocka_unit_test(processors_of_tasks),
		cmocka_unit_test(computation),
		cmocka_unit_test(length_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
