/*
 * calibration: estimates the parameters of the machine on which a program was measured, from the program's own times.
 *
 * A message counts whose receiver was waiting for it already when it was sent: the time from then to the end of the
 * receive is latency + size / bandwidth. A collective operation counts with the time from its last arrival to the end
 * of its members. Context of all functions: tool.
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

/* Fills in machine, which it initialises. A network without messages gets the parameters of the other one; without any,
 * the transfers take no time. 0 or -ENOMEM. */
int fathom_calibrate(const struct fathom_replay_program *program, struct fathom_machine *machine,
		     struct fathom_calibration *calibration);

/* Fits seconds = latency + bytes / bandwidth to count measurements: to the means of the sizes' powers of two, with
 * equal relative errors. Sorts the measurements. */
struct fathom_message_time {
	double bytes, seconds;
};
void fathom_calibration_fit(struct fathom_message_time *times, size_t count, struct fathom_network *network);

#endif
