#include "replay/machine.h"

static const struct {
	const char *name;
	struct fathom_collective_model model;
} operations[FATHOM_COLLECTIVES] = {
#define LOG(size) { FATHOM_PHASE_LOGARITHMIC, FATHOM_PHASE_##size }
#define LIN(size) { FATHOM_PHASE_LINEAR, FATHOM_PHASE_##size }
#define NONE { FATHOM_PHASE_NONE, FATHOM_PHASE_MAX }
#define ROW(name, in, out) { name, { in, out, FATHOM_ORDER_ALL, 1, 0 } }
	[FATHOM_COLLECTIVE_BARRIER] = ROW("Barrier", LOG(MAX), LOG(MAX)),
	[FATHOM_COLLECTIVE_BCAST] = ROW("Bcast", LOG(MAX), NONE),
	[FATHOM_COLLECTIVE_GATHER] = ROW("Gather", LOG(MAX), NONE),
	[FATHOM_COLLECTIVE_GATHERV] = ROW("Gatherv", LOG(MAX), NONE),
	[FATHOM_COLLECTIVE_SCATTER] = ROW("Scatter", LOG(MAX), NONE),
	[FATHOM_COLLECTIVE_SCATTERV] = ROW("Scatterv", LOG(MAX), NONE),
	[FATHOM_COLLECTIVE_ALLGATHER] = ROW("Allgather", LOG(MAX), LOG(MAX)),
	[FATHOM_COLLECTIVE_ALLGATHERV] = ROW("Allgatherv", LOG(MAX), LOG(MAX)),
	[FATHOM_COLLECTIVE_ALLTOALL] = ROW("Alltoall", LIN(TWICE_MAX), LIN(TWICE_MAX)),
	[FATHOM_COLLECTIVE_ALLTOALLV] = ROW("Alltoallv", LIN(TWICE_MAX), LIN(TWICE_MAX)),
	[FATHOM_COLLECTIVE_ALLTOALLW] = ROW("Alltoallw", LIN(TWICE_MAX), LIN(TWICE_MAX)),
	[FATHOM_COLLECTIVE_ALLREDUCE] = ROW("Allreduce", LOG(TWICE_MAX), LOG(MAX)),
	[FATHOM_COLLECTIVE_REDUCE] = ROW("Reduce", LOG(TWICE_MAX), NONE),
	[FATHOM_COLLECTIVE_REDUCE_SCATTER] = ROW("Reduce_scatter", LOG(TWICE_MAX), LIN(MIN)),
	[FATHOM_COLLECTIVE_REDUCE_SCATTER_BLOCK] = ROW("Reduce_scatter_block", LOG(TWICE_MAX), LIN(MIN)),
	[FATHOM_COLLECTIVE_SCAN] = ROW("Scan", LOG(MAX), NONE),
	[FATHOM_COLLECTIVE_EXSCAN] = ROW("Exscan", LOG(MAX), NONE),
	[FATHOM_COLLECTIVE_NEIGHBOR] = ROW("Neighbor", NONE, NONE),
	[FATHOM_COLLECTIVE_COMM] = ROW("Comm", LOG(MAX), LOG(MAX)),
	[FATHOM_COLLECTIVE_COMM_FREE] = ROW("Comm_free", NONE, NONE),
	[FATHOM_COLLECTIVE_WINDOW] = ROW("Window", LOG(MAX), LOG(MAX)),
};

void fathom_machine_init(struct fathom_machine *machine)
{
	*machine = (struct fathom_machine){ .eager_limit = UINT64_MAX, .cpu_ratio = 1 };
	machine->inside.send_seconds = machine->between.send_seconds = -1;
	for (int i = 0; i < FATHOM_COLLECTIVES; i++)
		machine->collectives[i] = operations[i].model;
}

void fathom_machine_init_ideal(struct fathom_machine *machine)
{
	fathom_machine_init(machine);
	for (int i = 0; i < FATHOM_COLLECTIVES; i++)
		machine->collectives[i].in.growth = machine->collectives[i].out.growth = FATHOM_PHASE_NONE;
}

/* Returns the number of turns that the messages of a tree over the members take, if the network carries so many
 * messages at a time. In stage i, 2^i members (in the last stage: those that are left) send to a further member. */
static double tree_turns(uint32_t members, uint32_t buses)
{
	uint64_t reached, messages, turns = 0;

	for (reached = 1; reached < members; reached *= 2) {
		messages = members - reached < reached ? members - reached : reached;
		turns += buses ? (messages + buses - 1) / buses : 1;
	}
	return (double)turns;
}

double fathom_phase_factor(enum fathom_phase_growth growth, uint32_t members, uint32_t buses)
{
	if (members < 2)
		return 0;
	switch (growth) {
	case FATHOM_PHASE_CONSTANT: return 1;
	case FATHOM_PHASE_LINEAR: return members - 1.0;
	case FATHOM_PHASE_LOGARITHMIC: return tree_turns(members, buses);
	default: return 0;
	}
}

static double phase_bytes(enum fathom_phase_size size, uint32_t members, const struct fathom_collective_bytes *bytes)
{
	switch (size) {
	case FATHOM_PHASE_MIN: return bytes->least;
	case FATHOM_PHASE_MAX: return bytes->most;
	case FATHOM_PHASE_MEAN: return members ? bytes->sum / members : 0;
	case FATHOM_PHASE_TWICE_MAX: return 2 * bytes->most;
	default: return bytes->sent_and_received;
	}
}

double fathom_collective_seconds(const struct fathom_collective_model *model, const struct fathom_network *network,
				 uint32_t members, uint32_t all_members, const struct fathom_collective_bytes *bytes)
{
	const struct fathom_phase *phases[2] = { &model->in, &model->out };
	double seconds = 0;

	for (int i = 0; i < 2; i++) {
		double size = phase_bytes(phases[i]->size, all_members, bytes);
		double transfer = network->bandwidth > 0 ? size / network->bandwidth : 0;

		seconds += (network->latency + transfer) *
			   fathom_phase_factor(phases[i]->growth, members, network->buses);
	}
	return seconds;
}

const char *fathom_collective_name(enum fathom_collective operation)
{
	return (unsigned)operation < FATHOM_COLLECTIVES ? operations[operation].name : "?";
}

const char *fathom_phase_growth_name(enum fathom_phase_growth growth)
{
	static const char *const names[FATHOM_PHASE_GROWTHS] = { "none", "constant", "linear", "logarithmic" };

	return (unsigned)growth < FATHOM_PHASE_GROWTHS ? names[growth] : "?";
}
