/*
 * own_cost: how much of the time in a profile is the measurement's own cost.
 */
#ifndef FATHOM_TOOLS_REPORT_OWN_COST_H
#define FATHOM_TOOLS_REPORT_OWN_COST_H

#include "tools/common/profile.h"

/* The own cost, as the file estimates it. */
struct fathom_bias {
	double seconds;		/* that measuring took in all; -1: the file does not say */
	double *by_region;	/* seconds by region; NULL: the file does not say */
	bool *is_biased;	/* by region: more than half of its own time is own cost; NULL as by_region */
};

/* 0, or -errno after a line was said. Context of all functions: tool. */
int fathom_bias_init(struct fathom_bias *bias, struct fathom_profile *profile, const struct fathom_values *time);
void fathom_bias_fini(struct fathom_bias *bias);

#endif
