/*
 * kmeans: clusters around means, as a baseline for dbscan.h: k-means (Lloyd's method, seeds by k-means++) and x-means,
 * which also finds the number of clusters.
 *
 * Both cut elongated clouds of points into several clusters, which DBSCAN keeps whole. Random numbers begin with the
 * same seed in each call, so results repeat. Context of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_KMEANS_H
#define FATHOM_CLUSTERS_KMEANS_H

#include "clusters/points.h"

/* Fills in the cluster of each point, 1 to k. Returns the number of clusters, which is k or the number of points if
 * this is less, or -ENOMEM. */
int fathom_kmeans(const struct fathom_points *points, uint32_t k, uint32_t *clusters);

/* The same, beginning with two clusters; each cluster is divided as long as the Bayesian information criterion of its
 * two parts is better, and there are fewer than most clusters. */
int fathom_xmeans(const struct fathom_points *points, uint32_t most, uint32_t *clusters);

#endif
