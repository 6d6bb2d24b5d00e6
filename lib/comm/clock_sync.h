/*
 * clock_sync: measures the offsets between the clocks of the processes.
 *
 * Processes that read the same clock (of one host, counting since its start) need no measurement: the first of them
 * represents the others. The representatives measure the offset of their clock to another one along a tree, when the
 * run begins and when it ends. The clock of rank 0 is the reference. When a clock shows the time t, the reference
 * shows t + offset.
 *
 * A measurement is a number of messages to another process and back. No message arrives before it is sent. So each
 * message to the other clock bounds the offset from one side, and each answer bounds it from the other side. The true
 * offset lies between both bounds, wherever the messages spent their time, and the middle is wrong by at most half of
 * the remaining interval. This is never more than half of the shortest round trip: a microsecond or less between idle
 * hosts. If processes must wait for a processor, one message of many without waiting is enough. The errors of the
 * levels of the tree add up.
 */
#ifndef FATHOM_COMM_CLOCK_SYNC_H
#define FATHOM_COMM_CLOCK_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "platform/compiler.h"

/* A source of time. It is an argument so that tests can use clocks with errors. */
struct fathom_clock_sync_source {
	uint64_t (*now)(void *context);
	double (*ticks_per_second)(void *context);
	void *context;
	uint64_t name;			/* name of the clock; clocks with different names are different */
};

/* When the process's own clock shows ticks, it has this offset to the reference, with at most this error, in ticks. */
struct fathom_clock_sync_point {
	uint64_t ticks;
	int64_t offset;
	uint64_t error;
};

struct fathom_clock_sync {
	struct fathom_clock_sync_source clock;
	uint64_t identity;		/* hash of the clock: processes with equal identities share it */
	uint32_t clock_count;		/* number of different clocks among all processes; 0: not known */
	uint32_t number;		/* number of this process's clock */
	int parent;			/* rank of the parent in the tree of representatives; -1: none */
	int children[32];
	uint32_t child_count;
	bool represents;
	double rate, reference_rate;	/* ticks per second, of this clock and of the reference */
	/* The offsets at the begin and at the end of the run. After fathom_clock_sync_end these are two points of the
	 * line that corrects times; the first is before the second. */
	struct fathom_clock_sync_point points[2];
	uint64_t largest_error;		/* largest error of all processes, in ticks; valid at rank 0 */
};

/* Returns the name of this process's clock. Processes on one kernel since its start read one clock, if it is of the
 * same kind. reads_counter: the clock is the processor's counter, and not that of the system. Context: finish. */
FATHOM_API uint64_t fathom_clock_sync_name(bool reads_counter);

/* Called by all processes of comm: determines which processes share a clock, and measures for the first time. The
 * caller has set sync->clock, and all other members to zero. 0 or -errno: comm is broken. Context: finish. */
FATHOM_API int fathom_clock_sync_begin(struct fathom_clock_sync *sync, struct fathom_comm *comm);

/* Called by all processes of comm: measures for the second time, and gives every process the line for its clock. 0
 * or -errno: comm is broken. Context: finish. */
FATHOM_API int fathom_clock_sync_end(struct fathom_clock_sync *sync, struct fathom_comm *comm);

/* Used instead of fathom_clock_sync_end for processes that were killed: their clocks cannot be compared again, so
 * each clock keeps the offset that it had at the begin. 0 or -errno: comm is broken. Context: finish. */
FATHOM_API int fathom_clock_sync_end_without(struct fathom_clock_sync *sync, struct fathom_comm *comm);

/* Returns the time of the reference clock for a time of this process's clock. Called
 * after fathom_clock_sync_end only. Context: finish. */
FATHOM_API uint64_t fathom_clock_sync_correct(const struct fathom_clock_sync *sync, uint64_t ticks);

#endif
