/*
 * extrapolation: values of all members of a cluster from those that were measured.
 *
 * A processor counts few events at once. If processes, or parts of the time, measure different groups of counters, each
 * counter is known for a part of the bursts of a cluster; the others are like them. Context of all functions: any.
 */
#ifndef FATHOM_CLUSTERS_EXTRAPOLATION_H
#define FATHOM_CLUSTERS_EXTRAPOLATION_H

#include <stdint.h>

struct fathom_measured_sums {		/* of the members of a cluster that have the counter */
	uint64_t count;
	double sum, squares;		/* of the counter and of its square */
	double reference;		/* of a measure that all members have: cycles or time */
};

struct fathom_extrapolated {
	double mean;			/* of a member: the counts for each unit of the reference, times its mean */
	double total;			/* of all members */
	double error;			/* standard error of the mean, relative; not a number: one was measured */
};

/* Fills in the values of a cluster of `size` members, whose reference has that mean over all of them. Of a cluster in
 * which no member was measured, nothing is a number. */
void fathom_extrapolate(struct fathom_extrapolated *values, const struct fathom_measured_sums *sums, uint64_t size,
			double mean_reference);

/* Returns the relative error of an estimate, weighted by the share of the cluster in the cycles (or the time) of all
 * clusters. */
double fathom_weighted_error(double estimate, double real, double share);

#endif
