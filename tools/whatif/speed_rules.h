/*
 * speed_rules: regions that a what-if makes faster or slower (--faster REGION=FACTOR).
 *
 * The rules are numbered from 1 in their order; number 0 is for time that no rule is about. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_SPEED_RULES_H
#define FATHOM_TOOLS_WHATIF_SPEED_RULES_H

#include <stdbool.h>
#include <stddef.h>

struct fathom_speed_rule {
	const char *name;	/* of regions; may have *, ? and [] */
	double factor;		/* the region takes its time divided by this */
	bool is_used;		/* a region of the trace or profile has this name */
};

struct fathom_speed_rules {
	struct fathom_speed_rule *rules;
	size_t count, room;
};

/* Adds a rule, "REGION=FACTOR" without spaces around the last '='. A wrong one ends the program with a line. */
void fathom_speed_rules_add(struct fathom_speed_rules *rules, char *text);
void fathom_speed_rules_fini(struct fathom_speed_rules *rules);

/* Returns the number of the last rule about a region of that name, with or without its argument list; 0: none is. */
size_t fathom_speed_rule_of(struct fathom_speed_rules *rules, const char *region);

#endif
