/*
 * cluster_quality: how well points are clustered, and how much two clusterings of the same points differ.
 *
 * Context of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_CLUSTER_QUALITY_H
#define FATHOM_CLUSTERS_CLUSTER_QUALITY_H

#include "clusters/points.h"

/* How a clustering differs from another one, in which noise counts as one more cluster. */
struct fathom_clustering_difference {
	double mirkin;		/* share of the pairs of points that only one of them puts together: 0 if equal */
	double rand;		/* adjusted Rand index: 1 if equal, about 0 for random clusters */
};

/* 0 or -ENOMEM. */
int fathom_clusterings_compare(const uint32_t *a, const uint32_t *b, uint32_t count,
			       struct fathom_clustering_difference *difference);

/* Computes the mean silhouette of the points in clusters: near 1 if each is much closer to its own cluster than to
 * others, and below 0 if clusters are mixed. Of more than 2000 points, this many are taken at equal steps. 0: there are
 * fewer than two clusters. 0 or -ENOMEM. */
int fathom_silhouette(const struct fathom_points *points, const uint32_t *clusters, double *silhouette);

#endif
