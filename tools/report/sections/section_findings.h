/*
 * section_findings: what stands out: the most expensive problems, each with its place, its cost and what can be done.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H
#define FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H

struct fathom_report;

/* Prints all findings; nothing if there are none. */
void fathom_report_findings(struct fathom_report *report);

#endif
