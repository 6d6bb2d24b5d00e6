/*
 * section_findings: the most expensive problems in the use of threads, each with its cost.
 *
 * Each kind of finding is a rule with a threshold above which the problem is reported. If threads were added up and the
 * file therefore lacks the data for a rule, the rule reports nothing.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H
#define FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H

#include <stdint.h>

struct fathom_report;

struct fathom_finding {
	const char *kind;	/* "imbalance", "lock contention", ... */
	uint32_t cnode;		/* the call path */
	double seconds;		/* cost of the problem in seconds, over all threads */
	char text[768];		/* a sentence for people */
};
enum { FATHOM_FINDING_ROOM = 8 };

void fathom_report_findings(struct fathom_report *report);

/* Fills in findings, which has room for FATHOM_FINDING_ROOM; the most expensive one comes first. Returns their
 * number. */
uint32_t fathom_report_find_problems(struct fathom_report *report, struct fathom_finding *findings);

#endif
