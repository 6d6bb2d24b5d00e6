/*
 * axes: makes the dimensions of points comparable: logarithm, the range from 0 to 1, weight; and principal axes.
 *
 * Context of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_AXES_H
#define FATHOM_CLUSTERS_AXES_H

#include <stdbool.h>

#include "clusters/points.h"

struct fathom_axis {
	bool is_log;		/* natural logarithm; it is 0 for values that are not positive */
	bool is_kept;		/* neither logarithm nor range: numbers of categories */
	double factor;		/* weight of the dimension */
	double least, most;	/* filled in: the range of the values, after the logarithm */
};

/* Replaces each value by its place between the least (0) and the most (the factor) of its dimension; a dimension whose
 * values are all equal becomes 0. values: [point][dimension]. */
void fathom_axes_scale(double *values, uint32_t count, uint32_t dimensions, struct fathom_axis *axes);

/* Returns the place of a further value on an axis that has been scaled; it may be outside of the range. */
double fathom_axis_place(const struct fathom_axis *axis, double value);

/* Returns whether the values of a dimension are spread so widely that their logarithm is better: all are positive, and
 * the largest 1 % are 50 times the smallest 1 % or more. */
bool fathom_axis_needs_log(const double *values, uint32_t count, uint32_t dimensions, uint32_t dimension);

/* Replaces points by their coordinates on the axes along which they spread most (principal component analysis), as many
 * as have this share of the variance. Returns the number of dimensions that remain; values then has as many per
 * point. */
uint32_t fathom_axes_reduce(double *values, uint32_t count, uint32_t dimensions, double share);

#endif
