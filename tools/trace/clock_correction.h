/*
 * clock_correction: corrects the times of a trace by the controlled logical clock (logical_clock.h).
 *
 * Messages, collective operations, forks and teams, created threads and locks are the constraints. The times of all
 * events and their moves are in a temporary file, 16 bytes for each event, so that the system can take them out of
 * memory; the constraints are in memory.
 */
#ifndef FATHOM_TOOLS_TRACE_CLOCK_CORRECTION_H
#define FATHOM_TOOLS_TRACE_CLOCK_CORRECTION_H

#include "otf2/archive_reader.h"
#include "tools/trace/logical_clock.h"

struct fathom_clock_latencies {		/* the least time of a message, in ns */
	double within_host, between_hosts;
};

struct fathom_clock_correction {
	struct fathom_logical_clock_result result;
	uint64_t **times;	/* by location; of the file */
	double **moves;
	void *memory;		/* of the file */
	size_t bytes;
};

/* Reads the events of the trace, whose definitions are read, and corrects their times. 0, or -errno after an error
 * message. Context: tool. */
int fathom_clock_correction_make(struct fathom_clock_correction *correction, struct fathom_otf2_archive *trace,
				 const struct fathom_clock_latencies *latencies);
void fathom_clock_correction_fini(struct fathom_clock_correction *correction);

/* Returns the corrected time of the event with that number (from 0) of a location; data is the correction. Context:
 * tool. */
uint64_t fathom_clock_correction_time(void *data, uint32_t location, uint64_t number, uint64_t time);

#endif
