/*
 * monotone_fit: how a counter grows within one instance of a region, from points of many instances.
 *
 * A point says that after the share x of its time, an instance had the share y of its count. The fit is a curve of
 * straight segments from (0, 0) to (1, 1) that never falls. Where it bends, and how often, follows from the points:
 * dynamic programming finds the best curve for each number of segments, and the number with the best Bayesian
 * information criterion is taken. Context of all functions: any.
 */
#ifndef FATHOM_FOLDING_MONOTONE_FIT_H
#define FATHOM_FOLDING_MONOTONE_FIT_H

#include <stdint.h>

enum {
	FATHOM_FIT_STEPS = 200,		/* of x; a segment begins and ends at steps */
	FATHOM_FIT_LEAST = 10,		/* steps of a segment: 0.05 of the time */
	FATHOM_FIT_SEGMENTS = FATHOM_FIT_STEPS / FATHOM_FIT_LEAST,	/* at most */
};

struct fathom_fit_points {		/* sums of the points in each step */
	double count[FATHOM_FIT_STEPS];
	double x[FATHOM_FIT_STEPS], y[FATHOM_FIT_STEPS];
	double xx[FATHOM_FIT_STEPS], xy[FATHOM_FIT_STEPS], yy[FATHOM_FIT_STEPS];
	uint64_t total;
};

struct fathom_fit {
	uint32_t segments;		/* 0: there are not enough points */
	double x[FATHOM_FIT_SEGMENTS + 1], y[FATHOM_FIT_SEGMENTS + 1];	/* ends of segments, from (0, 0) to (1, 1) */
	double error;			/* root of the mean square of the distances of points from the curve */
};

/* Adds a point; x and y are from 0 to 1, others are left out. */
void fathom_fit_points_add(struct fathom_fit_points *points, double x, double y);

/* Fits a curve to the points. */
void fathom_monotone_fit(struct fathom_fit *fit, const struct fathom_fit_points *points);

/* Returns the slope of segment s (from 0). */
double fathom_fit_slope(const struct fathom_fit *fit, uint32_t s);

#endif
