/*
 * machine: the model of a parallel machine on which a replay runs (lib/replay/replay.h).
 *
 * Tasks run on nodes. A message of s bytes takes the latency, in a part of which the sending task is busy, and then
 * s / bandwidth, in which it holds a bus of the network, a link out of the node of the sender and a link into the node
 * of the receiver. A collective operation takes two phases after its last member has arrived, into a centre and out of
 * it; each phase takes (latency + s / bandwidth) x a factor that depends on the number of members.
 * Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_MACHINE_H
#define FATHOM_REPLAY_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "define/collective.h"

/* Messages inside of a node, or between nodes. */
struct fathom_network {
	double latency;		/* seconds */
	double send_seconds;	/* of the latency: in which the sending task is busy. Negative, or more: all of it */
	double bandwidth;	/* bytes per second; 0: a transfer takes no time */
	uint32_t buses;		/* messages that the network carries at a time; 0: any number */
	uint32_t in_links;	/* messages that a node receives at a time; 0: any number */
	uint32_t out_links;	/* messages that a node sends at a time; 0: any number */
	bool is_half_duplex;	/* in_links is the number of messages that a node receives or sends at a time, and
				 * out_links counts for nothing; a message inside of a node takes one link */
};

/* How the time of a phase grows with the number of members. */
enum fathom_phase_growth {
	FATHOM_PHASE_NONE,		/* the phase takes no time */
	FATHOM_PHASE_CONSTANT,		/* factor 1 */
	FATHOM_PHASE_LINEAR,		/* members - 1 */
	FATHOM_PHASE_LOGARITHMIC,	/* stages of a tree, whose messages share the buses */
	FATHOM_PHASE_GROWTHS
};

/* Which of the members' numbers of bytes counts in a phase. */
enum fathom_phase_size {
	FATHOM_PHASE_MIN, FATHOM_PHASE_MAX, FATHOM_PHASE_MEAN, FATHOM_PHASE_TWICE_MAX, FATHOM_PHASE_SUM,
	FATHOM_PHASE_SIZES
};

struct fathom_phase {
	enum fathom_phase_growth growth;
	enum fathom_phase_size size;
};

/* Which members of a collective operation wait. */
enum fathom_collective_order {
	FATHOM_ORDER_ALL,	/* all members wait for the last one */
	FATHOM_ORDER_FROM_ROOT,	/* the members wait for the root, and the root for nobody */
	FATHOM_ORDER_TO_ROOT	/* the root waits for the last member, and the other members for nobody */
};

struct fathom_collective_model {
	struct fathom_phase in, out;
	enum fathom_collective_order order;
	double scale;		/* of the time of both phases; 1 unless the operation was measured */
	double fixed;		/* seconds in addition; 0 unless the operation was measured */
};

struct fathom_machine {
	struct fathom_network inside, between;	/* of nodes */
	uint32_t cpus;				/* of a node; 0: each task has one */
	double slice_seconds;	/* > 0: tasks share processors in time slices of this length, and keep them while they
				 * wait (processor_slices.h); 0: bursts queue for a processor, the first one comes
				 * first */
	uint64_t eager_limit;	/* bytes; a larger message waits for its receive. UINT64_MAX: none does */
	double cpu_ratio;	/* speed of the processors relative to the measured ones; 0: bursts take no time */
	struct fathom_collective_model collectives[FATHOM_COLLECTIVES];
};

/* Bytes of a collective operation: over its members, of what a member sends and receives. */
struct fathom_collective_bytes {
	double least, most, sum;	/* of the larger one of sent and received bytes by member */
	double sent_and_received;	/* the largest sum of a member's two numbers */
};

/* Returns the seconds in which a task is busy with sending a message. */
static inline double fathom_network_send_seconds(const struct fathom_network *network)
{
	return network->send_seconds < 0 || network->send_seconds > network->latency ? network->latency :
											network->send_seconds;
}

/* Makes the machine of an ideal network: no latency, any bandwidth, collective operations that take no time. */
void fathom_machine_init_ideal(struct fathom_machine *machine);

/* As above, but with the table of growths and sizes of collective operations that this model begins with. */
void fathom_machine_init(struct fathom_machine *machine);

/* Returns the factor of a phase of so many members. */
double fathom_phase_factor(enum fathom_phase_growth growth, uint32_t members, uint32_t buses);

/* Returns the seconds of both phases of an operation on one of the networks, without scale and fixed. members counts
 * nodes on the network between nodes. */
double fathom_collective_seconds(const struct fathom_collective_model *model, const struct fathom_network *network,
				 uint32_t members, uint32_t all_members, const struct fathom_collective_bytes *bytes);

/* Returns the name of an operation ("Allreduce") and of a growth ("logarithmic"). */
const char *fathom_collective_name(enum fathom_collective operation);
const char *fathom_phase_growth_name(enum fathom_phase_growth growth);

#endif
