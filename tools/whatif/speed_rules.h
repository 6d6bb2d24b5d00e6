/*
 * speed_rules: the regions and kinds of bursts that a what-if makes faster or slower (--faster REGION=FACTOR,
 * --faster cluster:N=FACTOR).
 *
 * The rules are numbered from 1 in their order; number 0 is for time that no rule is about. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_SPEED_RULES_H
#define FATHOM_TOOLS_WHATIF_SPEED_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_speed_rule {
	const char *name;	/* of regions; may have *, ? and []. Of a kind: "cluster:N" */
	uint32_t kind;		/* of bursts, from 1; 0: the rule is about regions */
	double factor;		/* the code takes its time divided by this */
	bool is_used;		/* a region of the trace or profile has this name, or a burst is of this kind */
	uint64_t bursts;	/* of the kind, in the threads that are replayed, */
	uint64_t ticks;		/* and their measured time */
	char place[1024];	/* call path with most time of the kind; empty: unknown */
};

struct fathom_speed_rules {
	struct fathom_speed_rule *rules;
	size_t count, room;
};

/* Adds a rule, "REGION=FACTOR" or "cluster:N=FACTOR" without spaces around the last '='. A wrong one ends the program
 * with a line. */
void fathom_speed_rules_add(struct fathom_speed_rules *rules, char *text);
void fathom_speed_rules_fini(struct fathom_speed_rules *rules);

/* Returns the number of the last rule about a region of that name, with or without its argument list; 0: none is. */
size_t fathom_speed_rule_of(struct fathom_speed_rules *rules, const char *region);

/* Returns the first rule about a kind of bursts; NULL: there is none. */
const struct fathom_speed_rule *fathom_speed_rules_kind(const struct fathom_speed_rules *rules);

#endif
