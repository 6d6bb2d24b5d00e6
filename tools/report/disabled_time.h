/*
 * disabled_time: estimates the distribution of time that a run without disabled regions (FATHOM_OVERHEAD) would have
 * shown.
 *
 * The time of a disabled region is in the own time of the innermost recorded call path around it, but the file does not
 * contain how much of that time it is. The file has an estimate of the visits that are missing (visits_missing). Each
 * missing visit is assumed to have had the mean own time of the measured visits, without the measurement's own cost. A
 * caller that ran only after the region was disabled has no call path to the region; it is assumed to call the region
 * as often as on its other call paths. If the estimates exceed the own time around them, all are reduced in proportion,
 * so that the sum stays the measured time.
 */
#ifndef FATHOM_TOOLS_REPORT_DISABLED_TIME_H
#define FATHOM_TOOLS_REPORT_DISABLED_TIME_H

#include "tools/common/profile.h"

/* The estimated times and visits. */
struct fathom_estimate {
	double *own;		/* seconds by cnode, in place of the measured own time; NULL: no region was disabled */
	double *elsewhere;	/* seconds by region, spent on call paths that the file does not have */
	double *missing;	/* visits by cnode */
	bool *is_estimated;	/* by region: its estimated own time differs from the measured one */
};

/* Computes the estimate. 0, or -errno after an error message. Context of all functions: tool. */
int fathom_estimate_init(struct fathom_estimate *estimate, struct fathom_profile *profile,
			 const struct fathom_values *time, const struct fathom_values *visits);
void fathom_estimate_fini(struct fathom_estimate *estimate);

#endif
