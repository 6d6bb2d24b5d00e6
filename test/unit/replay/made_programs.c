#include "made_programs.h"

struct fathom_replay_program made_program(uint32_t tasks, uint32_t tasks_a_node)
{
	struct fathom_replay_program program;
	uint32_t members[64];

	assert_true(tasks <= 64);
	assert_int_equal(fathom_replay_program_init(&program, tasks, 1e-9), 0);
	for (uint32_t i = 0; i < tasks; i++) {
		members[i] = i;
		program.tasks[i].node = i / tasks_a_node;
	}
	fathom_replay_set_comm(&program, 0, members, tasks);
	return program;
}

/* The measured time of the next record: nothing that is replayed depends on it, so records just follow each other. */
static uint64_t next_time(const struct fathom_replay_program *program, uint32_t task)
{
	const struct fathom_replay_task *is = &program->tasks[task];
	const struct fathom_replay_record *last;

	if (is->count == 0)
		return 0;
	last = &is->records[is->count - 1];
	return last->time + (last->kind == FATHOM_REPLAY_BURST ? last->value : 1000);
}

void made_burst(struct fathom_replay_program *program, uint32_t task, double seconds, uint16_t group)
{
	fathom_replay_add_time(program, task, (struct fathom_replay_record){
		.kind = FATHOM_REPLAY_BURST, .time = next_time(program, task), .value = (uint64_t)llround(seconds * 1e9),
		.group = group });
}

uint32_t made_send(struct fathom_replay_program *program, uint32_t from, uint32_t to, uint64_t bytes,
		   enum fathom_replay_mode mode, bool is_blocking)
{
	struct fathom_replay_channel channel = { .source = from, .destination = to };
	uint32_t number = fathom_replay_add_send(program, 1, next_time(program, from), channel, bytes, mode);

	if (is_blocking)
		fathom_replay_add_wait(program, from, FATHOM_REPLAY_WAIT_SEND, 1, next_time(program, from), number);
	return number;
}

uint32_t made_post(struct fathom_replay_program *program, uint32_t to, uint32_t from)
{
	uint32_t number = fathom_replay_add_receive(program, to, 2, next_time(program, to));
	struct fathom_replay_channel channel = { .source = from, .destination = to };

	fathom_replay_complete_receive(program, number, channel);
	return number;
}

void made_wait_receive(struct fathom_replay_program *program, uint32_t task, uint32_t receive)
{
	fathom_replay_add_wait(program, task, FATHOM_REPLAY_WAIT_RECEIVE, 2, next_time(program, task), receive);
}

void made_receive(struct fathom_replay_program *program, uint32_t to, uint32_t from)
{
	made_wait_receive(program, to, made_post(program, to, from));
}

void made_collective(struct fathom_replay_program *program, uint32_t task, enum fathom_collective operation,
		     uint64_t bytes, uint32_t root)
{
	uint32_t number = fathom_replay_add_collective(program, task, 3, next_time(program, task));

	fathom_replay_complete_collective(program, number, (struct fathom_replay_participation){
		.sent = bytes, .received = bytes, .root = root, .operation = (uint8_t)operation });
	fathom_replay_add_wait(program, task, FATHOM_REPLAY_WAIT_COLLECTIVE, 3, next_time(program, task), number);
}

struct fathom_replay_result made_replay(struct fathom_replay_program *program, const struct fathom_machine *machine)
{
	struct fathom_replay replay = { .program = program, .machine = machine, .wants_waits = true };
	struct fathom_replay_result result;

	if (program->node_count == 0)
		assert_int_equal(fathom_replay_program_finish(program), 0);
	assert_int_equal(fathom_replay_run(&replay, &result), 0);
	return result;
}

double made_seconds(struct fathom_replay_program *program, const struct fathom_machine *machine)
{
	struct fathom_replay_result result = made_replay(program, machine);
	double seconds = result.seconds;

	fathom_replay_result_fini(&result, program->task_count);
	return seconds;
}

struct fathom_machine made_machine(double latency, double bandwidth)
{
	struct fathom_machine machine;

	fathom_machine_init(&machine);
	machine.inside.latency = machine.between.latency = latency;
	machine.inside.bandwidth = machine.between.bandwidth = bandwidth;
	return machine;
}
