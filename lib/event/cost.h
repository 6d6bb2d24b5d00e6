/*
 * cost: the time that measuring one visit takes (its own cost).
 *
 * One part of this time passes between the two clock readings of a visit: it is *inside*, and the region gets it. The
 * part before the first reading and after the second one is *outside*, and the region around the visit gets it.
 *
 * Both parts depend on the way in which enters come to the core. The wrapper that reports enters in some way also
 * provides the functions with which this way can be measured. The core itself knows only its own functions, which
 * wrappers call.
 */
#ifndef FATHOM_EVENT_COST_H
#define FATHOM_EVENT_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;

enum fathom_way {
	FATHOM_WAY_CALL,	/* a wrapper calls fathom_event_enter */
	FATHOM_WAY_HOOK,	/* an early hook: -finstrument-functions */
	FATHOM_WAY_SLED,	/* a late hook */
	FATHOM_WAYS
};

struct fathom_cost {		/* for one enter and its exit, in units of 2^-32 s */
	uint64_t inside_units;
	uint64_t outside_units;
};

/* The time of one reading of the counters (FATHOM_METRICS), as measured at the start, in units of 2^-32 s. */
struct fathom_reading_cost {
	uint64_t all_units;		/* of all counters of the initial thread; 0: there are none */
	uint64_t perf_read_units;	/* of the perf counters by read(); 0: there are none */
	uint64_t perf_rdpmc_units;	/* of the perf counters by the instruction rdpmc; 0: not possible */
	bool by_rdpmc;			/* true if rdpmc is used */
};

struct fathom_costs {
	struct fathom_cost of[FATHOM_WAYS];	/* by way; with the two readings of counters for each visit */
	struct fathom_reading_cost reading;
};

/* Returns the way in which the enters of region come to the core. Any context. */
enum fathom_way fathom_cost_way(const struct fathom_region *region);

/*
 * Returns the cost of each way in a running program. A way for which fathom_event_cost_by was not called gets the
 * cost of FATHOM_WAY_CALL. The cost is measured at the first request, on a location of its own, through the same code
 * as every event, with all enabled stages: call paths, counters, records of a trace (but not the writing of its files
 * at the end). The start of a program does not wait for this. All values are zero if there is no memory. Context:
 * birth, finish, signal.
 */
struct fathom_costs fathom_cost_measure(void);

/* Two functions that report an enter and an exit of the region fathom_event_cost_region, in the way of a function
 * with hooks. The stack pointer must be the same in both. */
struct fathom_pair {
	void (*enter)(void);
	void (*leave)(void);
};

/* Sets the functions with which the cost of way is measured; the caller keeps *pair for ever. code: the address by
 * which the exit finds its region (define/region.h); NULL if this way does not use it. Context: birth. */
FATHOM_API void fathom_event_cost_by(enum fathom_way way, const struct fathom_pair *pair, const void *code);

/* Returns the region that the functions of a pair enter and exit. Any context. */
FATHOM_API const struct fathom_region *fathom_event_cost_region(void);

#endif
