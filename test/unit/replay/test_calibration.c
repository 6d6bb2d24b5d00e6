/* The parameters of a machine are found in the times of a program that a replay on this machine has made. */
#include "made_programs.h"

#include "replay/calibration.h"

enum { NONE = FATHOM_REPLAY_NONE, ROUNDS = 200 };

static void make_program(struct fathom_replay_program *program)
{
	uint64_t random = 5;

	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t task = 0; task < 4; task++)
			made_burst(program, task, 1e-4 * (double)(1 + next_random(&random) % 20), 0);
		for (uint32_t task = 0; task < 4; task++) {
			if (task % 2)	/* large messages wait for their receives, so not all tasks may send first */
				made_receive(program, task, (task + 3) % 4);
			made_send(program, task, (task + 1) % 4, UINT64_C(16) << (round % 14), FATHOM_REPLAY_STANDARD, true);
			if (task % 2 == 0)
				made_receive(program, task, (task + 3) % 4);
		}
		for (uint32_t task = 0; task < 4; task++) {
			made_burst(program, task, 1e-4 * (double)(1 + next_random(&random) % 20), 0);
			made_collective(program, task, FATHOM_COLLECTIVE_ALLREDUCE, 64, NONE);
		}
	}
}

/* Gives the records of the program the times of its replay on a machine. */
static void measure(struct fathom_replay_program *program, const struct fathom_machine *machine)
{
	struct fathom_replay replay = { .program = program, .machine = machine, .wants_points = true };
	struct fathom_replay_result result;

	assert_int_equal(fathom_replay_program_finish(program), 0);
	assert_int_equal(fathom_replay_run(&replay, &result), 0);
	for (uint32_t task = 0; task < program->task_count; task++) {
		const struct fathom_replay_points *points = &result.points[task];
		size_t point = 0;

		for (size_t i = 0; i < program->tasks[task].count; i++) {
			struct fathom_replay_record *record = &program->tasks[task].records[i];

			record->time = (uint64_t)llround(points->points[point].replayed * 1e9);
			point += record->kind == FATHOM_REPLAY_BURST ? 2 : 1;
		}
		assert_int_equal(point, points->count);
	}
	fathom_replay_result_fini(&result, program->task_count);
}

static void planted_parameters_are_found(void **state)
{
	struct fathom_machine machine = made_machine(20e-6, 2e9), found;
	struct fathom_replay_program program = made_program(4, 1);
	struct fathom_calibration calibration;
	double seconds, again;

	(void)state;
	machine.eager_limit = 5000;
	machine.collectives[FATHOM_COLLECTIVE_ALLREDUCE].scale = 3;
	make_program(&program);
	measure(&program, &machine);
	assert_int_equal(fathom_calibrate(&program, 0, &found, &calibration), 0);
	assert_true(calibration.between_messages > 100 && calibration.inside_messages == 0);
	assert_int_equal(calibration.collectives[FATHOM_COLLECTIVE_ALLREDUCE], ROUNDS);
	assert_true(fabs(found.between.latency - 20e-6) < 2e-6);
	assert_true(fabs(found.between.bandwidth - 2e9) < .1e9);
	assert_true(found.eager_limit > 2048 && found.eager_limit <= 8192);
	assert_true(fabs(found.collectives[FATHOM_COLLECTIVE_ALLREDUCE].scale - 3) < .4);
	seconds = made_seconds(&program, &machine);
	again = made_seconds(&program, &found);
	assert_true(fabs(again - seconds) < .01 * seconds);
	fathom_replay_program_fini(&program);
}

/* Every twentieth message is delayed, as by an interruption of a process. */
static void delays_are_no_latency(void **state)
{
	struct fathom_machine machine = made_machine(20e-6, 2e9), found;
	struct fathom_replay_program program = made_program(4, 1);
	struct fathom_calibration calibration;
	double seconds, without, again;

	(void)state;
	make_program(&program);
	for (uint32_t i = 0; i < program.message_count; i += 20)
		program.messages[i].delay_seconds = 4e-3;
	measure(&program, &machine);
	seconds = made_seconds(&program, &machine);
	for (uint32_t i = 0; i < program.message_count; i++)
		program.messages[i].delay_seconds = 0;
	without = made_seconds(&program, &machine);
	assert_true(without < .95 * seconds);
	assert_int_equal(fathom_calibrate(&program, 0, &found, &calibration), 0);
	assert_true(fabs(found.between.latency - 20e-6) < 4e-6);
	again = made_seconds(&program, &found);
	/* Of messages whose receiver came later, the delay is unknown. */
	assert_true(again > without + .3 * (seconds - without) && again < 1.01 * seconds);
	fathom_replay_program_fini(&program);
}

static void fits(void **state)
{
	struct fathom_message_time times[] = { { 0, 1 }, { 1000, 2 }, { 2000, 3 }, { 4000, 5 } };
	struct fathom_message_time equal[] = { { 8, 3 }, { 8, 2 }, { 8, 4 } };
	struct fathom_network network = { 0 };

	(void)state;
	fathom_calibration_fit(times, 4, 1, &network);
	NEAR(network.latency, 1);
	NEAR(network.bandwidth, 1000);
	fathom_calibration_fit(equal, 3, 1, &network);
	NEAR(network.latency, 3);
	NEAR(network.bandwidth, 0);
}

static void a_program_without_messages(void **state)
{
	struct fathom_replay_program program = made_program(1, 1);
	struct fathom_calibration calibration;
	struct fathom_machine machine;

	(void)state;
	made_burst(&program, 0, 1, 0);
	assert_int_equal(fathom_replay_program_finish(&program), 0);
	assert_int_equal(fathom_calibrate(&program, 0, &machine, &calibration), 0);
	assert_true(machine.eager_limit == UINT64_MAX);
	NEAR(made_seconds(&program, &machine), 1);
	fathom_replay_program_fini(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_parameters_are_found),
		cmocka_unit_test(delays_are_no_latency),
		cmocka_unit_test(fits),
		cmocka_unit_test(a_program_without_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
