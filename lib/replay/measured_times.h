/*
 * measured_times: when the messages and collective operations of a program began and ended in the measured run.
 *
 * Times are in ticks; 0: not known. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_MEASURED_TIMES_H
#define FATHOM_REPLAY_MEASURED_TIMES_H

#include "replay/machine.h"
#include "replay/replay_program.h"

struct fathom_measured_message {
	uint64_t sent, posted, received;
	uint64_t send_ticks;	/* duration of the call that sent it and did nothing else */
	uint64_t sender_waited, sender_ended;	/* begin and end of the call in which the sender waited for the end */
	bool is_informative;	/* the receiver waited already when the message was sent, and for no later one */
};

struct fathom_measured_instance {
	uint64_t last_arrival, root_arrival;
	uint64_t first_end, root_end;
	uint64_t middle_end;	/* mean of the ends of the members that waited when the last one arrived */
	uint64_t waiting_end;	/* mean of the ends of the members that waited when the root arrived */
	double end_sum, waiting_sum;
	uint32_t end_count, waiting_count;
	struct fathom_collective_bytes bytes;
	uint32_t counted;	/* members whose bytes are in bytes */
};

struct fathom_measured_times {
	struct fathom_measured_message *messages;	/* by message */
	struct fathom_measured_instance *instances;	/* by instance */
};

/* Collects the times of a finished program. 0 or -ENOMEM. */
int fathom_measured_times_init(struct fathom_measured_times *times, const struct fathom_replay_program *program);
void fathom_measured_times_fini(struct fathom_measured_times *times);

#endif
