/*
 * replay_program: what the tasks of a measured run did, in a form that a replay can repeat on another machine.
 *
 * Each task has a list of records in the order of its execution: bursts of computation, and operations. An operation
 * has a record where it begins (send, receive, collective) and one where the task waits for its end; for a blocking
 * operation the two follow each other. Times are in ticks of the measured run from its begin.
 *
 * Use: fathom_replay_program_init, the functions that add, fathom_replay_program_finish; then the program does not
 * change. If memory runs out, the functions that add do nothing from then on
 * and fathom_replay_program_finish fails. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_PROGRAM_H
#define FATHOM_REPLAY_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "define/collective.h"

enum { FATHOM_REPLAY_NONE = 0xffffffff };	/* no channel, message, communicator, instance or root */

enum fathom_replay_kind {
	FATHOM_REPLAY_BURST,		/* computation; value: ticks */
	FATHOM_REPLAY_LOCAL,		/* a call that does not communicate: its time is kept; value: ticks */
	FATHOM_REPLAY_SEND,		/* value: number of the message, as in the wait for its end */
	FATHOM_REPLAY_RECEIVE,		/* value: number of the receive, as in the wait for its end */
	FATHOM_REPLAY_COLLECTIVE,	/* value: number of the participation, as in the wait for its end */
	FATHOM_REPLAY_WAIT_SEND,
	FATHOM_REPLAY_WAIT_RECEIVE,
	FATHOM_REPLAY_WAIT_COLLECTIVE
};

struct fathom_replay_record {
	uint64_t time;		/* of the beginning; of a wait: of its end */
	uint64_t value;
	uint32_t call_path;	/* a number that the creator of the program chose, below path_count */
	uint8_t kind;
	uint8_t is_start;	/* of LOCAL: the call starts or ends MPI */
	uint16_t group;		/* of BURST: a number that the creator chose, for changed speeds; 0: none */
};

struct fathom_replay_task {
	struct fathom_replay_record *records;
	size_t count, room;
	uint64_t begin, end;	/* ticks; of the measured task */
	uint32_t node;		/* number of its node */
	double sharers;		/* number of tasks that shared its processor in the measured run; 1: none else did */
};

/* The messages from one task to another one that can be confused: those of a channel are received in order. */
struct fathom_replay_channel {
	uint32_t source, destination;	/* tasks */
	uint32_t tag, comm;
};

enum fathom_replay_mode {
	FATHOM_REPLAY_STANDARD,		/* waits for its receive if it is larger than the eager limit */
	FATHOM_REPLAY_BUFFERED,		/* never waits for its receive */
	FATHOM_REPLAY_SYNCHRONOUS	/* always waits for its receive */
};

struct fathom_replay_message {
	uint64_t bytes;
	uint32_t channel;
	uint32_t receive;	/* number; NONE: not in the program */
	uint8_t mode;
	double delay_seconds;	/* of processes in the measured run: its transfer begins so much later */
};

struct fathom_replay_receive {
	uint32_t channel;	/* NONE: never completed */
	uint32_t message;	/* NONE: its send is not in the program */
};

/* The part of one task in a collective operation. */
struct fathom_replay_participation {
	uint64_t sent, received;	/* bytes */
	uint32_t task, comm;		/* comm NONE: never completed */
	uint32_t root;			/* task; NONE: the operation has no root */
	uint32_t instance;		/* NONE: not all members take part in the program */
	uint8_t operation;		/* enum fathom_collective */
};

struct fathom_replay_comm {
	uint32_t *tasks;
	uint32_t size;
	uint32_t nodes, largest_node;	/* number of nodes, and of members on the node with most members */
};

struct fathom_replay_instance {	/* of a collective operation */
	uint32_t comm;
	uint32_t members;		/* that take part */
	uint8_t operation;
};

struct fathom_replay_program {
	double tick_seconds;
	uint64_t begin, end;		/* ticks; of the measured run */
	struct fathom_replay_task *tasks;
	uint32_t task_count, node_count, path_count;
	struct fathom_replay_channel *channels;
	struct fathom_replay_message *messages;
	struct fathom_replay_receive *receives;
	struct fathom_replay_participation *participations;
	struct fathom_replay_comm *comms;
	struct fathom_replay_instance *instances;
	uint32_t channel_count, message_count, receive_count, participation_count, comm_count, instance_count;
	size_t channel_room, message_room, receive_room, participation_room, comm_room, instance_room;
	struct fathom_replay_index *channel_index;	/* finds channels while the program is made */
	uint64_t lost_sends, lost_receives, lost_collectives;	/* left out, because the other ends are missing */
	bool is_out_of_memory;
};

/* Makes a program of so many tasks, each on a node of its own, without records. 0 or -ENOMEM. */
int fathom_replay_program_init(struct fathom_replay_program *program, uint32_t tasks, double tick_seconds);
void fathom_replay_program_fini(struct fathom_replay_program *program);

/* Says who belongs to a communicator. Operations of communicators without members are left out. */
void fathom_replay_set_comm(struct fathom_replay_program *program, uint32_t comm, const uint32_t *tasks, uint32_t size);

/* Adds a burst or the time of a local call. */
void fathom_replay_add_time(struct fathom_replay_program *program, uint32_t task, struct fathom_replay_record record);

/* Add an operation; each returns its number, for fathom_replay_add_wait. What the operation was is said when it is
 * complete, because traces say it then. */
uint32_t fathom_replay_add_send(struct fathom_replay_program *program, uint32_t call_path, uint64_t time,
				struct fathom_replay_channel channel, uint64_t bytes, enum fathom_replay_mode mode);
uint32_t fathom_replay_add_receive(struct fathom_replay_program *program, uint32_t task, uint32_t call_path,
				   uint64_t time);
void fathom_replay_complete_receive(struct fathom_replay_program *program, uint32_t receive,
				    struct fathom_replay_channel channel);
uint32_t fathom_replay_add_collective(struct fathom_replay_program *program, uint32_t task, uint32_t call_path,
				      uint64_t time);
void fathom_replay_complete_collective(struct fathom_replay_program *program, uint32_t participation,
				       struct fathom_replay_participation is);

/* Adds the wait for the end of an operation. */
void fathom_replay_add_wait(struct fathom_replay_program *program, uint32_t task, enum fathom_replay_kind kind,
			    uint32_t call_path, uint64_t time, uint32_t number);

/* Finds the receive of each message and the members of each collective operation. 0 or -ENOMEM. */
int fathom_replay_program_finish(struct fathom_replay_program *program);

/* Counts the nodes of the communicators again after the nodes of tasks have changed. 0 or -ENOMEM. */
int fathom_replay_program_count_nodes(struct fathom_replay_program *program);

/* Returns ticks in seconds. */
static inline double fathom_replay_seconds(const struct fathom_replay_program *program, uint64_t ticks)
{
	return (double)ticks * program->tick_seconds;
}

#endif
