/*
 * section_blame: who makes others wait: the regions that held locks for which threads waited, that let threads wait for
 * a condition, or in which a thread worked while others were idle.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_BLAME_H
#define FATHOM_TOOLS_REPORT_SECTION_BLAME_H

struct fathom_report;

/* Prints nothing if the file has no such metric, or if all waiting together is less than a hundredth of the time. */
void fathom_report_blame(struct fathom_report *report);

#endif
