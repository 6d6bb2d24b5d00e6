/*
 * disabled_time: where the time would be if nothing had been switched off to keep FATHOM_OVERHEAD.
 *
 * What a region that is off takes is in the own time of the innermost call path around it that is on, exactly,
 * but not how much of it. How often it was called since then is estimated in the file (visits_missing); each of these
 * calls is taken to have had the mean own time of those that were measured, without the measurement's. Where its
 * caller came only later, there is no call path of it: there it is taken to be called as elsewhere. Where all that is
 * more than there is around it, it is all less in proportion. So the sum is what was measured.
 */
#ifndef FATHOM_TOOLS_REPORT_DISABLED_TIME_H
#define FATHOM_TOOLS_REPORT_DISABLED_TIME_H

#include "tools/common/profile.h"

struct fathom_estimate {
	double *own;		/* seconds by cnode, in place of the own time measured; NULL: nothing was off */
	double *elsewhere;	/* seconds by region, of call paths where it was never seen */
	double *missing;	/* visits by cnode */
	bool *is_estimated;	/* by region: its own time is another than was measured */
};

/* 0, or -errno after a line was said. */
int fathom_estimate_init(struct fathom_estimate *estimate, struct fathom_profile *profile,
			 const struct fathom_values *time, const struct fathom_values *visits);
void fathom_estimate_fini(struct fathom_estimate *estimate);

#endif
