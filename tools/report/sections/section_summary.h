/* section_summary: the head of the report: the program and its run, its time by activity, and how evenly ranks and
 * threads worked. */
#ifndef FATHOM_TOOLS_REPORT_SECTION_SUMMARY_H
#define FATHOM_TOOLS_REPORT_SECTION_SUMMARY_H

struct fathom_report;

/* Prints the program, the hosts, the duration of the run, and the cost of measuring. */
void fathom_report_header(struct fathom_report *report);

/* Prints the time of the run by activity. Needs the time metric. */
void fathom_report_activities(struct fathom_report *report);

/* Prints how evenly ranks or threads worked. Needs the time metric. */
void fathom_report_balance(struct fathom_report *report);

#endif
