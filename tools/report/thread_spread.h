/*
 * thread_spread: how much the values of threads differ at a call path, from files with statistics over threads
 * (FATHOM_THREADS=set). Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_THREAD_SPREAD_H
#define FATHOM_TOOLS_REPORT_THREAD_SPREAD_H

#include <stdint.h>

#include "tools/common/profile.h"

struct fathom_report;

/* Statistics of a call path over the threads that visited it. */
struct fathom_thread_spread {
	uint32_t cnode;
	struct fathom_statistics time;		/* its own time, in seconds */
	struct fathom_statistics visits;	/* count is 0 where the file does not have them */
};

/* Finds the call paths in parallel regions for which the file has statistics over threads. They are sorted: the call
 * path on which even work would save most time comes first. Returns their number; the caller frees *spreads. */
uint32_t fathom_report_spreads(struct fathom_report *report, struct fathom_thread_spread **spreads);

#endif
