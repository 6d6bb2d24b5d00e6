/*
 * cost: what the measurement of a call takes.
 *
 * Of the time between the two clock readings of a visit, a part is the measurement's own: it falls *inside*, into the
 * region. What comes before the first reading and behind the second falls *outside*, into the region around it.
 *
 * How much it is depends on the way in which an enter comes to the core: who tells of a region says by what it can be
 * measured. The core itself knows of its own functions only, which wrappers call.
 */
#ifndef FATHOM_EVENT_COST_H
#define FATHOM_EVENT_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;

enum fathom_way {
	FATHOM_WAY_CALL,	/* a wrapper's call: fathom_event_enter */
	FATHOM_WAY_HOOK,	/* a function's, put in early: -finstrument-functions */
	FATHOM_WAY_SLED,	/* a function's, put in late */
	FATHOM_WAYS
};

struct fathom_cost {		/* of an enter and its exit, in units of 2^-32 s */
	uint64_t inside_units;
	uint64_t outside_units;
};

/* What it takes to read counters (FATHOM_METRICS), once, as measured at the start; in units of 2^-32 s. */
struct fathom_reading_cost {
	uint64_t all_units;		/* all of the initial thread; 0: there are none */
	uint64_t perf_read_units;	/* perf's, by read(); 0: there are none */
	uint64_t perf_rdpmc_units;	/* perf's, by the instruction rdpmc; 0: that is impossible */
	bool by_rdpmc;			/* the way that is used */
};

struct fathom_costs {
	struct fathom_cost of[FATHOM_WAYS];	/* with the two readings of counters that a visit takes */
	struct fathom_reading_cost reading;
};

/* How the enters of region come. Any context. */
enum fathom_way fathom_cost_way(const struct fathom_region *region);

/*
 * What it takes in a program, of each way, also of those that nothing has come by so far: these cost what a call does.
 * Measured at the first request after fathom_event_cost_by described how, on a location of its own, through the same
 * code as every event, with all that is on: call paths, counters, records of a trace (not the files that they are
 * written to in the end). The start of a program does not wait for it. All zero: no memory. Context: birth, finish,
 * signal.
 */
struct fathom_costs fathom_cost_measure(void);

/* What tells the core of an enter of the region to measure with, and of its exit, as a function does that has hooks.
 * Both find the stack where the other did. */
struct fathom_pair {
	void (*enter)(void);
	void (*leave)(void);
};

/* From now on, what comes this way is measured by pair, which stays. code: whose exit that is (define/region.h); NULL
 * where that does not matter. Context: birth. */
FATHOM_API void fathom_event_cost_by(enum fathom_way way, const struct fathom_pair *pair, const void *code);

/* The region that they tell of. Any context. */
FATHOM_API const struct fathom_region *fathom_event_cost_region(void);

#endif
