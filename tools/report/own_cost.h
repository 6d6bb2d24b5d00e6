/*
 * own_cost: where the time in a profile is mostly that of measuring it.
 */
#ifndef FATHOM_TOOLS_REPORT_OWN_COST_H
#define FATHOM_TOOLS_REPORT_OWN_COST_H

#include "tools/common/profile.h"

struct fathom_bias {
	double seconds;		/* that measuring took, estimated; -1: the file does not say */
	double *by_region;	/* of these; NULL: the file does not say */
	bool *is_biased;	/* by region: of its own time, more than half is that; likewise */
};

/* 0, or -errno after a line was said. */
int fathom_bias_init(struct fathom_bias *bias, struct fathom_profile *profile, const struct fathom_values *time);
void fathom_bias_fini(struct fathom_bias *bias);

#endif
