/*
 * disabled_time: estimates where the time would be if no region had been disabled to keep FATHOM_OVERHEAD.
 *
 * The time of a disabled region is in the own time of the innermost recorded call path around it, but the file does
 * not say how much of it. The file has an estimate of the visits that are missing (visits_missing). Each of them is
 * taken to have had the mean own time of the visits that were measured, without the measurement's own cost. A caller
 * that ran only after the region was disabled has no call path to it; there the region is taken to be called as often
 * as elsewhere. Where the estimates exceed the own time around them they are all reduced in proportion, so the sum is
 * what was measured.
 */
#ifndef FATHOM_TOOLS_REPORT_DISABLED_TIME_H
#define FATHOM_TOOLS_REPORT_DISABLED_TIME_H

#include "tools/common/profile.h"

/* The estimate. */
struct fathom_estimate {
	double *own;		/* seconds by cnode, in place of the measured own time; NULL: no region was disabled */
	double *elsewhere;	/* seconds by region, of call paths that the file does not have */
	double *missing;	/* visits by cnode */
	bool *is_estimated;	/* by region: its own time differs from what was measured */
};

/* 0, or -errno after an error message. Context of all functions: tool. */
int fathom_estimate_init(struct fathom_estimate *estimate, struct fathom_profile *profile,
			 const struct fathom_values *time, const struct fathom_values *visits);
void fathom_estimate_fini(struct fathom_estimate *estimate);

#endif
