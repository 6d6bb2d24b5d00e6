#include "replay/simulation.h"

#include <errno.h>
#include <stdlib.h>

void fathom_simulation_plan(struct fathom_simulation *simulation, double time, enum fathom_simulation_event kind,
			    uint32_t number)
{
	if (!fathom_event_queue_add(&simulation->queue, (struct fathom_queued_event){ time, kind, number }))
		simulation->is_out_of_memory = true;
}

/* --- results --- */

static void note_point(struct fathom_simulation *simulation, uint32_t task, uint64_t measured, double replayed)
{
	struct fathom_replay_points *points;

	if (!simulation->result->points)
		return;
	points = &simulation->result->points[task];
	if (points->count && points->points[points->count - 1].measured > measured)
		return;		/* a receive is posted where its call begins, which an earlier point of the call has */
	if (points->count == points->room) {
		size_t room = points->room ? 2 * points->room : 64;
		void *larger = realloc(points->points, room * sizeof(*points->points));

		if (!larger) {
			simulation->is_out_of_memory = true;
			return;
		}
		points->points = larger;
		points->room = room;
	}
	points->points[points->count++] = (struct fathom_replay_point){ measured, replayed };
}

/* Adds the time of a task in an operation, from since to end, to the results; ready is the time when the others were
 * ready. */
static void note_wait(struct fathom_simulation *simulation, uint32_t task, uint32_t call_path, double since,
		      double ready, double end)
{
	struct fathom_replay_task_result *result = &simulation->result->tasks[task];
	size_t cell = (size_t)task * simulation->program->path_count + call_path;
	double waiting = (ready < end ? ready : end) - since;

	if (waiting < 0)
		waiting = 0;
	result->wait_seconds += waiting;
	result->transfer_seconds += end - since - waiting;
	if (!simulation->result->waits)
		return;
	simulation->result->waits[cell] += waiting;
	simulation->result->transfers[cell] += end - since - waiting;
}

/* --- records --- */

static double seconds_of(const struct fathom_simulation *simulation, uint32_t task,
			 const struct fathom_replay_record *record)
{
	const struct fathom_replay *replay = simulation->replay;
	double seconds = fathom_replay_seconds(simulation->program, record->value);
	double speed = simulation->machine->cpu_ratio;

	if (record->is_start)
		return seconds;
	seconds = fathom_slices_processor_time(seconds, replay->measured_slice,
					      simulation->program->tasks[task].sharers);
	if (replay->task_speed)
		speed *= replay->task_speed[task];
	if (record->kind == FATHOM_REPLAY_BURST && replay->group_speed)
		speed *= replay->group_speed[record->group];
	if (record->kind == FATHOM_REPLAY_BURST && replay->balance)
		seconds *= replay->balance->scale[replay->balance->phases * task + simulation->tasks[task].phase];
	return speed > 0 ? seconds / speed : 0;
}

/* Ends a burst or a local call that began at that time, took so many seconds of a processor, and ended at that time. */
static void end_time(struct fathom_simulation *simulation, uint32_t task, const struct fathom_replay_record *record,
		     double begin, double seconds, double end)
{
	struct fathom_replay_task_result *result = &simulation->result->tasks[task];

	note_point(simulation, task, record->time, begin);
	note_point(simulation, task, record->time + record->value, end);
	if (record->kind == FATHOM_REPLAY_BURST)
		result->burst_seconds += seconds;
	else
		result->local_seconds += seconds;
	if (record->is_start)
		result->start_seconds += seconds;
	simulation->tasks[task].time = end;
	simulation->tasks[task].next++;
}

/* Returns whether bursts wait for a processor of their node in a queue. */
static bool queues_for_processors(const struct fathom_machine *machine)
{
	return machine->cpus && machine->slice_seconds <= 0;
}

/* Gives a processor to the task's burst. False: the task waits for a processor or for the
 * end of the burst. */
static bool take_time(struct fathom_simulation *simulation, uint32_t task, const struct fathom_replay_record *record)
{
	struct fathom_simulated_task *state = &simulation->tasks[task];
	struct fathom_simulated_node *node = &simulation->nodes[simulation->program->tasks[task].node];
	double seconds = seconds_of(simulation, task, record), begin = state->time, end;

	if (!queues_for_processors(simulation->machine)) {
		end = record->is_start ? begin + seconds :
					 fathom_slices_run(&simulation->slices[task], begin, seconds);
		if (simulation->slices[task].period > 0 && !record->is_start)
			note_wait(simulation, task, record->call_path, begin, end - seconds, end - seconds);
		end_time(simulation, task, record, begin, seconds, end);
		return true;
	}
	if (node->busy_cpus < simulation->machine->cpus) {
		node->busy_cpus++;
		fathom_simulation_plan(simulation, state->time + seconds, FATHOM_BURST_ENDS, task);
		return false;
	}
	state->next_waiting = FATHOM_REPLAY_NONE;
	if (node->first_waiting == FATHOM_REPLAY_NONE)
		node->first_waiting = task;
	else
		simulation->tasks[node->last_waiting].next_waiting = task;
	node->last_waiting = task;
	return false;
}

/* Ends a burst of a node with a limited number of processors; the next task in the queue gets the processor. */
static void burst_ends(struct fathom_simulation *simulation, uint32_t task, double time)
{
	const struct fathom_replay_program *program = simulation->program;
	struct fathom_simulated_node *node = &simulation->nodes[program->tasks[task].node];
	const struct fathom_replay_record *record = &program->tasks[task].records[simulation->tasks[task].next];
	double seconds = seconds_of(simulation, task, record);
	uint32_t next = node->first_waiting;

	node->busy_cpus--;
	note_wait(simulation, task, record->call_path, simulation->tasks[task].time, time - seconds, time - seconds);
	end_time(simulation, task, record, time - seconds, seconds, time);
	if (next == FATHOM_REPLAY_NONE)
		return;
	node->first_waiting = simulation->tasks[next].next_waiting;
	record = &program->tasks[next].records[simulation->tasks[next].next];
	node->busy_cpus++;
	fathom_simulation_plan(simulation, time + seconds_of(simulation, next, record), FATHOM_BURST_ENDS, next);
}

static void take_send(struct fathom_simulation *simulation, uint32_t task, const struct fathom_replay_record *record)
{
	struct fathom_simulated_task *state = &simulation->tasks[task];
	uint32_t message = (uint32_t)record->value;
	double busy = fathom_simulation_send_seconds(simulation, message), begin = state->time;

	note_point(simulation, task, record->time, begin);
	fathom_simulation_send(simulation, message, begin);
	state->next++;
	/* The latency of a message that waits for its receive begins when both are there: the wait contains it. */
	if (fathom_simulation_is_rendezvous(simulation, message))
		return;
	state->time = fathom_slices_run(&simulation->slices[task], begin, busy);
	note_wait(simulation, task, record->call_path, begin, begin, state->time);
}

/* Ends the wait of a task. */
static void end_wait(struct fathom_simulation *simulation, uint32_t task, const struct fathom_replay_record *record,
		     double ready, double end)
{
	struct fathom_simulated_task *state = &simulation->tasks[task];

	if (end > state->time) {
		double seen = fathom_slices_next(&simulation->slices[task], end);

		/* Behind the end of the operation, the task waits for its next slice on a processor. */
		note_wait(simulation, task, record->call_path, state->time, ready + (seen - end), seen);
		state->time = seen;
	}
	note_point(simulation, task, record->time, state->time);
	state->next++;
}

static bool take_wait_send(struct fathom_simulation *simulation, uint32_t task,
			   const struct fathom_replay_record *record)
{
	uint32_t message = (uint32_t)record->value;
	struct fathom_simulated_message *state = &simulation->messages[message];

	if (!fathom_simulation_is_rendezvous(simulation, message)) {
		end_wait(simulation, task, record, 0, 0);
		return true;
	}
	if (state->end < 0) {
		state->sender = task;
		return false;
	}
	end_wait(simulation, task, record, state->posted, state->end);
	return true;
}

static bool take_wait_receive(struct fathom_simulation *simulation, uint32_t task,
			      const struct fathom_replay_record *record)
{
	uint32_t message = simulation->program->receives[record->value].message;
	struct fathom_simulated_message *state;

	if (message == FATHOM_REPLAY_NONE) {
		end_wait(simulation, task, record, 0, 0);
		return true;
	}
	state = &simulation->messages[message];
	if (state->end < 0) {
		state->receiver = task;
		return false;
	}
	end_wait(simulation, task, record, state->sent, state->end);
	return true;
}

static bool take_wait_collective(struct fathom_simulation *simulation, uint32_t task,
				 const struct fathom_replay_record *record)
{
	uint32_t participation = (uint32_t)record->value;
	double ready = 0, end = 0;

	if (simulation->program->participations[participation].instance != FATHOM_REPLAY_NONE &&
	    !fathom_simulation_collective_end(simulation, participation, simulation->tasks[task].time, &ready, &end))
		return false;
	end_wait(simulation, task, record, ready, end);
	return true;
}

static void take_post(struct fathom_simulation *simulation, uint32_t task, const struct fathom_replay_record *record)
{
	struct fathom_simulated_task *state = &simulation->tasks[task];
	uint32_t number = (uint32_t)record->value, message;

	note_point(simulation, task, record->time, state->time);
	state->next++;
	state->phase += fathom_balance_ends_phase(simulation->program, record);
	if (record->kind == FATHOM_REPLAY_COLLECTIVE) {
		if (simulation->program->participations[number].instance != FATHOM_REPLAY_NONE)
			fathom_simulation_arrive(simulation, number, state->time);
		return;
	}
	message = simulation->program->receives[number].message;
	if (message != FATHOM_REPLAY_NONE)
		fathom_simulation_post(simulation, message, state->time);
}

/* Takes one record. False: the task does not continue now. */
static bool take_record(struct fathom_simulation *simulation, uint32_t task, const struct fathom_replay_record *record)
{
	switch (record->kind) {
	case FATHOM_REPLAY_BURST:
	case FATHOM_REPLAY_LOCAL:
		return take_time(simulation, task, record);
	case FATHOM_REPLAY_SEND:
		take_send(simulation, task, record);
		return true;
	case FATHOM_REPLAY_WAIT_SEND:
		return take_wait_send(simulation, task, record);
	case FATHOM_REPLAY_WAIT_RECEIVE:
		return take_wait_receive(simulation, task, record);
	case FATHOM_REPLAY_WAIT_COLLECTIVE:
		return take_wait_collective(simulation, task, record);
	default:
		take_post(simulation, task, record);
		return true;
	}
}

/* Continues a task until it waits, or until another task is earlier and they compete for the machine. */
static void continue_task(struct fathom_simulation *simulation, uint32_t task)
{
	const struct fathom_replay_task *records = &simulation->program->tasks[task];
	struct fathom_simulated_task *state = &simulation->tasks[task];

	while (state->next < records->count) {
		if (!take_record(simulation, task, &records->records[state->next]))
			return;
		if (simulation->has_limits && simulation->queue.count &&
		    simulation->queue.events[0].time < state->time) {
			fathom_simulation_plan(simulation, state->time, FATHOM_TASK_CONTINUES, task);
			return;
		}
	}
	simulation->result->tasks[task].end = state->time;
}

/* --- the replay --- */

static bool has_limits(const struct fathom_machine *machine)
{
	const struct fathom_network *a = &machine->inside, *b = &machine->between;

	return queues_for_processors(machine) || a->buses || a->in_links || a->out_links || b->buses || b->in_links ||
	       b->out_links;
}

static int make_result(const struct fathom_replay *replay, struct fathom_replay_result *result)
{
	const struct fathom_replay_program *program = replay->program;
	size_t cells = (size_t)program->task_count * program->path_count;

	*result = (struct fathom_replay_result){ .tasks = calloc(program->task_count + 1, sizeof(*result->tasks)) };
	if (replay->wants_waits) {
		result->waits = calloc(cells + 1, sizeof(*result->waits));
		result->transfers = calloc(cells + 1, sizeof(*result->transfers));
	}
	if (replay->wants_points)
		result->points = calloc(program->task_count + 1, sizeof(*result->points));
	if (result->tasks && (!replay->wants_waits || (result->waits && result->transfers)) &&
	    (!replay->wants_points || result->points))
		return 0;
	fathom_replay_result_fini(result, program->task_count);
	return -ENOMEM;
}

static void free_simulation(struct fathom_simulation *simulation)
{
	free(simulation->tasks);
	free(simulation->messages);
	free(simulation->instances);
	free(simulation->nodes);
	free(simulation->slices);
	fathom_event_queue_fini(&simulation->queue);
}

static int make_simulation(struct fathom_simulation *simulation)
{
	const struct fathom_replay_program *program = simulation->program;
	uint32_t i;

	simulation->tasks = calloc(program->task_count + 1, sizeof(*simulation->tasks));
	simulation->messages = malloc(((size_t)program->message_count + 1) * sizeof(*simulation->messages));
	simulation->instances = malloc(((size_t)program->instance_count + 1) * sizeof(*simulation->instances));
	simulation->nodes = calloc((size_t)program->node_count + 1, sizeof(*simulation->nodes));
	simulation->slices = fathom_slices_create(program, simulation->machine);
	if (!simulation->tasks || !simulation->messages || !simulation->instances || !simulation->nodes ||
	    !simulation->slices)
		return -ENOMEM;
	for (i = 0; i < program->message_count; i++)
		simulation->messages[i] = (struct fathom_simulated_message){
			.sent = -1, .posted = -1, .end = -1, .sender = FATHOM_REPLAY_NONE,
			.receiver = FATHOM_REPLAY_NONE, .next_queued = FATHOM_REPLAY_NONE };
	for (i = 0; i < program->instance_count; i++)
		simulation->instances[i] = (struct fathom_simulated_instance){
			.root_arrival = -1, .first_waiting = FATHOM_REPLAY_NONE };
	for (i = 0; i < program->node_count; i++)
		simulation->nodes[i].first_waiting = simulation->nodes[i].last_waiting = FATHOM_REPLAY_NONE;
	simulation->first_queued = simulation->last_queued = FATHOM_REPLAY_NONE;
	for (i = 0; i < program->task_count; i++) {
		double begin = fathom_replay_seconds(program, program->tasks[i].begin - program->begin);

		simulation->result->tasks[i].begin = simulation->tasks[i].time = begin;
		fathom_simulation_plan(simulation, begin, FATHOM_TASK_CONTINUES, i);
	}
	return 0;
}

static void simulate(struct fathom_simulation *simulation)
{
	while (simulation->queue.count && !simulation->is_out_of_memory) {
		struct fathom_queued_event event = fathom_event_queue_take(&simulation->queue);

		switch (event.kind) {
		case FATHOM_TRANSFER_ENDS:
			fathom_simulation_transfer_ends(simulation, event.number, event.time);
			break;
		case FATHOM_TRANSFER_READY:
			fathom_simulation_transfer_ready(simulation, event.number, event.time);
			break;
		case FATHOM_BURST_ENDS:
			burst_ends(simulation, event.number, event.time);
			continue_task(simulation, event.number);
			break;
		default:
			continue_task(simulation, event.number);
		}
	}
}

/* Adds up the results of the tasks. -EDEADLK: some did not reach their ends. */
static int finish(struct fathom_simulation *simulation)
{
	struct fathom_replay_result *result = simulation->result;

	for (uint32_t i = 0; i < simulation->program->task_count; i++) {
		if (simulation->tasks[i].next < simulation->program->tasks[i].count) {
			if (result->stuck_tasks++ == 0) {
				result->stuck_task = i;
				result->stuck_record = simulation->tasks[i].next;
			}
			continue;
		}
		if (result->tasks[i].end > result->seconds)
			result->seconds = result->tasks[i].end;
		if (result->tasks[i].start_seconds > result->start_seconds)
			result->start_seconds = result->tasks[i].start_seconds;
	}
	return result->stuck_tasks ? -EDEADLK : 0;
}

int fathom_replay_run(const struct fathom_replay *replay, struct fathom_replay_result *result)
{
	struct fathom_simulation simulation = {
		.replay = replay, .program = replay->program, .machine = replay->machine, .result = result,
		.has_limits = has_limits(replay->machine),
	};
	int err = make_result(replay, result);

	if (err)
		return err;
	err = make_simulation(&simulation);
	if (!err)
		simulate(&simulation);
	if (simulation.is_out_of_memory)
		err = -ENOMEM;
	if (!err)
		err = finish(&simulation);
	free_simulation(&simulation);
	if (err == -ENOMEM)
		fathom_replay_result_fini(result, replay->program->task_count);
	return err;
}

void fathom_replay_result_fini(struct fathom_replay_result *result, uint32_t task_count)
{
	for (uint32_t i = 0; result->points && i < task_count; i++)
		free(result->points[i].points);
	free(result->points);
	free(result->tasks);
	free(result->waits);
	free(result->transfers);
	*result = (struct fathom_replay_result){ 0 };
}
