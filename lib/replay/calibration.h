/*
 * calibration: estimates the parameters of the machine on which a program was measured, from the program's own times.
 *
 * A message counts whose receiver was waiting for it already when it was sent: the time from then to the end of the
 * receive is latency + size / bandwidth. The slowest tenth of the messages of a size does not count, because a process
 * was interrupted meanwhile. What these took more than the others is their delay, and stays, as the time of computation
 * does. A collective operation counts with the time from its last arrival to the end of its members.
 * Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_CALIBRATION_H
#define FATHOM_REPLAY_CALIBRATION_H

#include "replay/machine.h"
#include "replay/replay_program.h"

struct fathom_calibration {
	uint64_t inside_messages, between_messages;	/* that counted */
	uint64_t eager_messages, rendezvous_messages;	/* that show whether a sender waited for the receive */
	uint64_t collectives[FATHOM_COLLECTIVES];	/* instances that counted */
};

/* Fills in machine, which it initialises, except for the processors. If tasks shared processors in the measured run
 * (processor_slices.h), the times of most messages and collective operations contain slices of other tasks; then only
 * the fastest tenth of the messages of a size, and of the instances of an operation, counts. If they even shared a
 * single processor, no message shows how long a transfer takes; the latency is then the time of calls that send.
 * processors: of a node of the measured run, as for fathom_slices_set_measured. A network without messages gets the
 * parameters of the other one; without any, the transfers take no time. 0 or -ENOMEM. */
int fathom_calibrate(struct fathom_replay_program *program, uint32_t processors, struct fathom_machine *machine,
		     struct fathom_calibration *calibration);

/* Fits seconds = latency + bytes / bandwidth to count measurements: to the means of the sizes' powers of two, with
 * equal relative errors. Of each power of two, only that share of the measurements counts which is fastest (1: all do),
 * but at least one. Sorts the measurements. */
struct fathom_message_time {
	double bytes, seconds;
};
void fathom_calibration_fit(struct fathom_message_time *times, size_t count, double share,
			    struct fathom_network *network);

#endif
