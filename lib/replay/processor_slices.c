#include "replay/processor_slices.h"

#include <math.h>
#include <stdlib.h>

/* Returns the number of the task among the tasks of its node, and the number of tasks of the node. */
static uint32_t place_in_node(const struct fathom_replay_program *program, uint32_t task, uint32_t *count)
{
	uint32_t place = 0;

	*count = 0;
	for (uint32_t i = 0; i < program->task_count; i++) {
		if (program->tasks[i].node != program->tasks[task].node)
			continue;
		place += i < task;
		++*count;
	}
	return place;
}

/* Returns the length of the slices of a processor: the lengths differ by up to a tenth, in no simple ratios. */
static double slice_length(double mean, uint32_t processor)
{
	double part = (processor + 1) * 0.6180339887498949;	/* golden ratio: spreads the parts evenly */

	return mean * (0.95 + 0.1 * (part - floor(part)));
}

struct fathom_task_slices *fathom_slices_create(const struct fathom_replay_program *program,
					      const struct fathom_machine *machine)
{
	struct fathom_task_slices *slices = calloc((size_t)program->task_count + 1, sizeof(*slices));

	for (uint32_t t = 0; slices && machine->cpus && machine->slice_seconds > 0 && t < program->task_count; t++) {
		uint32_t count, place = place_in_node(program, t, &count);
		uint32_t processor = place % machine->cpus;
		uint32_t sharers = (count - processor + machine->cpus - 1) / machine->cpus;

		if (sharers < 2)
			continue;
		slices[t].length = slice_length(machine->slice_seconds, processor);
		slices[t].period = sharers * slices[t].length;
		slices[t].offset = place / machine->cpus * slices[t].length;
	}
	return slices;
}

/* Returns the time since the begin of the slice of the task that began last. */
static double since_slice(const struct fathom_task_slices *slices, double time)
{
	double since = fmod(time - slices->offset, slices->period);

	return since < 0 ? since + slices->period : since;
}

double fathom_slices_next(const struct fathom_task_slices *slices, double time)
{
	double since;

	if (slices->period <= 0)
		return time;
	since = since_slice(slices, time);
	return since < slices->length ? time : time + (slices->period - since);
}

double fathom_slices_run(const struct fathom_task_slices *slices, double time, double seconds)
{
	double since, left, whole;

	if (slices->period <= 0)
		return time + seconds;
	if (seconds <= 0)
		return time;
	since = since_slice(slices, time);
	if (since >= slices->length) {
		time += slices->period - since;
		since = 0;
	}
	left = slices->length - since;
	if (seconds <= left)
		return time + seconds;
	seconds -= left;
	whole = ceil(seconds / slices->length) - 1;	/* whole slices before the last one */
	return time + left + (slices->period - slices->length) + whole * slices->period +
	       (seconds - whole * slices->length);
}

double fathom_slices_processor_time(double measured, double slice, double tasks)
{
	double away = slice * (tasks - 1), interruptions;

	if (slice <= 0 || tasks <= 1 || measured < away)
		return measured;
	interruptions = floor(measured / (slice + away) + .5);
	if (interruptions < 1)
		interruptions = 1;
	measured -= interruptions * away;
	return measured > 0 ? measured : 0;
}

void fathom_slices_set_measured(struct fathom_replay_program *program, uint32_t processors)
{
	for (uint32_t t = 0; t < program->task_count; t++) {
		uint32_t count;

		place_in_node(program, t, &count);
		program->tasks[t].sharers = processors && count > processors ? (double)count / processors : 1;
	}
}

bool fathom_slices_are_measured(const struct fathom_replay_program *program)
{
	for (uint32_t t = 0; t < program->task_count; t++)
		if (program->tasks[t].sharers > 1)
			return true;
	return false;
}
