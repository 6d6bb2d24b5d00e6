/* findings: applies all rules of the files *_findings.c to a profile. */
#ifndef FATHOM_TOOLS_REPORT_FINDINGS_H
#define FATHOM_TOOLS_REPORT_FINDINGS_H

#include "tools/report/findings/finding_list.h"

/* Fills in findings, which has room for FATHOM_FINDING_ROOM; the most expensive one comes first. Returns their
 * number. Context: tool. */
uint32_t fathom_report_find_problems(struct fathom_report *report, struct fathom_finding *findings);

#endif
