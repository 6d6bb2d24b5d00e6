/*
 * section_findings: what stands out: the most expensive problems, each with its place, its cost and what can be done.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H
#define FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H

#include "tools/report/findings/finding_list.h"

/* Prints all findings; nothing if there are none. */
void fathom_report_findings(struct fathom_report *report);

/* Fills in findings, which has room for FATHOM_FINDING_ROOM; the most expensive one comes first. Returns their
 * number. */
uint32_t fathom_report_find_problems(struct fathom_report *report, struct fathom_finding *findings);

#endif
