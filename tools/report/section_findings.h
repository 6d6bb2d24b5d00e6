/*
 * section_findings: the few problems in the use of threads that a reader should look at first, each with its cost.
 *
 * Each kind of finding is a rule with a threshold that says when the problem is worth a line. The rules guess nothing
 * that the file cannot tell because threads were added up.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H
#define FATHOM_TOOLS_REPORT_SECTION_FINDINGS_H

#include <stdint.h>

struct fathom_report;

struct fathom_finding {
	const char *kind;	/* "imbalance", "lock contention", ... */
	uint32_t cnode;		/* the call path */
	double seconds;		/* what the problem costs, over all threads */
	char text[768];		/* a sentence for people */
};
enum { FATHOM_FINDING_ROOM = 8 };

void fathom_report_findings(struct fathom_report *report);

/* Fills findings, which has room for FATHOM_FINDING_ROOM; the most expensive comes first. Returns how many. */
uint32_t fathom_report_find_problems(struct fathom_report *report, struct fathom_finding *findings);

#endif
