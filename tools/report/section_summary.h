/*
 * section_summary: the head of the report: what was run, what its time went into, and how evenly ranks and threads
 * worked.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_SUMMARY_H
#define FATHOM_TOOLS_REPORT_SECTION_SUMMARY_H

struct fathom_report;

/* What was run, where, for how long, and what the measurement cost. */
void fathom_report_header(struct fathom_report *report);

/* The time of the run by activity. Needs the time metric. */
void fathom_report_activities(struct fathom_report *report);

/* How evenly ranks or threads worked. Needs the time metric. */
void fathom_report_balance(struct fathom_report *report);

#endif
