/*
 * clock_sync: how far the clocks of the processes are apart.
 *
 * Processes that read one clock (of one host, counting since its start) need nothing but to know that they do: the
 * first of them represents the others. Representatives measure their clock against that of another one, along a tree,
 * when the run begins and when it ends. The clock of rank 0 is the reference: at the time t of a clock the reference
 * is at t + offset.
 *
 * A measurement is a number of messages to and fro. None arrives before it is sent, so each message to the other
 * clock bounds the offset from one side and each answer from the other: the truth lies between, wherever the
 * messages spent their time, and the middle is wrong by at most half of what is left. That is never more than half of
 * the shortest round trip, a microsecond or less between idle hosts; where processes have to wait for a processor,
 * the one time in many that they do not counts. Errors of the levels of the tree add up.
 */
#ifndef FATHOM_TRACE_CLOCK_SYNC_H
#define FATHOM_TRACE_CLOCK_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"

/* Where time comes from: an argument, so that tests can have clocks that go wrong. */
struct fathom_sync_clock {
	uint64_t (*now)(void *context);
	double (*ticks_per_second)(void *context);
	void *context;
	uint64_t name;			/* of the clock; who has another has another clock */
};

/* At this time of the own clock this offset; wrong by no more than error, in ticks. */
struct fathom_sync_point {
	uint64_t ticks;
	int64_t offset;
	uint64_t error;
};

struct fathom_sync {
	struct fathom_sync_clock clock;
	uint64_t identity;		/* of the clock, as checked: processes that have the same share it */
	uint32_t clock_count;		/* different ones among all processes; 0: not known */
	uint32_t number;		/* of this one */
	int parent;			/* among representatives: rank; -1: none */
	int children[32];
	uint32_t child_count;
	bool represents;
	double rate, reference_rate;	/* ticks per second, of this clock and of the reference */
	/* At the begin and at the end. After fathom_sync_end these are two points of the line that corrects times;
	 * the first comes before the second. */
	struct fathom_sync_point points[2];
	uint64_t largest_error;		/* of all processes, in ticks; at rank 0 */
};

/*
 * All processes of comm: find out who shares a clock, and measure. sync->clock is set, the rest zero. 0 or -errno:
 * comm is broken. Context: finish.
 */
int fathom_sync_begin(struct fathom_sync *sync, struct fathom_comm *comm);

/* Measure again, and let everybody know the line for its clock. Context: finish. */
int fathom_sync_end(struct fathom_sync *sync, struct fathom_comm *comm);

/* What a reader of the trace makes of a time. Only after fathom_sync_end. */
uint64_t fathom_sync_correct(const struct fathom_sync *sync, uint64_t ticks);

#endif
