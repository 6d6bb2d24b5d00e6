/* own_cost: the part of the time in a profile that is the measurement's own cost. */
#ifndef FATHOM_TOOLS_REPORT_OWN_COST_H
#define FATHOM_TOOLS_REPORT_OWN_COST_H

#include "tools/common/profile.h"

/* The own cost, as the file estimates it. */
struct fathom_own_cost {
	double seconds;		/* the own cost in sum; -1: the file does not contain it */
	double *by_region;	/* seconds by region; NULL: the file does not contain them */
	bool *is_mostly_cost;	/* by region: more than half of its own time is own cost; NULL as by_region */
};

/* Reads the own cost. 0, or -errno after an error message. Context of all functions: tool. */
int fathom_own_cost_init(struct fathom_own_cost *own_cost, struct fathom_profile *profile,
			 const struct fathom_values *time);
void fathom_own_cost_fini(struct fathom_own_cost *own_cost);

#endif
