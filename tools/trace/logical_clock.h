/*
 * logical_clock: corrects times of events that break the order of causes and effects: the controlled logical clock.
 *
 * The user gives the times of the events of each location, and constraints: no target of a constraint may be earlier
 * than all of its sources plus a latency. A message has one source and one target; a barrier has all enters as
 * sources and all leaves as targets. Forward, each time is moved to the least value that satisfies the constraints;
 * the move decays by the factor 1 - g of the time that passes, so that local intervals keep their lengths up to that
 * factor. Backward, the events before a target that jumped are moved towards it, linearly over 100 times the length
 * of the jump, but never so far that a source would break its constraint; where one would, the line is bent. The
 * order of the events of a location never changes.
 *
 * Times are in ticks. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_LOGICAL_CLOCK_H
#define FATHOM_TOOLS_TRACE_LOGICAL_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_logical_clock;

struct fathom_logical_clock_result {
	uint64_t violations;	/* targets that were too early */
	uint64_t left;		/* targets that still are, because the constraints contradict each other */
	unsigned passes;	/* forward passes, each with a smaller g */
	double g;		/* of the last pass */
	double most;		/* the farthest move of an event, in ticks */
};

/* Makes a clock for that many locations. step is the least difference of two times that differ, in ticks. */
struct fathom_logical_clock *fathom_logical_clock_create(size_t locations, double step);
void fathom_logical_clock_destroy(struct fathom_logical_clock *clock);

/* Gives the clock the times of the events of a location, which do not descend, and room for their moves; both stay the
 * caller's. moves is the result: how much later each event is, in ticks. */
void fathom_logical_clock_set(struct fathom_logical_clock *clock, size_t location, const uint64_t *times, double *moves,
			      uint64_t count);

/* Makes a constraint with that latency, and adds the event with that number (from 0) of a location to one. */
uint32_t fathom_logical_clock_add(struct fathom_logical_clock *clock, double latency);
void fathom_logical_clock_add_source(struct fathom_logical_clock *clock, uint32_t constraint, size_t location,
				     uint64_t number);
void fathom_logical_clock_add_target(struct fathom_logical_clock *clock, uint32_t constraint, size_t location,
				     uint64_t number);

/* Corrects the times: sets the moves of all locations. */
struct fathom_logical_clock_result fathom_logical_clock_correct(struct fathom_logical_clock *clock);

#endif
