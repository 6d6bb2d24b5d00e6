/*
 * process_tree: what the threads of this process have recorded up to now, as one call tree.
 *
 * Taken while other threads may go on: what they add meanwhile is partly in it, but no value is
 * negative and no call path is half there. Regions that are active count as visits that end now.
 */
#ifndef FATHOM_PROFILE_PROCESS_TREE_H
#define FATHOM_PROFILE_PROCESS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "event/cost.h"
#include "event/location.h"
#include "platform/clock.h"
#include "profile/call_tree.h"
#include "profile/callpath.h"

/* The numbers a call path has on a location. */
enum fathom_value {
	FATHOM_VALUE_VISITS,
	FATHOM_VALUE_TIME,	/* exclusive; this and the next two in units of 2^-32 s */
	FATHOM_VALUE_MIN,	/* of the inclusive time of a visit; UINT64_MAX: never visited */
	FATHOM_VALUE_MAX,
	FATHOM_VALUE_IDLE,	/* what a worker could have worked while its leader was here, in no parallel region */
	FATHOM_VALUE_OVERHEAD,	/* what the measurement takes of the exclusive time, estimated; in the same units */
	FATHOM_VALUE_MISSING_VISITS,	/* what was not recorded, because the region was switched off: estimates */
	FATHOM_VALUE_MISSING_TIME,	/* inclusive, in the same units */
	FATHOM_VALUE_GIVEN,	/* how many amounts the program gave, of any metric; */
	FATHOM_VALUE_GIVEN_REAL,	/* and of those of type double */
	FATHOM_VALUE_COUNTERS,	/* from here on, in the order of enum fathom_counter */
	FATHOM_VALUE_THREADS = FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_COUNT,	/* how many threads visited it */
	FATHOM_VALUE_COUNT,
	FATHOM_VALUE_METRICS = FATHOM_VALUE_COUNT	/* from here on, by the metric's id (define/metric.h) */
};

/* Which values there are at a call path. */
typedef unsigned __int128 fathom_presence;

static inline fathom_presence fathom_presence_of(uint32_t value)
{
	return (fathom_presence)1 << value;
}

/* Below the width, so that it may be shifted by the number of values. */
_Static_assert(FATHOM_VALUE_METRICS + FATHOM_METRIC_MOST < 128, "which values are there is said in 128 bits");

struct fathom_totals {		/* over all locations of a process, or of a run */
	uint64_t events;	/* enters, with their exits */
	struct fathom_cost cost;	/* of all of them */
	uint64_t dropped[FATHOM_DROP_COUNT];
};

/* A thread that served several teams may have a call path more than once in its own tree. */
struct fathom_extra_node {
	struct fathom_extra_node *next;
	struct fathom_node *node;
	uint32_t location;
};

struct fathom_process_tree {
	struct fathom_arena arena;
	uint32_t serial;			/* from 1: nodes remember who has them */
	struct fathom_location **locations;	/* the initial thread's first, workers, created ones, others */
	uint32_t location_count;
	struct fathom_tree tree;		/* keys: ids of regions */
	struct fathom_node **nodes;		/* [tree node][location]; NULL: not visited there */
	struct fathom_extra_node **extra_nodes;	/* by tree node: more of what a location has there. NULL: nobody has */
	uint32_t *leaders;			/* by location: 1 + that which forks its teams; 0: nobody does */
	bool *is_serial;			/* by tree node: outside of parallel regions and tasks */
	uint32_t value_count;			/* FATHOM_VALUE_COUNT, and the metrics that there were */
	struct fathom_tick_scale scale;
	struct fathom_totals totals;
	uint64_t budget_now;			/* when it was taken, see profile/budget.h */
	struct fathom_costs costs;		/* of a visit */
};

/*
 * What location number location is called ("Master thread", "OMP thread 3", nested "OMP thread 0:2", "Pthread
 * thread 5"); returns text. Context: finish, signal.
 */
const char *fathom_process_tree_location_name(const struct fathom_process_tree *process, uint32_t location, char *text,
					      size_t bytes);

/*
 * Takes a snapshot of all locations. costs: of a visit. end_ticks: when the program's work ended, and so whatever is
 * active on its threads; 0: now. A thread that has entered something since then goes on and ends now.
 * 0 or -ENOMEM; after an error nothing is held. Context: finish, signal.
 */
int fathom_process_tree_build(struct fathom_process_tree *process, const struct fathom_costs *costs,
			      uint64_t end_ticks);
void fathom_process_tree_fini(struct fathom_process_tree *process);

/*
 * The values of a call path on all locations: values[value_count][location_count]. Returns
 * which are not all zero (not all "never"): bits by enum fathom_value.
 */
fathom_presence fathom_process_tree_values(const struct fathom_process_tree *process, uint32_t node, uint64_t *values);

#endif
