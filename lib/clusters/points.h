/*
 * points: points in a space of few dimensions, and numbers of clusters for them.
 *
 * A cluster number of a point is FATHOM_NOISE or from 1 to the number of clusters.
 */
#ifndef FATHOM_CLUSTERS_POINTS_H
#define FATHOM_CLUSTERS_POINTS_H

#include <stddef.h>
#include <stdint.h>

enum {
	FATHOM_NOISE = 0,		/* the point belongs to no cluster */
	FATHOM_MOST_DIMENSIONS = 16,
};

struct fathom_points {
	const double *values;		/* [point][dimension]; finite */
	uint32_t count;
	uint32_t dimensions;		/* 1 to FATHOM_MOST_DIMENSIONS */
};

#endif
