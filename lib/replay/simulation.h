/*
 * simulation: the state of a replay: where each task is, what each message and collective operation has reached, and
 * what of the machine is in use. Only the files of this folder use it. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_SIMULATION_H
#define FATHOM_REPLAY_SIMULATION_H

#include "replay/event_queue.h"
#include "replay/processor_slices.h"
#include "replay/replay.h"

enum fathom_simulation_event {	/* at the same time, what is in use becomes free first */
	FATHOM_TRANSFER_ENDS,	/* number: message */
	FATHOM_BURST_ENDS,	/* number: task */
	FATHOM_TRANSFER_READY,	/* number: message */
	FATHOM_TASK_CONTINUES	/* number: task */
};

struct fathom_simulated_task {
	double time;
	size_t next;		/* record */
	size_t phase;		/* of the balance */
	uint32_t next_waiting;	/* task behind it in the list of those that wait for the same; NONE: the last */
};

struct fathom_simulated_message {
	double sent, posted;	/* times of the beginnings; negative: not yet */
	double end;		/* of the transfer; negative: not known yet */
	uint32_t sender, receiver;	/* tasks that wait for the end; NONE */
	uint32_t next_queued;	/* message behind it in the queue for the network; NONE: the last */
};

struct fathom_simulated_instance {
	uint32_t arrived;
	double last_arrival, root_arrival;	/* root_arrival negative: not yet */
	struct fathom_collective_bytes bytes;
	uint32_t first_waiting;	/* task; NONE */
};

/* A node, and what of it is in use. */
struct fathom_simulated_node {
	uint32_t busy_cpus;
	uint32_t first_waiting, last_waiting;	/* tasks that wait for a processor; NONE */
	uint32_t in_used, out_used;		/* links of the network between nodes */
	uint32_t inside_in_used, inside_out_used, inside_buses_used;
};

struct fathom_simulation {
	const struct fathom_replay *replay;
	const struct fathom_replay_program *program;
	const struct fathom_machine *machine;
	struct fathom_replay_result *result;
	struct fathom_event_queue queue;
	struct fathom_simulated_task *tasks;
	struct fathom_simulated_message *messages;
	struct fathom_simulated_instance *instances;
	struct fathom_simulated_node *nodes;
	struct fathom_task_slices *slices;	/* by task */
	uint32_t buses_used;		/* between nodes */
	uint32_t first_queued, last_queued;	/* messages that wait for the network */
	bool has_limits;		/* tasks compete, so their records must be taken in the order of time */
	bool is_out_of_memory;
};

/* Adds an event. */
void fathom_simulation_plan(struct fathom_simulation *simulation, double time, enum fathom_simulation_event kind,
			    uint32_t number);

/* --- messages (simulated_message.c) --- */

/* Says that a message is sent, or that its receive is posted, at that time. */
void fathom_simulation_send(struct fathom_simulation *simulation, uint32_t message, double time);
void fathom_simulation_post(struct fathom_simulation *simulation, uint32_t message, double time);

/* Returns whether the sender of a message waits for its receive. */
bool fathom_simulation_is_rendezvous(const struct fathom_simulation *simulation, uint32_t message);

/* Takes an event of a message. */
void fathom_simulation_transfer_ready(struct fathom_simulation *simulation, uint32_t message, double time);
void fathom_simulation_transfer_ends(struct fathom_simulation *simulation, uint32_t message, double time);

/* Returns the seconds in which the sender of a message is busy. */
double fathom_simulation_send_seconds(const struct fathom_simulation *simulation, uint32_t message);

/* --- collective operations (simulated_collective.c) --- */

/* Says that a task arrives at a collective operation. */
void fathom_simulation_arrive(struct fathom_simulation *simulation, uint32_t participation, double time);

/* Finds out when a task that waits since a time may continue. False: not known yet; the task is then in the list of
 * those that wait, and is woken. *ready becomes the time when all were there for whom it waited. */
bool fathom_simulation_collective_end(struct fathom_simulation *simulation, uint32_t participation, double since,
				      double *ready, double *end);

#endif
