/*
 * balance: how the computation of a program would be distributed evenly over its tasks.
 *
 * Between two collective operations of all tasks, which are the borders of phases, every task then computes for the
 * mean of the tasks. The sum of the computation stays what it was. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_BALANCE_H
#define FATHOM_REPLAY_BALANCE_H

#include "replay/replay_program.h"

struct fathom_balance {
	size_t phases;		/* the largest number of phases of a task */
	double *scale;		/* [task x phases + phase]: factor of the time of its bursts */
};

/* Computes the factors for a finished program. The speeds are those of the replay (replay.h); either may be NULL. A
 * task without a burst in a phase cannot compute anything there; the others then share what the phase has. 0 or
 * -ENOMEM. */
int fathom_balance_init(struct fathom_balance *balance, const struct fathom_replay_program *program,
			const double *task_speed, const double *group_speed);
void fathom_balance_fini(struct fathom_balance *balance);

/* Returns whether a phase ends with a record: all tasks take part in its operation. */
bool fathom_balance_ends_phase(const struct fathom_replay_program *program, const struct fathom_replay_record *record);

#endif
