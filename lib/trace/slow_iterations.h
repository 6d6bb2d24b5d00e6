/*
 * slow_iterations: finds iterations of a phase that take much longer than most (FATHOM_TRACE_SLOW).
 *
 * Each location follows the first phase that it enters. An iteration lasts from its begin to that of the next one. It
 * is slow if it takes the given number of times the median of the 15 iterations before it. Then the newest events of
 * all locations stay in the trace in full (event_ring.h). Context: hook.
 */
#ifndef FATHOM_TRACE_SLOW_ITERATIONS_H
#define FATHOM_TRACE_SLOW_ITERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "define/region.h"

enum { FATHOM_SLOW_ITERATIONS = 15 };	/* odd, so that one of them is the median */

/* The newest iterations of a location's phase. */
struct fathom_slow_iterations {
	const struct fathom_region *phase;	/* NULL: the location has not entered one yet */
	uint64_t begin_ticks;		/* of the iteration that runs */
	uint64_t count;			/* number of complete iterations */
	uint64_t ticks[FATHOM_SLOW_ITERATIONS];	/* of iteration i at i % FATHOM_SLOW_ITERATIONS */
};

/* Returns whether an iteration of phase that begins now follows one that took at least factor times the median of those
 * before it. */
bool fathom_slow_iterations_begin(struct fathom_slow_iterations *iterations, const struct fathom_region *phase,
				  uint64_t now, uint64_t factor);

#endif
