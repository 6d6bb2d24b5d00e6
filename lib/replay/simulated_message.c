/*
 * simulated_message: when the messages of a replay are transferred.
 */
#include "replay/simulation.h"

static const struct fathom_replay_channel *channel_of(const struct fathom_simulation *simulation, uint32_t message)
{
	return &simulation->program->channels[simulation->program->messages[message].channel];
}

static uint32_t node_of(const struct fathom_simulation *simulation, uint32_t task)
{
	return simulation->program->tasks[task].node;
}

static bool is_inside(const struct fathom_simulation *simulation, uint32_t message)
{
	const struct fathom_replay_channel *channel = channel_of(simulation, message);

	return node_of(simulation, channel->source) == node_of(simulation, channel->destination);
}

static const struct fathom_network *network_of(const struct fathom_simulation *simulation, uint32_t message)
{
	return is_inside(simulation, message) ? &simulation->machine->inside : &simulation->machine->between;
}

double fathom_simulation_send_seconds(const struct fathom_simulation *simulation, uint32_t message)
{
	return fathom_network_send_seconds(network_of(simulation, message));
}

bool fathom_simulation_is_rendezvous(const struct fathom_simulation *simulation, uint32_t message)
{
	const struct fathom_replay_message *is = &simulation->program->messages[message];

	if (is->receive == FATHOM_REPLAY_NONE || is->mode == FATHOM_REPLAY_BUFFERED)
		return false;
	return is->mode == FATHOM_REPLAY_SYNCHRONOUS || is->bytes > simulation->machine->eager_limit;
}

/* --- the network --- */

static bool has_limits(const struct fathom_network *network)
{
	return network->buses || network->in_links || network->out_links;
}

static bool is_free(uint32_t limit, uint32_t used)
{
	return limit == 0 || used < limit;
}

/* Points to the counters of what a message uses while it is transferred. */
struct use {
	uint32_t *bus, *in, *out;
	uint32_t out_limit;	/* of *out */
};

static struct use use_of(struct fathom_simulation *simulation, uint32_t message)
{
	const struct fathom_replay_channel *channel = channel_of(simulation, message);
	struct fathom_simulated_node *from = &simulation->nodes[node_of(simulation, channel->source)];
	struct fathom_simulated_node *to = &simulation->nodes[node_of(simulation, channel->destination)];

	const struct fathom_network *network = network_of(simulation, message);

	if (from == to)
		return (struct use){ &from->inside_buses_used, &from->inside_in_used, &from->inside_out_used,
				     network->is_half_duplex ? 0 : network->out_links };
	if (network->is_half_duplex)
		return (struct use){ &simulation->buses_used, &to->in_used, &from->in_used, network->in_links };
	return (struct use){ &simulation->buses_used, &to->in_used, &from->out_used, network->out_links };
}

/* The end of the transfer is known: the tasks that wait for it continue then. */
static void set_end(struct fathom_simulation *simulation, uint32_t message, double end)
{
	struct fathom_simulated_message *state = &simulation->messages[message];

	state->end = end;
	if (state->receiver != FATHOM_REPLAY_NONE)
		fathom_simulation_plan(simulation, end, FATHOM_TASK_CONTINUES, state->receiver);
	if (state->sender != FATHOM_REPLAY_NONE && state->sender != state->receiver)
		fathom_simulation_plan(simulation, end, FATHOM_TASK_CONTINUES, state->sender);
	state->receiver = state->sender = FATHOM_REPLAY_NONE;
}

static double transfer_seconds(const struct fathom_simulation *simulation, uint32_t message)
{
	double bandwidth = network_of(simulation, message)->bandwidth;

	return bandwidth > 0 ? (double)simulation->program->messages[message].bytes / bandwidth : 0;
}

/* Begins a transfer if all that it needs is free. */
static bool try_transfer(struct fathom_simulation *simulation, uint32_t message, double time)
{
	const struct fathom_network *network = network_of(simulation, message);
	struct use use = use_of(simulation, message);
	double end = time + transfer_seconds(simulation, message);

	if (!is_free(network->buses, *use.bus) || !is_free(network->in_links, *use.in) ||
	    !is_free(use.out_limit, *use.out))
		return false;
	++*use.bus;
	++*use.in;
	++*use.out;
	fathom_simulation_plan(simulation, end, FATHOM_TRANSFER_ENDS, message);
	set_end(simulation, message, end);
	return true;
}

void fathom_simulation_transfer_ready(struct fathom_simulation *simulation, uint32_t message, double time)
{
	if (try_transfer(simulation, message, time))
		return;
	simulation->messages[message].next_queued = FATHOM_REPLAY_NONE;
	if (simulation->first_queued == FATHOM_REPLAY_NONE)
		simulation->first_queued = message;
	else
		simulation->messages[simulation->last_queued].next_queued = message;
	simulation->last_queued = message;
}

void fathom_simulation_transfer_ends(struct fathom_simulation *simulation, uint32_t message, double time)
{
	struct use use = use_of(simulation, message);
	uint32_t queued = simulation->first_queued, previous = FATHOM_REPLAY_NONE;

	--*use.bus;
	--*use.in;
	--*use.out;
	while (queued != FATHOM_REPLAY_NONE) {
		uint32_t next = simulation->messages[queued].next_queued;

		if (!try_transfer(simulation, queued, time)) {
			previous = queued;
		} else if (previous == FATHOM_REPLAY_NONE) {
			simulation->first_queued = next;
		} else {
			simulation->messages[previous].next_queued = next;
		}
		queued = next;
	}
	simulation->last_queued = previous;
}

/* Begins the latency of a message at that time; its transfer follows. */
static void begin(struct fathom_simulation *simulation, uint32_t message, double time)
{
	const struct fathom_network *network = network_of(simulation, message);
	bool is_ideal = network->latency <= 0 && network->bandwidth <= 0;
	double ready = time + network->latency +
		       (is_ideal ? 0 : simulation->program->messages[message].delay_seconds);

	if (simulation->program->messages[message].receive == FATHOM_REPLAY_NONE)
		set_end(simulation, message, ready);	/* nobody receives it */
	else if (has_limits(network))
		fathom_simulation_plan(simulation, ready, FATHOM_TRANSFER_READY, message);
	else
		set_end(simulation, message, ready + transfer_seconds(simulation, message));
}

void fathom_simulation_send(struct fathom_simulation *simulation, uint32_t message, double time)
{
	struct fathom_simulated_message *state = &simulation->messages[message];

	state->sent = time;
	if (!fathom_simulation_is_rendezvous(simulation, message))
		begin(simulation, message, time);
	else if (state->posted >= 0)
		begin(simulation, message, time > state->posted ? time : state->posted);
}

void fathom_simulation_post(struct fathom_simulation *simulation, uint32_t message, double time)
{
	struct fathom_simulated_message *state = &simulation->messages[message];

	state->posted = time;
	if (state->sent >= 0 && fathom_simulation_is_rendezvous(simulation, message))
		begin(simulation, message, time > state->sent ? time : state->sent);
}
