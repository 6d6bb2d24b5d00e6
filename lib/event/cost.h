/*
 * cost: what the measurement of a call takes.
 *
 * Of the time between the two clock readings of a visit, a part is the measurement's own: it falls *inside*, into the
 * region. What comes before the first reading and behind the second falls *outside*, into the region around it.
 */
#ifndef FATHOM_EVENT_COST_H
#define FATHOM_EVENT_COST_H

#include <stdint.h>

struct fathom_cost {		/* of an enter and its exit, in units of 2^-32 s */
	uint64_t inside_units;
	uint64_t outside_units;
};

/* Measured the first time that somebody asks, on a location of its own, through the same code as every event, whatever
 * is on: call paths, counters, records of a trace (not the files that they are written to in the end). The start of a
 * program does not wait for it. All zero: no memory. Context: birth, finish, signal. */
struct fathom_cost fathom_cost_measure(void);

#endif
