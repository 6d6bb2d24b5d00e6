/*
 * processor_slices: tasks of a node that share its processors in time slices.
 *
 * MPI libraries wait in a loop that asks again and again whether a message has arrived. A task that waits in this way
 * keeps its processor until the scheduler of the operating system gives the processor to another task. If a node has
 * more tasks than processors, each processor has some of the tasks, and each of these gets the processor for a
 * time slice, one after the other, whether it computes or waits. A wait ends in a slice of the waiting task only.
 *
 * The slices of different processors are not equally long, so that each task sometimes runs together with each task of
 * other processors. Times are in seconds. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_PROCESSOR_SLICES_H
#define FATHOM_REPLAY_PROCESSOR_SLICES_H

#include "replay/machine.h"
#include "replay/replay_program.h"

/* The task has its processor from offset + n x period on, for length, for all whole n. */
struct fathom_task_slices {
	double offset, length;
	double period;		/* 0: the task always has a processor */
};

/* Finds the time slices of all tasks of a program on a machine. NULL: no memory. The caller frees the array. */
struct fathom_task_slices *fathom_slices_create(const struct fathom_replay_program *program,
					      const struct fathom_machine *machine);

/* Returns the earliest time, from the given one on, at which the task has a processor. */
double fathom_slices_next(const struct fathom_task_slices *slices, double time);

/* Returns the time at which the task has used a processor for so many seconds since the given time. */
double fathom_slices_run(const struct fathom_task_slices *slices, double time, double seconds);

/* Estimates the processor time in a measured time of a task without MPI. slice: the length of the slices of the
 * measured run; tasks: number of tasks that shared a processor. A time that is shorter than the slices of the other
 * tasks had no interruption; other times contain as many interruptions as fit best. */
double fathom_slices_processor_time(double measured, double slice, double tasks);

/* Notes for all tasks how many tasks shared a processor in the measured run, whose nodes had so many processors. 0: the
 * number is unknown, and each task counts as having had one. */
void fathom_slices_set_measured(struct fathom_replay_program *program, uint32_t processors);

/* Returns whether tasks shared a processor in the measured run. */
bool fathom_slices_are_measured(const struct fathom_replay_program *program);

#endif
