/*
 * process_tree: the call tree of all threads of this process, merged from what the threads have recorded so far.
 *
 * Other threads may continue to record while the tree is built. The tree then contains a part of what they add, but
 * no value is negative and no call path is incomplete. Active regions count as visits that end now.
 */
#ifndef FATHOM_PROFILE_PROCESS_TREE_H
#define FATHOM_PROFILE_PROCESS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "event/cost.h"
#include "event/location.h"
#include "platform/clock.h"
#include "profile/process_tree/call_tree.h"
#include "profile/recording/callpath.h"
#include "profile/process_tree/sampled_call_paths.h"

/* The values of a call path on a location. */
enum fathom_value {
	FATHOM_VALUE_VISITS,
	FATHOM_VALUE_TIME,	/* exclusive; this and the next two in units of 2^-32 s */
	FATHOM_VALUE_MIN,	/* inclusive time of the shortest visit; UINT64_MAX: never visited */
	FATHOM_VALUE_MAX,
	FATHOM_VALUE_IDLE,	/* time in which a worker was idle while its leader was here, outside of parallel
				 * regions */
	FATHOM_VALUE_OVERHEAD,	/* estimate: the part of the exclusive time that measuring took; same units */
	FATHOM_VALUE_MISSING_VISITS,	/* estimate: visits not recorded because the region was disabled; this and the
					 * next are 0 in the process tree, see budget_estimates.h */
	FATHOM_VALUE_MISSING_TIME,	/* estimate: their inclusive time; same units */
	FATHOM_VALUE_GIVEN,	/* number of values that the program gave, of all given metrics */
	FATHOM_VALUE_GIVEN_REAL,	/* number of these values that are of type double */
	FATHOM_VALUE_SAMPLES,	/* samples of processor time that were taken right at the call path */
	FATHOM_VALUE_MISSING_THREADS,	/* blame for threads that the largest team has more; units of 2^-32 s */
	FATHOM_VALUE_IDLE_PROCESSORS,	/* blame for idle processors; same units. See idleness_values.h */
	FATHOM_VALUE_COUNTERS,	/* from here on, in the order of enum fathom_counter */
	FATHOM_VALUE_THREADS = FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_COUNT,	/* number of threads that visited the
										 * call path */
	FATHOM_VALUE_COUNT,
	FATHOM_VALUE_METRICS = FATHOM_VALUE_COUNT	/* from here on, by the metric's id (define/metric.h) */
};

/* The values that a call path has, as bits by enum fathom_value. */
typedef unsigned __int128 fathom_presence;

/* Returns the bit of a value. Any context. */
static inline fathom_presence fathom_presence_of(uint32_t value)
{
	return (fathom_presence)1 << value;
}

/* Less than the width of the type, so that a shift by the number of values is defined. */
_Static_assert(FATHOM_VALUE_METRICS + FATHOM_METRIC_MOST < 128, "which values are there is said in 128 bits");

struct fathom_totals {		/* sums over all locations of a process, or of a run */
	uint64_t events;	/* visits */
	uint64_t samples[FATHOM_SAMPLES_COUNT];
	struct fathom_cost cost;	/* own cost of all of them */
	uint64_t dropped[FATHOM_DROP_COUNT];
};

/* A further node of a location at a call path: a thread that was in several teams may have a call path more than
 * once in its own tree. */
struct fathom_extra_node {
	struct fathom_extra_node *next;
	struct fathom_node *node;
	uint32_t location;
};

struct fathom_process_tree {
	struct fathom_arena arena;
	uint32_t serial;			/* from 1; nodes note the serial of the tree that they are in */
	struct fathom_location **locations;	/* order: initial thread, workers, created threads, others */
	uint32_t location_count;
	struct fathom_tree tree;		/* keys: ids of regions */
	struct fathom_node **nodes;		/* [tree node][location]; NULL: no such node */
	struct fathom_extra_node **extra_nodes;	/* by tree node: further nodes of locations; NULL: there are none at
						 * all */
	uint32_t *leaders;			/* by location: 1 + the location that forks its teams; 0: none */
	bool *is_serial;			/* by tree node: whether it is outside of parallel regions and tasks */
	uint32_t *team_sizes;			/* by tree node: threads of the teams around it; 0: there are none */
	uint32_t largest_team;
	uint32_t processors;			/* that the process may use; 0 if there are no teams */
	uint32_t value_count;			/* FATHOM_VALUE_COUNT plus the number of metrics at that moment */
	struct fathom_tick_scale scale;
	struct fathom_totals totals;
	struct fathom_costs costs;		/* own cost of a visit */
	struct fathom_sampled sampled;		/* what samples add to the tree */
};

/* Writes the name of a location ("Master thread", "OMP thread 3", nested "OMP thread 0:2", "Pthread thread 5") to
 * text, and returns text. Context: finish, signal. */
const char *fathom_process_tree_location_name(const struct fathom_process_tree *process, uint32_t location, char *text,
					      size_t bytes);

/*
 * Builds the tree from all locations. costs: the own cost of a visit. end_ticks: the end of the program's work, at
 * which active regions end; 0: now. On a thread that has recorded an event since end_ticks, active regions end now. 0
 * or -ENOMEM; after an error no memory is left allocated. Only one tree may be built at a time.
 * fathom_process_tree_fini frees the tree. Context: finish, signal.
 */
int fathom_process_tree_build(struct fathom_process_tree *process, const struct fathom_costs *costs,
			      uint64_t end_ticks);
void fathom_process_tree_fini(struct fathom_process_tree *process);

#endif
