#include "tools/whatif/study.h"

#include <errno.h>
#include <string.h>
#include <stdlib.h>

#include "replay/processor_slices.h"
#include "replay/slice_length.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/whatif/call_state.h"

/* --- one run --- */

static void set_efficiency(struct fathom_study_run *run, const double *computation, uint32_t tasks)
{
	double sum = 0, most = 0, seconds = run->seconds - run->start_seconds;
	double ideal = run->ideal_seconds < 0 ? -1 : run->ideal_seconds - run->start_seconds;
	struct fathom_study_efficiency *efficiency = &run->efficiency;

	for (uint32_t i = 0; i < tasks; i++) {
		sum += computation[i];
		most = computation[i] > most ? computation[i] : most;
	}
	*efficiency = (struct fathom_study_efficiency){ .serialisation = -1, .transfer = -1 };
	if (tasks == 0 || most <= 0 || seconds <= 0)
		return;
	efficiency->balance = sum / tasks / most;
	efficiency->communication = most / seconds;
	efficiency->parallel = sum / tasks / seconds;
	if (ideal > 0) {
		efficiency->serialisation = most / ideal;
		efficiency->transfer = ideal / seconds;
	}
}

/* Says why a replay ends early: its tasks wait for each other. */
static void say_stuck(const struct fathom_study *study, const struct fathom_replay_result *result)
{
	const struct fathom_replay_task *task = &study->made->program.tasks[result->stuck_task];
	char path[512];

	fathom_trace_program_path(study->made, task->records[result->stuck_record].call_path, path, sizeof(path));
	fathom_tool_error("%s: on this machine the program would not end: %u processes wait for each other, process %u "
			  "in %s (a larger --eager helps if it sends before it receives)", study->made->source,
			  result->stuck_tasks, result->stuck_task, path);
}

static int replay(struct fathom_study *study, const struct fathom_replay *replay, struct fathom_replay_result *result)
{
	int err = fathom_replay_run(replay, result);

	if (err == -EDEADLK) {
		say_stuck(study, result);
		fathom_replay_result_fini(result, study->made->program.task_count);
	} else if (err) {
		fathom_tool_error("%s: %s", study->made->source, strerror(-err));
	}
	return err;
}

/* Replays on a machine and, for the efficiencies, on the same one with an ideal network. */
static int replay_run(struct fathom_study *study, struct fathom_replay how, struct fathom_study_run *run)
{
	const struct fathom_replay_program *program = &study->made->program;
	struct fathom_machine ideal;
	struct fathom_replay_result result;
	double *computation;
	int err = replay(study, &how, &run->result);

	if (err)
		return err;
	run->seconds = run->result.seconds;
	run->start_seconds = run->result.start_seconds;
	fathom_machine_init_ideal(&ideal);
	ideal.cpus = how.machine->cpus;
	ideal.slice_seconds = how.machine->slice_seconds;
	ideal.cpu_ratio = how.machine->cpu_ratio;
	ideal.eager_limit = how.machine->eager_limit;
	for (int o = 0; o < FATHOM_COLLECTIVES; o++)
		ideal.collectives[o].order = how.machine->collectives[o].order;
	how.machine = &ideal;
	how.wants_waits = how.wants_points = false;
	err = replay(study, &how, &result);
	if (err)
		return err;
	run->ideal_seconds = result.seconds;
	fathom_replay_result_fini(&result, program->task_count);
	computation = fathom_tool_alloc(program->task_count + 1, sizeof(*computation));
	for (uint32_t i = 0; i < program->task_count; i++)
		computation[i] = run->result.tasks[i].burst_seconds;
	set_efficiency(run, computation, program->task_count);
	free(computation);
	return 0;
}

/* Adds up the measured run. */
static void measure(struct fathom_study *study)
{
	const struct fathom_replay_program *program = &study->made->program;
	struct fathom_study_run *run = &study->measured;
	double *computation = fathom_tool_alloc(program->task_count + 1, sizeof(*computation));

	run->seconds = fathom_replay_seconds(program, program->end - program->begin);
	run->ideal_seconds = -1;
	for (uint32_t t = 0; t < program->task_count; t++) {
		double start = 0;

		for (size_t i = 0; i < program->tasks[t].count; i++) {
			const struct fathom_replay_record *record = &program->tasks[t].records[i];

			if (record->kind == FATHOM_REPLAY_BURST)
				computation[t] += fathom_replay_seconds(program, record->value);
			if (record->is_start)
				start += fathom_replay_seconds(program, record->value);
		}
		run->start_seconds = start > run->start_seconds ? start : run->start_seconds;
	}
	set_efficiency(run, computation, program->task_count);
	free(computation);
}

/* --- the prediction --- */

static int set_speeds(struct fathom_study *study)
{
	const struct fathom_whatif_options *options = study->options;
	const struct fathom_replay_program *program = &study->made->program;
	size_t i;

	for (i = 0; i < options->rules.count; i++) {
		if (!options->rules.rules[i].is_used) {
			fathom_tool_error("--faster %s: no %s of %s has this %s", options->rules.rules[i].name,
					  options->rules.rules[i].kind ? "burst in the threads that call MPI" :
					  "region", study->made->source,
					  options->rules.rules[i].kind ? "kind" : "name");
			return -ENOENT;
		}
	}
	study->group_speed = fathom_tool_alloc(options->rules.count + 1, sizeof(double));
	study->group_speed[0] = 1;
	for (i = 0; i < options->rules.count; i++)
		study->group_speed[i + 1] = options->rules.rules[i].factor;
	study->task_speed = fathom_tool_alloc(program->task_count + 1, sizeof(double));
	for (i = 0; i < program->task_count; i++)
		study->task_speed[i] = 1;
	for (i = 0; i < options->speed_count; i++) {
		if (options->speeds[i].rank >= program->task_count) {
			fathom_tool_error("--cpu %u=: %s has the ranks 0 to %u", options->speeds[i].rank,
					  study->made->source, program->task_count - 1);
			return -ERANGE;
		}
		study->task_speed[options->speeds[i].rank] = options->speeds[i].ratio;
	}
	return 0;
}

static int predict(struct fathom_study *study)
{
	const struct fathom_whatif_options *options = study->options;
	struct fathom_replay how = {
		.program = &study->made->program, .machine = &study->machine, .group_speed = study->group_speed,
		.task_speed = study->task_speed, .wants_waits = true, .wants_points = options->output != NULL,
		.measured_slice = study->measured_slice,
	};

	if (options->balance) {
		if (fathom_balance_init(&study->balance, how.program, how.task_speed, how.group_speed))
			fathom_tool_out_of_memory(how.program->task_count * sizeof(double));
		how.balance = &study->balance;
	}
	return replay_run(study, how, &study->predicted);
}

/* --- sweep --- */

static int sweep_one(struct fathom_study *study, double bandwidth, double factor, double *speed_up)
{
	struct fathom_replay_program *program = &study->made->program;
	struct fathom_machine machine = study->machine;
	double *group_speed = fathom_tool_alloc(study->options->rules.count + 1, sizeof(*group_speed));
	struct fathom_replay how = {
		.program = program, .machine = &machine, .group_speed = group_speed, .task_speed = study->task_speed,
		.balance = study->options->balance ? &study->balance : NULL, .measured_slice = study->measured_slice,
	};
	struct fathom_replay_result result;
	int err;

	machine.inside.bandwidth = machine.between.bandwidth = bandwidth;
	group_speed[0] = 1;
	for (size_t i = 1; i <= study->options->rules.count; i++)
		group_speed[i] = factor;
	err = replay(study, &how, &result);
	free(group_speed);
	if (err)
		return err;
	*speed_up = result.seconds > 0 ? study->replayed.seconds / result.seconds : 0;
	fathom_replay_result_fini(&result, program->task_count);
	return 0;
}

static int run_sweep(struct fathom_study *study)
{
	struct fathom_sweep *sweep = &study->sweep;
	const struct fathom_whatif_options *options = study->options;
	size_t room = 0, factor_room = 0, f, b;
	double largest = 1, value;
	int err = 0;

	for (f = 0; f < options->rules.count; f++)
		largest = options->rules.rules[f].factor > largest ? options->rules.rules[f].factor : largest;
	for (value = options->sweep_from; value <= options->sweep_to * 1.000001; value *= 2) {
		sweep->bandwidths = fathom_tool_grow(sweep->bandwidths, sweep->bandwidth_count, &room, sizeof(double));
		sweep->bandwidths[sweep->bandwidth_count++] = value;
	}
	for (value = 1; value <= largest * 1.000001; value *= 2) {
		sweep->factors = fathom_tool_grow(sweep->factors, sweep->factor_count, &factor_room, sizeof(double));
		sweep->factors[sweep->factor_count++] = value;
	}
	sweep->speed_ups = fathom_tool_alloc(sweep->factor_count * sweep->bandwidth_count, sizeof(double));
	fathom_progress_begin("replaying", sweep->factor_count * sweep->bandwidth_count);
	for (f = 0; !err && f < sweep->factor_count; f++)
		for (b = 0; !err && b < sweep->bandwidth_count; b++) {
			err = sweep_one(study, sweep->bandwidths[b], sweep->factors[f],
					&sweep->speed_ups[f * sweep->bandwidth_count + b]);
			fathom_progress_step();
		}
	fathom_progress_end();
	return err;
}

/* --- all --- */

/* Puts the tasks on nodes in their order. The communicators' nodes are counted anew. */
static void place_tasks(struct fathom_replay_program *program, uint32_t tasks_a_node)
{
	for (uint32_t i = 0; i < program->task_count; i++)
		program->tasks[i].node = i / tasks_a_node;
	if (fathom_replay_program_count_nodes(program))
		fathom_tool_out_of_memory(program->task_count * sizeof(uint32_t));
}

/* Removes the eager limit that was estimated if the program would not end with it: the measured run did end. */
static void check_eager_limit(struct fathom_study *study)
{
	struct fathom_replay how = { .program = &study->made->program, .machine = &study->measured_machine };
	struct fathom_replay_result result;
	int err;

	if (study->measured_machine.eager_limit == UINT64_MAX)
		return;
	err = fathom_replay_run(&how, &result);
	if (err == -EDEADLK)
		study->measured_machine.eager_limit = UINT64_MAX;
	if (err == 0 || err == -EDEADLK)
		fathom_replay_result_fini(&result, how.program->task_count);
}

/* Returns the number of processors that a node of the measured run had; 0: unknown. */
static uint32_t processors_of_run(const struct fathom_study *study)
{
	const char *text;
	double count;

	if (study->options->processors > 0)
		return (uint32_t)study->options->processors;
	text = study->made->trace ? fathom_otf2_property(study->made->trace, "FATHOM::PROCESSORS") : NULL;
	count = text && study->made->program.node_count ? atof(text) / study->made->program.node_count : 0;
	return count >= 1 && count < INT32_MAX ? (uint32_t)count : 0;
}

/* Returns how many threads with records the node has that has most of them. */
static uint32_t most_threads(const struct fathom_trace_program *made)
{
	const struct fathom_replay_program *program = &made->program;
	uint32_t *counts = fathom_tool_alloc((size_t)program->node_count + 1, sizeof(*counts)), most = 0;

	for (uint32_t l = 0; l < made->location_count; l++) {
		uint32_t process = made->locations[l].process, *count;

		if (!made->locations[l].has_records || process >= program->task_count)
			continue;
		count = &counts[program->tasks[process].node];
		most = ++*count > most ? *count : most;
	}
	free(counts);
	return most;
}

/* Finds out whether processes shared processors in the measured run and, if so, how long their slices were. The
 * measured run and the machine, except for its processors, are known. */
static void find_slices(struct fathom_study *study)
{
	const struct fathom_replay_program *program = &study->made->program;
	double seconds = study->measured.seconds - study->measured.start_seconds;
	int err;

	if (!fathom_slices_are_measured(program))
		return;
	study->measured_machine.cpus = study->processors;
	err = fathom_slice_length_fit(program, &study->measured_machine, seconds);
	if (err == -ENOMEM)
		fathom_tool_out_of_memory(program->task_count * sizeof(*program->tasks));
	if (err || study->measured_machine.slice_seconds <= 0) {
		study->measured_machine.cpus = 0;
		study->measured_machine.slice_seconds = 0;
	}
	study->measured_slice = study->measured_machine.slice_seconds;
}

/* Sets the machine of the run: estimates it from the times of a trace. Other programs have no times, and run on the
 * given machine or on one without a network. */
static void set_machine(struct fathom_study *study, const struct fathom_machine *machine)
{
	struct fathom_replay_program *program = &study->made->program;

	if (!study->made->trace && machine)
		study->measured_machine = *machine;
	else if (!study->made->trace)
		fathom_machine_init(&study->measured_machine);
	else if (fathom_calibrate(program, study->processors, &study->measured_machine, &study->calibration))
		fathom_tool_out_of_memory(program->message_count * sizeof(*program->messages));
	if (study->made->trace)
		check_eager_limit(study);
}

int fathom_study_run(struct fathom_study *study, struct fathom_trace_program *made,
		     const struct fathom_whatif_options *options, const struct fathom_machine *machine)
{
	struct fathom_replay_program *program = &made->program;
	struct fathom_replay how = { .program = program, .machine = &study->measured_machine, .wants_waits = true };
	int err;

	*study = (struct fathom_study){ .options = options, .made = made };
	study->has_prediction = fathom_whatif_options_change(options) || (machine && made->trace);
	how.wants_points = options->output && !study->has_prediction;
	fathom_progress_begin("replaying", 0);
	study->processors = processors_of_run(study);
	study->busy_threads = made->trace ? most_threads(made) : program->task_count;
	fathom_slices_set_measured(program, study->made->trace ? study->processors : 0);
	set_machine(study, machine);
	measure(study);
	if (study->made->trace)
		find_slices(study);
	how.measured_slice = study->measured_slice;
	err = set_speeds(study);
	if (!err)
		err = replay_run(study, how, &study->replayed);
	study->machine = machine ? *machine : study->measured_machine;
	fathom_whatif_options_apply(options, &study->machine);
	if (!err && options->tasks_a_node > 0)
		place_tasks(program, (uint32_t)options->tasks_a_node);
	if (!err && study->has_prediction)
		err = predict(study);
	fathom_progress_end();
	if (!err && options->sweep_from > 0)
		err = run_sweep(study);
	return err;
}

void fathom_study_fini(struct fathom_study *study)
{
	uint32_t tasks = study->made ? study->made->program.task_count : 0;

	fathom_replay_result_fini(&study->replayed.result, tasks);
	fathom_replay_result_fini(&study->predicted.result, tasks);
	fathom_balance_fini(&study->balance);
	free(study->group_speed);
	free(study->task_speed);
	free(study->sweep.bandwidths);
	free(study->sweep.factors);
	free(study->sweep.speed_ups);
}

double fathom_study_error(const struct fathom_study *study)
{
	double measured = study->made->trace ? study->measured.seconds - study->measured.start_seconds : 0;
	double replayed = study->replayed.seconds - study->replayed.start_seconds;

	return measured > 0 ? replayed / measured - 1 : 0;
}

static int compare_waits(const void *a, const void *b)
{
	const struct fathom_study_wait *x = a, *y = b;
	double difference = y->wait_seconds + y->transfer_seconds - x->wait_seconds - x->transfer_seconds;

	if (difference != 0)
		return difference < 0 ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

struct fathom_study_wait *fathom_study_waits(const struct fathom_study *study, size_t *count)
{
	const struct fathom_replay_program *program = &study->made->program;
	const struct fathom_replay_result *before = &study->replayed.result;
	const struct fathom_replay_result *result = study->has_prediction ? &study->predicted.result : before;
	struct fathom_study_wait *waits = fathom_tool_alloc(program->path_count + 1, sizeof(*waits));

	*count = 0;
	for (uint32_t path = 0; path < program->path_count; path++) {
		struct fathom_study_wait wait = { .path = path };

		for (uint32_t t = 0; t < program->task_count; t++) {
			size_t cell = (size_t)t * program->path_count + path;

			wait.wait_seconds += result->waits[cell];
			wait.transfer_seconds += result->transfers[cell];
			wait.before_seconds += before->waits[cell];
			if (result->waits[cell] > wait.rank_seconds) {
				wait.rank_seconds = result->waits[cell];
				wait.rank = t;
			}
		}
		if (wait.wait_seconds > 0 || wait.transfer_seconds > 0 || wait.before_seconds > 0)
			waits[(*count)++] = wait;
	}
	qsort(waits, *count, sizeof(*waits), compare_waits);
	return waits;
}
