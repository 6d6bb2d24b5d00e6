/*
 * finding_list: the findings of a report: what costs most time, where, on which ranks, and what can be done about it.
 *
 * A finding is made by a rule. A rule looks at values of the profile, has a threshold below which it says nothing, and
 * has a sentence. Rules are in the files *_findings.c of this folder. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_FINDING_LIST_H
#define FATHOM_TOOLS_REPORT_FINDING_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_report;

struct fathom_finding {
	const char *kind;	/* "late sender", "imbalance", "lock contention", ... */
	const char *cause;	/* a second word on the kind: "one slow rank"; NULL: none */
	uint32_t cnode;		/* the call path that causes the cost, or else the one that has it */
	double seconds;		/* cost in seconds, over all threads */
	bool is_idle;		/* the cost is idle time, which is not part of the time of the profile */
	char ranks[64];		/* that cause it, "0,2-7"; empty: all, or not known */
	char text[2048];	/* sentences for people */
};

enum { FATHOM_FINDING_ROOM = 7 };	/* a reader can act on this many */

struct fathom_finding_list {
	struct fathom_report *report;
	struct fathom_finding *findings;	/* room for FATHOM_FINDING_ROOM, all zero at first */
	uint32_t count;
};

/* A share of all time from which a finding is reported. */
#define FATHOM_FINDING_FROM 0.02

/* Keeps a finding, except its text, which format and its arguments give; a sentence with its bound follows. If the list
 * is full, the finding replaces the cheapest one, or is dropped if it is cheaper. */
void fathom_finding_add(struct fathom_finding_list *list, const struct fathom_finding *finding, const char *format, ...)
	FATHOM_PRINTF(3, 4);

/* Returns how many times as fast the run could be at most if it were without the cost of the finding, and all other
 * time stayed: all time of all threads / what remains of it. If the cost is waiting, this takes the work to be equally
 * distributed afterwards. Negative: nothing would remain. */
double fathom_finding_bound(const struct fathom_report *report, const struct fathom_finding *finding);

/* Writes the name of a call path's region and its place in the source: "solve (solve.c:12)". A region without a place,
 * such as an MPI call, gets the one of its caller: "MPI_Recv called in solve (solve.c:12)". Returns text. */
const char *fathom_finding_name(const struct fathom_report *report, uint32_t cnode, char *text, size_t bytes);

/* Writes how much a finding costs: "1.234 s (12.3% of the run)". Returns text. */
const char *fathom_finding_cost(const struct fathom_report *report, double seconds, char *text, size_t bytes);

#endif
