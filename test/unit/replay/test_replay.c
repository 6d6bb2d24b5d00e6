/* Replays of small programs whose times on a machine are known. */
#include "made_programs.h"

#include <errno.h>

enum { NONE = FATHOM_REPLAY_NONE };
static const double MB = 1 << 20;

static void a_message_takes_latency_and_size_by_bandwidth(void **state)
{
	struct fathom_machine machine = made_machine(10e-6, 100 * MB);
	struct fathom_replay_program program = made_program(2, 1);
	struct fathom_replay_result result;

	(void)state;
	made_burst(&program, 0, 1, 0);
	made_send(&program, 0, 1, 1 << 20, FATHOM_REPLAY_STANDARD, true);
	made_burst(&program, 1, .5, 0);
	made_receive(&program, 1, 0);
	result = made_replay(&program, &machine);
	NEAR(result.seconds, 1.01001);
	NEAR(result.tasks[0].end, 1.00001);
	NEAR(result.tasks[1].wait_seconds, .5);
	NEAR(result.tasks[1].wait_seconds + result.tasks[1].transfer_seconds, .51001);
	NEAR(result.waits[program.path_count + 2], .5);
	fathom_replay_result_fini(&result, 2);
	machine.between.bandwidth = 200 * MB;
	NEAR(made_seconds(&program, &machine), 1.00501);
	machine.cpu_ratio = 2;
	NEAR(made_seconds(&program, &machine), .50501);
	machine.cpu_ratio = 0;
	NEAR(made_seconds(&program, &machine), .00501);
	fathom_replay_program_fini(&program);
}

/* The sender of a large or synchronous message waits for its receive, and the latency counts once. */
static void rendezvous(void **state)
{
	struct fathom_machine machine = made_machine(10e-6, 100 * MB);

	(void)state;
	for (int synchronous = 0; synchronous < 2; synchronous++) {
		struct fathom_replay_program program = made_program(2, 1);
		struct fathom_replay_result result;

		machine.eager_limit = synchronous ? UINT64_MAX : 1000;
		made_burst(&program, 0, 1, 0);
		made_send(&program, 0, 1, 1 << 20, synchronous ? FATHOM_REPLAY_SYNCHRONOUS : FATHOM_REPLAY_STANDARD, true);
		made_burst(&program, 1, 2, 0);
		made_receive(&program, 1, 0);
		result = made_replay(&program, &machine);
		NEAR(result.tasks[0].end, 2.01001);
		NEAR(result.tasks[1].end, 2.01001);
		NEAR(result.tasks[0].wait_seconds, 1);
		fathom_replay_result_fini(&result, 2);
		fathom_replay_program_fini(&program);
	}
}

static void immediate_operations_wait_in_their_wait_only(void **state)
{
	struct fathom_machine machine = made_machine(10e-6, 100 * MB);
	struct fathom_replay_program program = made_program(2, 1);
	uint32_t send, receive;
	struct fathom_replay_result result;

	(void)state;
	machine.eager_limit = 0;
	send = made_send(&program, 0, 1, 1 << 20, FATHOM_REPLAY_STANDARD, false);
	made_burst(&program, 0, 1, 0);
	fathom_replay_add_wait(&program, 0, FATHOM_REPLAY_WAIT_SEND, 1, 2000000000, send);
	receive = made_post(&program, 1, 0);
	made_burst(&program, 1, .5, 0);
	made_wait_receive(&program, 1, receive);
	result = made_replay(&program, &machine);
	NEAR(result.tasks[0].end, 1);	/* the message moves while both compute */
	NEAR(result.tasks[1].end, .5);
	NEAR(result.tasks[0].wait_seconds + result.tasks[1].wait_seconds, 0);
	fathom_replay_result_fini(&result, 2);
	fathom_replay_program_fini(&program);
}

/* A ping-pong of n rounds takes 2 n messages; inside of a node, the other network counts. */
static void ping_pong(void **state)
{
	struct fathom_machine machine = made_machine(1e-3, 1e6);

	(void)state;
	machine.inside = (struct fathom_network){ .latency = 1e-4 };
	for (uint32_t tasks_a_node = 1; tasks_a_node <= 2; tasks_a_node++) {
		struct fathom_replay_program program = made_program(2, tasks_a_node);

		for (int i = 0; i < 10; i++) {
			made_send(&program, 0, 1, 1000, FATHOM_REPLAY_STANDARD, true);
			made_receive(&program, 1, 0);
			made_send(&program, 1, 0, 1000, FATHOM_REPLAY_STANDARD, true);
			made_receive(&program, 0, 1);
		}
		NEAR(made_seconds(&program, &machine), tasks_a_node == 1 ? 20 * 2e-3 : 20 * 1e-4);
		fathom_replay_program_fini(&program);
	}
}

/* Task i begins when task i - 1 has ended its part: p tasks and n parts take n + p - 1 steps. */
static void pipeline(void **state)
{
	struct fathom_machine machine = made_machine(0, 0);
	struct fathom_replay_program program = made_program(4, 1);

	(void)state;
	for (uint32_t task = 0; task < 4; task++) {
		for (int part = 0; part < 10; part++) {
			if (task > 0)
				made_receive(&program, task, task - 1);
			made_burst(&program, task, 1, 0);
			if (task < 3)
				made_send(&program, task, task + 1, 8, FATHOM_REPLAY_STANDARD, true);
		}
	}
	NEAR(made_seconds(&program, &machine), 13);
	fathom_replay_program_fini(&program);
}

static void collective_operations(void **state)
{
	struct fathom_machine machine = made_machine(1e-6, 0);
	struct fathom_replay_program program = made_program(8, 1);
	struct fathom_replay_result result;

	(void)state;
	for (uint32_t task = 0; task < 8; task++) {
		made_burst(&program, task, .25 * task, 0);
		made_collective(&program, task, FATHOM_COLLECTIVE_BARRIER, 0, NONE);
	}
	result = made_replay(&program, &machine);
	NEAR(result.seconds, 1.75 + 6e-6);
	NEAR(result.tasks[0].wait_seconds, 1.75);
	NEAR(result.tasks[7].wait_seconds, 0);
	NEAR(result.tasks[7].transfer_seconds, 6e-6);
	fathom_replay_result_fini(&result, 8);
	machine.between.buses = 1;
	NEAR(made_seconds(&program, &machine), 1.75 + 14e-6);
	machine.collectives[FATHOM_COLLECTIVE_BARRIER].scale = 2;
	NEAR(made_seconds(&program, &machine), 1.75 + 28e-6);
	fathom_machine_init_ideal(&machine);
	NEAR(made_seconds(&program, &machine), 1.75);
	fathom_replay_program_fini(&program);
}

/* If the machine's broadcast does not synchronise, nobody waits for the members, and the same is so for a reduction. */
static void operations_with_a_root(void **state)
{
	static const enum fathom_collective operations[2] = { FATHOM_COLLECTIVE_BCAST, FATHOM_COLLECTIVE_REDUCE };
	static const double loose[2][3] = { { 1, 1, 3 }, { 3, 1, 3 } };

	(void)state;
	for (int o = 0; o < 2; o++) {
		struct fathom_machine machine = made_machine(0, 0);
		struct fathom_replay_program program = made_program(3, 1);

		for (uint32_t task = 0; task < 3; task++) {
			made_burst(&program, task, task == 2 ? 3 : 1, 0);
			made_collective(&program, task, operations[o], 8, 0);
		}
		NEAR(made_seconds(&program, &machine), 3);
		for (int is_loose = 0; is_loose < 2; is_loose++) {
			struct fathom_replay_result result;

			if (is_loose)
				machine.collectives[operations[o]].order = o ? FATHOM_ORDER_TO_ROOT : FATHOM_ORDER_FROM_ROOT;
			result = made_replay(&program, &machine);
			for (int task = 0; task < 3; task++)
				NEAR(result.tasks[task].end, is_loose ? loose[o][task] : 3);
			fathom_replay_result_fini(&result, 3);
		}
		fathom_replay_program_fini(&program);
	}
}

/* Two messages of .01 s to one node at the same time: one after the other if the node has one link, or the network one
 * bus; at the same time otherwise. */
static void links_and_buses(void **state)
{
	struct fathom_replay_program program = made_program(3, 1);
	struct fathom_machine machine = made_machine(1e-3, 1e6);
	struct fathom_replay_result result;

	(void)state;
	made_send(&program, 0, 2, 10000, FATHOM_REPLAY_STANDARD, true);
	made_send(&program, 1, 2, 10000, FATHOM_REPLAY_STANDARD, true);
	made_receive(&program, 2, 0);
	made_burst(&program, 2, 0, 0);
	made_receive(&program, 2, 1);
	NEAR(made_seconds(&program, &machine), .011);
	machine.between.out_links = 1;
	NEAR(made_seconds(&program, &machine), .011);
	machine.between.in_links = 1;
	result = made_replay(&program, &machine);
	NEAR(result.seconds, .021);
	fathom_replay_result_fini(&result, 3);
	machine.between.in_links = 0;
	machine.between.buses = 1;
	NEAR(made_seconds(&program, &machine), .021);
	machine.between.buses = 2;
	NEAR(made_seconds(&program, &machine), .011);
	fathom_replay_program_fini(&program);
}

/* Two nodes send each other .01 s at the same time: at once if the links are full duplex, else one after the other. With
 * two half-duplex links, at once again. A third message, from a third node to the first one, waits for a link of it. */
static void half_duplex(void **state)
{
	struct fathom_replay_program program = made_program(3, 1);
	struct fathom_machine machine = made_machine(1e-3, 1e6);

	(void)state;
	made_send(&program, 0, 1, 10000, FATHOM_REPLAY_STANDARD, true);
	made_send(&program, 1, 0, 10000, FATHOM_REPLAY_STANDARD, true);
	made_receive(&program, 0, 1);
	made_receive(&program, 1, 0);
	machine.between.in_links = machine.between.out_links = 1;
	NEAR(made_seconds(&program, &machine), .011);
	machine.between.is_half_duplex = true;
	NEAR(made_seconds(&program, &machine), .021);
	machine.between.in_links = 2;
	NEAR(made_seconds(&program, &machine), .011);
	fathom_replay_program_fini(&program);
	program = made_program(3, 1);
	made_send(&program, 0, 1, 10000, FATHOM_REPLAY_STANDARD, true);
	made_send(&program, 1, 0, 10000, FATHOM_REPLAY_STANDARD, true);
	made_send(&program, 2, 0, 10000, FATHOM_REPLAY_STANDARD, true);
	made_receive(&program, 0, 1);
	made_burst(&program, 0, 0, 0);
	made_receive(&program, 0, 2);
	made_receive(&program, 1, 0);
	NEAR(made_seconds(&program, &machine), .021);
	machine.between.in_links = 1;
	NEAR(made_seconds(&program, &machine), .031);
	fathom_replay_program_fini(&program);
}

/* Inside of a node, a message takes one half-duplex link. */
static void half_duplex_inside(void **state)
{
	struct fathom_replay_program program = made_program(2, 2);
	struct fathom_machine machine = made_machine(1e-3, 1e6);

	(void)state;
	made_send(&program, 0, 1, 10000, FATHOM_REPLAY_STANDARD, true);
	made_send(&program, 1, 0, 10000, FATHOM_REPLAY_STANDARD, true);
	made_receive(&program, 0, 1);
	made_receive(&program, 1, 0);
	machine.inside.is_half_duplex = true;
	NEAR(made_seconds(&program, &machine), .011);
	machine.inside.in_links = 1;
	NEAR(made_seconds(&program, &machine), .021);
	machine.inside.in_links = 2;
	NEAR(made_seconds(&program, &machine), .011);
	fathom_replay_program_fini(&program);
}

/* Four tasks, each with two bursts of .5 s, on a node of so many processors. */
static void processors(void **state)
{
	static const double seconds[5] = { 1, 4, 2, 1.5, 1 };

	(void)state;
	for (uint32_t cpus = 0; cpus <= 4; cpus++) {
		struct fathom_machine machine = made_machine(0, 0);
		struct fathom_replay_program program = made_program(4, 4);

		machine.cpus = cpus;
		for (uint32_t task = 0; task < 4; task++) {
			made_burst(&program, task, .5, 0);
			made_burst(&program, task, .5, 0);
		}
		NEAR(made_seconds(&program, &machine), seconds[cpus]);
		fathom_replay_program_fini(&program);
	}
}

/* Two tasks and ten iterations of 3 s and 1 s with a barrier. */
static void changed_computation(void **state)
{
	struct fathom_replay_program program = made_program(2, 1);
	struct fathom_machine machine = made_machine(0, 0);
	const double twice[2] = { 1, 2 }, task_speed[2] = { 3, 1 };
	struct fathom_replay replay = { .program = &program, .machine = &machine };
	struct fathom_replay_result result;
	struct fathom_balance balance;

	(void)state;
	for (int i = 0; i < 10; i++) {
		for (uint32_t task = 0; task < 2; task++) {
			made_burst(&program, task, task ? 1 : 3, 1);
			made_collective(&program, task, FATHOM_COLLECTIVE_BARRIER, 0, NONE);
		}
	}
	NEAR(made_seconds(&program, &machine), 30);
	replay.group_speed = twice;
	assert_int_equal(fathom_replay_run(&replay, &result), 0);
	NEAR(result.seconds, 15);
	fathom_replay_result_fini(&result, 2);
	replay.group_speed = NULL;
	replay.task_speed = task_speed;
	assert_int_equal(fathom_replay_run(&replay, &result), 0);
	NEAR(result.seconds, 10);
	fathom_replay_result_fini(&result, 2);
	replay.task_speed = NULL;
	assert_int_equal(fathom_balance_init(&balance, &program, NULL, NULL), 0);
	replay.balance = &balance;
	assert_int_equal(fathom_replay_run(&replay, &result), 0);
	NEAR(result.seconds, 20);
	NEAR(result.tasks[0].burst_seconds, 20);
	fathom_replay_result_fini(&result, 2);
	fathom_balance_fini(&balance);
	fathom_replay_program_fini(&program);
}

/* Both send first: this ends only if messages are buffered. */
static void deadlock_is_named(void **state)
{
	struct fathom_replay_program program = made_program(2, 1);
	struct fathom_machine machine = made_machine(0, 0);
	struct fathom_replay replay = { .program = &program, .machine = &machine };
	struct fathom_replay_result result;

	(void)state;
	for (uint32_t task = 0; task < 2; task++) {
		made_send(&program, task, 1 - task, 100, FATHOM_REPLAY_STANDARD, true);
		made_receive(&program, task, 1 - task);
	}
	NEAR(made_seconds(&program, &machine), 0);
	machine.eager_limit = 99;
	assert_int_equal(fathom_replay_run(&replay, &result), -EDEADLK);
	assert_int_equal(result.stuck_tasks, 2);
	assert_int_equal(result.stuck_task, 0);
	assert_int_equal(result.stuck_record, 1);
	fathom_replay_result_fini(&result, 2);
	fathom_replay_program_fini(&program);
}

/* Operations whose other ends are missing are left out, and nobody waits for them. */
static void missing_ends(void **state)
{
	struct fathom_replay_program program = made_program(2, 1);
	struct fathom_machine machine = made_machine(0, 0);

	(void)state;
	machine.eager_limit = 0;
	made_send(&program, 0, 1, 100, FATHOM_REPLAY_STANDARD, true);
	made_send(&program, 0, 1, 100, FATHOM_REPLAY_STANDARD, true);
	made_receive(&program, 1, 0);
	made_collective(&program, 0, FATHOM_COLLECTIVE_BARRIER, 0, NONE);
	made_receive(&program, 0, 1);
	fathom_replay_add_receive(&program, 0, 2, 7);
	made_burst(&program, 1, 1, 0);
	NEAR(made_seconds(&program, &machine), 1);
	assert_int_equal(program.lost_sends, 1);
	assert_int_equal(program.lost_receives, 1);
	assert_int_equal(program.lost_collectives, 1);
	fathom_replay_program_fini(&program);
}

/* Each moment of the measured run has its moment in the replay, and both only go forward. */
static void points(void **state)
{
	struct fathom_replay_program program = made_program(2, 1);
	struct fathom_machine machine = made_machine(.5, 0);
	struct fathom_replay replay = { .program = &program, .machine = &machine, .wants_points = true };
	struct fathom_replay_result result;

	(void)state;
	made_burst(&program, 0, 2, 0);
	made_send(&program, 0, 1, 8, FATHOM_REPLAY_STANDARD, true);
	made_burst(&program, 1, 1, 0);
	made_receive(&program, 1, 0);
	made_burst(&program, 1, 1, 0);
	assert_int_equal(fathom_replay_program_finish(&program), 0);
	assert_int_equal(fathom_replay_run(&replay, &result), 0);
	for (int task = 0; task < 2; task++) {
		const struct fathom_replay_points *of = &result.points[task];

		for (size_t i = 1; i < of->count; i++) {
			assert_true(of->points[i].measured >= of->points[i - 1].measured);
			assert_true(of->points[i].replayed >= of->points[i - 1].replayed);
		}
	}
	assert_int_equal(result.points[1].count, 6);
	NEAR(result.points[1].points[2].replayed, 1);	/* the receive is posted, and ends */
	NEAR(result.points[1].points[3].replayed, 2.5);
	NEAR(result.points[1].points[5].replayed, 3.5);
	fathom_replay_result_fini(&result, 2);
	fathom_replay_program_fini(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_takes_latency_and_size_by_bandwidth),
		cmocka_unit_test(rendezvous),
		cmocka_unit_test(immediate_operations_wait_in_their_wait_only),
		cmocka_unit_test(ping_pong),
		cmocka_unit_test(pipeline),
		cmocka_unit_test(collective_operations),
		cmocka_unit_test(operations_with_a_root),
		cmocka_unit_test(links_and_buses),
		cmocka_unit_test(half_duplex),
		cmocka_unit_test(half_duplex_inside),
		cmocka_unit_test(processors),
		cmocka_unit_test(changed_computation),
		cmocka_unit_test(deadlock_is_named),
		cmocka_unit_test(missing_ends),
		cmocka_unit_test(points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
