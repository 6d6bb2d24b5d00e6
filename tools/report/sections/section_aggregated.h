/*
 * section_aggregated: how evenly threads worked, from files whose threads were aggregated (FATHOM_THREADS): key
 * threads, groups of threads, or statistics over threads.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_AGGREGATED_H
#define FATHOM_TOOLS_REPORT_SECTION_AGGREGATED_H

struct fathom_report;

/* Prints the groups of threads that visited the same call paths, and the work of each group. */
void fathom_report_groups(struct fathom_report *report);

/* Prints the call paths in parallel regions whose work differs most between threads. Prints nothing for files without
 * statistics. */
void fathom_report_spread(struct fathom_report *report);

#endif
