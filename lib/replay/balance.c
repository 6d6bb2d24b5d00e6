#include "replay/balance.h"

#include <errno.h>
#include <stdlib.h>

bool fathom_balance_ends_phase(const struct fathom_replay_program *program, const struct fathom_replay_record *record)
{
	const struct fathom_replay_participation *part;

	if (record->kind != FATHOM_REPLAY_COLLECTIVE)
		return false;
	part = &program->participations[record->value];
	return part->instance != FATHOM_REPLAY_NONE && program->comms[part->comm].size == program->task_count;
}

static size_t count_phases(const struct fathom_replay_program *program, const struct fathom_replay_task *task)
{
	size_t count = 1;

	for (size_t i = 0; i < task->count; i++)
		count += fathom_balance_ends_phase(program, &task->records[i]);
	return count;
}

/* Adds the time of the bursts of a task to its phases. */
static void add_up(const struct fathom_replay_program *program, uint32_t task, double task_speed,
		   const double *group_speed, double *ticks)
{
	const struct fathom_replay_task *is = &program->tasks[task];
	size_t phase = 0;

	for (size_t i = 0; i < is->count; i++) {
		const struct fathom_replay_record *record = &is->records[i];
		double speed = task_speed * (group_speed ? group_speed[record->group] : 1);

		if (record->kind == FATHOM_REPLAY_BURST && speed > 0)
			ticks[phase] += (double)record->value / speed;
		phase += fathom_balance_ends_phase(program, record);
	}
}

int fathom_balance_init(struct fathom_balance *balance, const struct fathom_replay_program *program,
			const double *task_speed, const double *group_speed)
{
	size_t phases = 1, p;
	uint32_t t;

	for (t = 0; t < program->task_count; t++) {
		size_t count = count_phases(program, &program->tasks[t]);

		phases = count > phases ? count : phases;
	}
	*balance = (struct fathom_balance){ phases, calloc(phases * (program->task_count + 1), sizeof(double)) };
	if (!balance->scale)
		return -ENOMEM;
	for (t = 0; t < program->task_count; t++)
		add_up(program, t, task_speed ? task_speed[t] : 1, group_speed, balance->scale + phases * t);
	for (p = 0; p < phases; p++) {
		double sum = 0;
		uint32_t sharers = 0;

		for (t = 0; t < program->task_count; t++) {
			sum += balance->scale[phases * t + p];
			sharers += balance->scale[phases * t + p] > 0;
		}
		for (t = 0; t < program->task_count; t++) {
			double *cell = &balance->scale[phases * t + p];

			*cell = *cell > 0 ? sum / sharers / *cell : 1;
		}
	}
	return 0;
}

void fathom_balance_fini(struct fathom_balance *balance)
{
	free(balance->scale);
	*balance = (struct fathom_balance){ 0 };
}
