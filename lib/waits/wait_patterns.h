/*
 * wait_patterns: the names of all results of the search for wait states, as metrics with parents.
 *
 * Metrics form trees. The search gives exclusive values: what it adds to a metric is not in the children of the
 * metric, and readers sum up. A metric that only groups others gets no values. Names are those that the field knows
 * (Scalasca, KOJAK) as far as it has them.
 */
#ifndef FATHOM_WAITS_WAIT_PATTERNS_H
#define FATHOM_WAITS_WAIT_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

enum fathom_waits_pattern {
	/* Time of waiting, charged to the call path of the operation that waited, at its location. */
	FATHOM_WAITS_WAITING,			/* only groups */
	FATHOM_WAITS_IN_P2P,			/* only groups */
	FATHOM_WAITS_LATE_SENDER,
	FATHOM_WAITS_WRONG_ORDER,		/* only groups */
	FATHOM_WAITS_WRONG_ORDER_DIFFERENT,
	FATHOM_WAITS_WRONG_ORDER_SAME,
	FATHOM_WAITS_LATE_RECEIVER,
	FATHOM_WAITS_IN_COLLECTIVES,		/* only groups */
	FATHOM_WAITS_BARRIER_WAIT,
	FATHOM_WAITS_BARRIER_COMPLETION,
	FATHOM_WAITS_NXN_WAIT,
	FATHOM_WAITS_NXN_COMPLETION,
	FATHOM_WAITS_LATE_BROADCAST,
	FATHOM_WAITS_EARLY_REDUCE,
	FATHOM_WAITS_EARLY_SCAN,
	FATHOM_WAITS_INIT_COMPLETION,
	FATHOM_WAITS_FINALIZE_WAIT,
	FATHOM_WAITS_IN_RMA,			/* only groups */
	FATHOM_WAITS_RMA_AT_CREATE,
	FATHOM_WAITS_RMA_AT_FREE,
	FATHOM_WAITS_RMA_AT_FENCE,
	FATHOM_WAITS_RMA_EARLY_FENCE,
	FATHOM_WAITS_RMA_SYNC_LATE_POST,
	FATHOM_WAITS_RMA_COMM_LATE_POST,
	FATHOM_WAITS_RMA_EARLY_WAIT,
	FATHOM_WAITS_RMA_LATE_COMPLETE,
	FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION,
	FATHOM_WAITS_RMA_COMM_LOCK_COMPETITION,
	FATHOM_WAITS_RMA_SYNC_PROGRESS,
	FATHOM_WAITS_RMA_COMM_PROGRESS,
	FATHOM_WAITS_IN_OPENMP,			/* only groups */
	FATHOM_WAITS_OMP_BARRIER_EXPLICIT,
	FATHOM_WAITS_OMP_BARRIER_IMPLICIT,
	FATHOM_WAITS_IN_LOCKS,			/* only groups */
	FATHOM_WAITS_CONTENTION_CRITICAL,
	FATHOM_WAITS_CONTENTION_OMP_LOCK,
	FATHOM_WAITS_CONTENTION_MUTEX,
	FATHOM_WAITS_CONTENTION_CONDITION,

	/* Idle workers: charged to call paths of the initial thread, at its location. */
	FATHOM_WAITS_IDLE_THREADS,
	FATHOM_WAITS_LIMITED_PARALLELISM,

	/* Number of operations that waited, charged as their waiting. */
	FATHOM_WAITS_COUNT_LATE_SENDER,
	FATHOM_WAITS_COUNT_WRONG_ORDER,
	FATHOM_WAITS_COUNT_LATE_RECEIVER,
	FATHOM_WAITS_COUNT_COLLECTIVE,
	FATHOM_WAITS_COUNT_RMA,
	FATHOM_WAITS_COUNT_THREADS,		/* barriers of OpenMP and locks */

	/* Number of other processes that a fence, or the end of an epoch with a group, synchronised with, charged to
	 * this call. */
	FATHOM_WAITS_PAIR_SYNC,
	FATHOM_WAITS_PAIR_SYNC_UNNEEDED,	/* the two processes exchanged no data */

	/* Causes: what the waiting of others cost, charged to what made the late location late, there. */
	FATHOM_WAITS_DELAY,			/* only groups */
	FATHOM_WAITS_DELAY_LATE_SENDER,		/* this and the following: only groups */
	FATHOM_WAITS_DELAY_LATE_SENDER_SHORT,
	FATHOM_WAITS_DELAY_LATE_SENDER_LONG,
	FATHOM_WAITS_DELAY_LATE_RECEIVER,
	FATHOM_WAITS_DELAY_LATE_RECEIVER_SHORT,
	FATHOM_WAITS_DELAY_LATE_RECEIVER_LONG,
	FATHOM_WAITS_DELAY_BARRIER,
	FATHOM_WAITS_DELAY_BARRIER_SHORT,
	FATHOM_WAITS_DELAY_BARRIER_LONG,
	FATHOM_WAITS_DELAY_N2N,
	FATHOM_WAITS_DELAY_N2N_SHORT,
	FATHOM_WAITS_DELAY_N2N_LONG,
	FATHOM_WAITS_DELAY_12N,
	FATHOM_WAITS_DELAY_12N_SHORT,
	FATHOM_WAITS_DELAY_12N_LONG,
	FATHOM_WAITS_DELAY_N21,
	FATHOM_WAITS_DELAY_N21_SHORT,
	FATHOM_WAITS_DELAY_N21_LONG,
	FATHOM_WAITS_DELAY_SCAN,
	FATHOM_WAITS_DELAY_SCAN_SHORT,
	FATHOM_WAITS_DELAY_SCAN_LONG,
	FATHOM_WAITS_DELAY_RMA,
	FATHOM_WAITS_DELAY_RMA_SHORT,
	FATHOM_WAITS_DELAY_RMA_LONG,
	FATHOM_WAITS_DELAY_LOCK,
	FATHOM_WAITS_DELAY_LOCK_SHORT,
	FATHOM_WAITS_DELAY_LOCK_LONG,
	FATHOM_WAITS_DELAY_OMP_BARRIER,
	FATHOM_WAITS_DELAY_OMP_BARRIER_SHORT,
	FATHOM_WAITS_DELAY_OMP_BARRIER_LONG,
	FATHOM_WAITS_DELAY_OMP_IDLE,
	FATHOM_WAITS_DELAY_OMP_IDLE_SHORT,
	FATHOM_WAITS_DELAY_OMP_IDLE_LONG,
	FATHOM_WAITS_LOCK_BLAME,		/* waiting for a lock, charged to the call path that released it */

	/* The waiting that takes part in the search for causes, in two partitions; charged as the waiting. */
	FATHOM_WAITS_DIRECT,
	FATHOM_WAITS_INDIRECT,
	FATHOM_WAITS_PROPAGATING,
	FATHOM_WAITS_TERMINAL,

	/* Waiting for late senders in a grid, by the direction of the messages; charged as the waiting. */
	FATHOM_WAITS_ON_GRID,			/* only groups */
	FATHOM_WAITS_REFILL,			/* only groups */
	FATHOM_WAITS_REFILL_X_UP,		/* from here to Z_DOWN: two for each dimension, upward first */
	FATHOM_WAITS_REFILL_X_DOWN,
	FATHOM_WAITS_REFILL_Y_UP,
	FATHOM_WAITS_REFILL_Y_DOWN,
	FATHOM_WAITS_REFILL_Z_UP,
	FATHOM_WAITS_REFILL_Z_DOWN,
	FATHOM_WAITS_REFILL_OTHER,
	FATHOM_WAITS_SWEEP_INSIDE,

	/* The critical path, and what follows from it: charged to call paths on it. */
	FATHOM_WAITS_CRITICAL_PATH,
	FATHOM_WAITS_CRITICAL_PATH_IMBALANCE,
	FATHOM_WAITS_IMPACT,			/* only groups */
	FATHOM_WAITS_IMPACT_CRITICAL,		/* only groups */
	FATHOM_WAITS_IMPACT_ACTIVITIES,
	FATHOM_WAITS_IMPACT_IMBALANCE,		/* only groups */
	FATHOM_WAITS_IMPACT_INTRA,
	FATHOM_WAITS_IMPACT_INTER,
	FATHOM_WAITS_IMPACT_NON_CRITICAL,
	FATHOM_WAITS_PATTERNS
};

#define FATHOM_WAITS_NO_PARENT (-1)

struct fathom_waits_pattern_info {
	const char *name;		/* unique name of the metric */
	const char *title;		/* display name */
	const char *description;
	int parent;			/* enum fathom_waits_pattern, less than the pattern itself; or
					 * FATHOM_WAITS_NO_PARENT */
	bool is_group;			/* the pattern gets no values; its children do */
	bool is_count;			/* the values are numbers; else they are seconds */
};

/* Returns what is known of a pattern; the strings live for ever. Any context. */
const struct fathom_waits_pattern_info *fathom_waits_pattern_info(enum fathom_waits_pattern pattern);

#endif
