/*
 * spread_prior: how much the runs of regions usually differ.
 *
 * A few runs tell little about the spread of one region, but there are many regions. The prior is what they have in
 * common: the relative variance that a region usually has, and how many degrees of freedom it is worth. The less the
 * regions differ in their spread, the more it is worth (the moments of the logarithms of variances, as in Smyth's
 * moderated t-test). Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_DIFF_SPREAD_PRIOR_H
#define FATHOM_TOOLS_DIFF_SPREAD_PRIOR_H

#include <stddef.h>

struct fathom_spread_prior {
	double variance;	/* relative: of a value divided by the mean */
	double degrees;
};

/* Finds the prior from the relative variances of count regions, each with so many degrees of freedom. Sorts the
 * variances. */
struct fathom_spread_prior fathom_spread_prior_fit(double *variances, size_t count, double degrees);

#endif
