/*
 * section_imbalance: the call paths whose computation is unequal, for --waits. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_IMBALANCE_H
#define FATHOM_TOOLS_REPORT_SECTION_IMBALANCE_H

struct fathom_report;

/* Prints the call paths with most time above the mean; nothing if there is only one process and thread, or no such
 * call path. 0, or -errno after an error message. */
int fathom_report_imbalance(struct fathom_report *report);

#endif
