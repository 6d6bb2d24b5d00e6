/*
 * burst_extraction: finds the bursts of a trace while its events are read in the order of time.
 *
 * A burst is a stretch of computation of one thread between two consecutive calls of a parallel runtime: it begins when
 * a call of MPI, OpenMP, threads or files returns, and ends when the next such call begins. The begin and end of an
 * OpenMP construct whose body is computation (parallel, loop, task, ...), a switch to another task, and the begin and
 * end of a thread's part in a team also end a burst and begin the next one. The first burst of a thread begins with the
 * program, the last one ends with it.
 *
 * Each burst has its call paths, and for each counter of the trace its growth. Memory grows with the number of threads
 * and call paths, not with the number of bursts: the function of the user gets each burst as soon as its end and the
 * counters there are known, in the order of time within each thread. Context of all functions: tool.
 */
#ifndef FATHOM_BURSTS_BURST_EXTRACTION_H
#define FATHOM_BURSTS_BURST_EXTRACTION_H

#include <stdbool.h>

#include "bursts/burst_paths.h"
#include "otf2/archive_reader.h"
#include "otf2/region_stacks.h"

struct fathom_burst {
	uint32_t location;	/* index */
	uint32_t before, after;	/* call paths of the calls or constructs that end at begin and begin at end;
				 * FATHOM_NO_BURST_PATH: the program begins or ends there */
	uint32_t code;		/* the call path with the largest own time in the burst; FATHOM_NO_BURST_PATH: none */
	uint64_t begin, end;	/* ticks of the trace */
	const double *counters;	/* by counter: growth in the burst; not a number: not measured at its
				 * begin or at its end. Valid during the call */
};

/* Takes a burst. If it returns false, the reading stops. */
typedef bool fathom_burst_take(void *taker, const struct fathom_burst *burst);

/* A counter of the trace that grows from the start of the run, and that threads record themselves. */
struct fathom_burst_counter {
	const char *name, *unit;	/* live as long as the trace */
	double factor;			/* a value of the trace times it is in the unit */
	bool is_strict;			/* read at the begins and ends of regions only */
	bool is_amount;			/* given by the program; a burst has the sum, if there is one */
};

struct fathom_burst_location;

struct fathom_burst_extraction {
	struct fathom_otf2_archive *trace;
	fathom_burst_take *take;
	void *taker;
	struct fathom_burst_counter *counters;
	uint32_t counter_count;
	uint32_t *counter_of_member;	/* by index of the definition: counter + 1; 0: its values are no counts.
					 * Several definitions may have one name, if processes count different things */
	struct fathom_burst_paths paths;
	bool *is_runtime;		/* by index of region: its own time is no computation */
	bool *is_boundary;		/* by index of region: its begin and end divide bursts */
	struct fathom_otf2_stacks stacks;	/* of call paths in place of regions */
	struct fathom_burst_location *locations;
	uint32_t location_count;
	uint32_t *fork_paths;		/* by process: call path of the fork that a thread did last */
	double *differences;		/* of the counters of one burst */
	uint64_t bursts;		/* that were given to take */
	uint64_t interrupted;		/* left out: the trace buffer was flushed or measurement was off in them */
	uint64_t unrecorded;		/* of recorded bursts (recorded_bursts.h): dropped when the program ran */
	uint64_t last;			/* time of the last event */
	uint64_t events;
	bool stopped;			/* take returned false */
};

/* Prepare the extraction of an open trace whose definitions are read, and free everything. */
void fathom_burst_extraction_init(struct fathom_burst_extraction *extraction, struct fathom_otf2_archive *trace,
				  fathom_burst_take *take, void *taker);
void fathom_burst_extraction_fini(struct fathom_burst_extraction *extraction);

/* Takes an event; the function for fathom_otf2_read_events. */
bool fathom_burst_extraction_take(void *extraction, const struct fathom_otf2_event *event);

/* Ends the bursts that are still open at the time of the last event of their thread. */
void fathom_burst_extraction_finish(struct fathom_burst_extraction *extraction);

/* Writes the names of the regions of a call path, separated by " > ", into text; the beginning is left out if there is
 * not enough room. Returns text. */
const char *fathom_burst_path_text(const struct fathom_burst_extraction *extraction, uint32_t path, char *text,
				   size_t bytes);

#endif
