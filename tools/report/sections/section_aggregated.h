/*
 * section_aggregated: how evenly threads worked, from files whose threads were aggregated (FATHOM_THREADS): key
 * threads, groups of threads, or statistics over threads.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_AGGREGATED_H
#define FATHOM_TOOLS_REPORT_SECTION_AGGREGATED_H

#include <stdint.h>

#include "tools/common/profile.h"

struct fathom_report;

/* Statistics of a call path over the threads that visited it. */
struct fathom_thread_spread {
	uint32_t cnode;
	struct fathom_statistics time;		/* its own time, in seconds */
	struct fathom_statistics visits;	/* count is 0 where the file does not have them */
};

/* Prints the groups of threads that visited the same call paths, and the work of each group. */
void fathom_report_groups(struct fathom_report *report);

/* Prints the call paths in parallel regions whose work differs most between threads. Prints nothing for files without
 * statistics. */
void fathom_report_spread(struct fathom_report *report);

/* Finds the call paths in parallel regions for which the file has statistics over threads. They are sorted: the call
 * path on which even work would save most time comes first. Returns their number; the caller frees *spreads. */
uint32_t fathom_report_spreads(struct fathom_report *report, struct fathom_thread_spread **spreads);

#endif
