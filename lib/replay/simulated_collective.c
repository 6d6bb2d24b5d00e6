/*
 * simulated_collective: when the members of the collective operations of a replay continue.
 */
#include "replay/simulation.h"

static const struct fathom_collective_model *model_of(const struct fathom_simulation *simulation, uint32_t instance)
{
	return &simulation->machine->collectives[simulation->program->instances[instance].operation];
}

/* Returns the seconds that the operation takes, between nodes and inside of them. */
static double operation_seconds(const struct fathom_simulation *simulation, uint32_t instance)
{
	const struct fathom_replay_instance *is = &simulation->program->instances[instance];
	const struct fathom_replay_comm *comm = &simulation->program->comms[is->comm];
	const struct fathom_collective_bytes *bytes = &simulation->instances[instance].bytes;
	const struct fathom_collective_model *model = model_of(simulation, instance);
	const struct fathom_machine *machine = simulation->machine;

	if (comm->size < 2)
		return 0;
	return model->scale *
		       (fathom_collective_seconds(model, &machine->between, comm->nodes, comm->size, bytes) +
			fathom_collective_seconds(model, &machine->inside, comm->largest_node, comm->size, bytes)) +
	       model->fixed;
}

static void count_bytes(struct fathom_collective_bytes *bytes, const struct fathom_replay_participation *part,
			bool is_first)
{
	double sent = (double)part->sent, received = (double)part->received;
	double larger = sent > received ? sent : received;

	if (is_first || larger < bytes->least)
		bytes->least = larger;
	if (larger > bytes->most)
		bytes->most = larger;
	bytes->sum += larger;
	if (sent + received > bytes->sent_and_received)
		bytes->sent_and_received = sent + received;
}

/* Returns whether a member waits for the root only. Members of an operation without a root always wait for all. */
static enum fathom_collective_order order_of(const struct fathom_simulation *simulation,
					     const struct fathom_replay_participation *part)
{
	return part->root == FATHOM_REPLAY_NONE ? FATHOM_ORDER_ALL : model_of(simulation, part->instance)->order;
}

void fathom_simulation_arrive(struct fathom_simulation *simulation, uint32_t participation, double time)
{
	const struct fathom_replay_participation *part = &simulation->program->participations[participation];
	struct fathom_simulated_instance *state = &simulation->instances[part->instance];
	bool is_root = part->root == part->task, is_complete;
	uint32_t waiting, next;

	count_bytes(&state->bytes, part, state->arrived == 0);
	state->arrived++;
	if (time > state->last_arrival)
		state->last_arrival = time;
	if (is_root)
		state->root_arrival = time;
	is_complete = state->arrived == simulation->program->instances[part->instance].members;
	if (!is_complete && !(is_root && order_of(simulation, part) == FATHOM_ORDER_FROM_ROOT))
		return;
	waiting = state->first_waiting;
	state->first_waiting = FATHOM_REPLAY_NONE;
	for (; waiting != FATHOM_REPLAY_NONE; waiting = next) {
		next = simulation->tasks[waiting].next_waiting;
		fathom_simulation_plan(simulation, time, FATHOM_TASK_CONTINUES, waiting);
	}
}

bool fathom_simulation_collective_end(struct fathom_simulation *simulation, uint32_t participation, double since,
				      double *ready, double *end)
{
	const struct fathom_replay_participation *part = &simulation->program->participations[participation];
	struct fathom_simulated_instance *state = &simulation->instances[part->instance];
	enum fathom_collective_order order = order_of(simulation, part);
	bool is_complete = state->arrived == simulation->program->instances[part->instance].members;

	if (order == FATHOM_ORDER_TO_ROOT && part->root != part->task) {
		*ready = *end = since;
		return true;
	}
	if (order == FATHOM_ORDER_FROM_ROOT ? state->root_arrival < 0 : !is_complete) {
		simulation->tasks[part->task].next_waiting = state->first_waiting;
		state->first_waiting = part->task;
		return false;
	}
	*ready = order == FATHOM_ORDER_FROM_ROOT ? state->root_arrival : state->last_arrival;
	*end = *ready + operation_seconds(simulation, part->instance);
	if (*end < since)
		*end = since;
	return true;
}
