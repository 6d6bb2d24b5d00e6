/*
 * trace_summary: sums over a trace: events by kind, time by region, data by communicator. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_REPORT_TRACE_SUMMARY_H
#define FATHOM_TOOLS_REPORT_TRACE_SUMMARY_H

#include "cube/cube.h"
#include "otf2/archive_reader.h"
#include "otf2/region_stacks.h"
#include "tools/common/trace/trace_region.h"

struct fathom_otf2_region_sum {
	uint64_t own_ticks, visits;
	uint64_t samples;		/* of time that were taken in the region itself */
};

struct fathom_otf2_comm_sum {
	uint64_t messages, bytes;	/* sent */
	uint64_t collectives;		/* counted once for each member that took part */
	uint64_t collective_bytes;	/* sent in them */
};

/* A location while its measurement is off. */
struct fathom_trace_off {
	uint64_t since;			/* 0: measurement is on */
	uint32_t depth;			/* number of regions that were active then */
};

struct fathom_trace_summary {
	struct fathom_otf2_archive *trace;
	uint64_t events;
	uint64_t kinds[FATHOM_RECORD_COUNT];
	struct fathom_otf2_region_sum *regions;	/* by index of the region; the last one: time without measurement */
	uint64_t own_ticks;		/* of all regions */
	uint64_t samples;		/* of time, of all regions */
	struct fathom_otf2_comm_sum *comms;		/* by index */
	uint64_t *location_events;			/* by index */
	uint64_t rma_bytes, io_bytes_read, io_bytes_written;
	uint64_t flush_ticks, off_ticks;
	uint64_t first, last;				/* times */
	uint32_t program;				/* id of a string; undefined: the trace does not contain it */
	char command[4096];
	/* Used while the trace is being read: */
	struct fathom_otf2_stacks stacks;
	uint64_t *since;		/* by location: the time up to which its time is charged to regions */
	struct fathom_trace_off *off;	/* by location */
	struct fathom_table operations;	/* operations on files that have begun and not ended */
};

/* Read definitions and events of an open trace; free the sums. 0, or -errno with a line in trace->error. */
int fathom_trace_summary_read(struct fathom_trace_summary *summary, struct fathom_otf2_archive *trace);
void fathom_trace_summary_fini(struct fathom_trace_summary *summary);

/* The number of entries in regions, and the words of one of them. The last entry is the region MEASUREMENT OFF, as in
 * the profiles of runs and of fathom analyze: traces do not say what a location does while its measurement is off. */
size_t fathom_trace_summary_region_count(const struct fathom_trace_summary *summary);
struct fathom_cube_region fathom_trace_summary_region(const struct fathom_trace_summary *summary, size_t index);

#endif
