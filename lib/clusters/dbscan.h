/*
 * dbscan: density-based clusters of points (DBSCAN: Ester, Kriegel, Sander, Xu, 1996).
 *
 * A point is a core point if at least min_points points, itself included, lie within the distance eps. Core points
 * within eps of each other are in the same cluster. A border point, which is no core point but lies within eps of one,
 * is in the cluster that is found first of those it touches; all other points are noise. Clusters are found in the
 * order of the lowest number of their core points, so that results repeat and are those of other implementations.
 *
 * The points are kept in a tree whose nodes are small enough, at some depth, that all their points lie within eps of
 * each other. Clusters are then made of such nodes and not of points: dense regions cost no more than sparse ones, and
 * the time is O(n log n) for points of few dimensions, whatever eps is.
 */
#ifndef FATHOM_CLUSTERS_DBSCAN_H
#define FATHOM_CLUSTERS_DBSCAN_H

#include "clusters/points.h"

/*
 * Fills in the cluster of each point: FATHOM_NOISE, or from 1 in the order above. eps > 0, min_points >= 1. Returns the
 * number of clusters, or -ENOMEM. Context: any that may allocate memory.
 */
int fathom_dbscan(const struct fathom_points *points, double eps, uint32_t min_points, uint32_t *clusters);

#endif
