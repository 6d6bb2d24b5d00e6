/*
 * replay: repeats a program (replay_program.h) on a model of a machine (machine.h) and says how long it takes there.
 *
 * Bursts take their measured time divided by a speed. Operations wait for each other as in MPI, and their transfers
 * take the time of the model, whatever they took in the measured run. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_REPLAY_H
#define FATHOM_REPLAY_REPLAY_H

#include "replay/balance.h"
#include "replay/machine.h"
#include "replay/replay_program.h"

/* What is to be replayed, and how. */
struct fathom_replay {
	const struct fathom_replay_program *program;
	const struct fathom_machine *machine;
	const double *task_speed;	/* by task; NULL: 1. A speed of 0 means that bursts take no time */
	const double *group_speed;	/* by group; NULL: 1 */
	const struct fathom_balance *balance;	/* NULL: computation stays where it is */
	double measured_slice;		/* seconds: slices of tasks that shared processors in the measured run; their
					 * times outside of operations contain slices of other tasks. 0: they did not */
	bool wants_waits;		/* waits and transfers of the result by call path */
	bool wants_points;		/* points of the result */
};

struct fathom_replay_task_result {
	double begin, end;		/* seconds from the begin of the run */
	double burst_seconds, local_seconds;
	double start_seconds;		/* the part of local_seconds in calls that start or end MPI */
	double wait_seconds;		/* waiting until the other tasks of an operation are ready */
	double transfer_seconds;	/* the rest of the time in operations: what the machine takes */
};

struct fathom_replay_point {		/* the moment of the replay at which a moment of the measured run comes */
	uint64_t measured;		/* ticks */
	double replayed;		/* seconds from the begin of the run */
};

struct fathom_replay_points {		/* of a task, in order */
	struct fathom_replay_point *points;
	size_t count, room;
};

struct fathom_replay_result {
	double seconds;			/* when the last task ends */
	double start_seconds;		/* the longest time of a task in calls that start or end MPI */
	struct fathom_replay_task_result *tasks;
	double *waits, *transfers;	/* [task x path_count + call path], seconds; NULL unless wanted */
	struct fathom_replay_points *points;	/* by task; NULL unless wanted */
	uint32_t stuck_tasks;		/* of a replay that cannot end: number of tasks that wait for ever, */
	uint32_t stuck_task;		/* one of them, */
	size_t stuck_record;		/* and the number of its record that never ends */
};

/* Replays. 0; -ENOMEM; -EDEADLK: tasks wait for each other for ever, see result. The caller frees the result after
 * success and after -EDEADLK. */
int fathom_replay_run(const struct fathom_replay *replay, struct fathom_replay_result *result);
void fathom_replay_result_fini(struct fathom_replay_result *result, uint32_t task_count);

#endif
