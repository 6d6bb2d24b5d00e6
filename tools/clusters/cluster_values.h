/*
 * cluster_values: what the bursts of each cluster have in common: time, counters, code.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTER_VALUES_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTER_VALUES_H

#include "tools/clusters/kinds.h"

/* Fills in the numbers and clusters of a clustering. found: by point, a number from 1 to count or FATHOM_NOISE; the
 * clusters get new numbers by falling duration. Context: tool. */
void fathom_cluster_values_find(struct fathom_clustering *clustering, const uint32_t *found, uint32_t count);

/* Frees the clusters. Context: tool. */
void fathom_cluster_values_fini(struct fathom_clustering *clustering);

/* Notes a call path and its time in a cluster if it is one of those with most time. Context: tool. */
void fathom_cluster_add_place(struct fathom_cluster *cluster, uint32_t path, double seconds);

/* Returns the mean duration of the bursts of a cluster. Context: tool. */
double fathom_cluster_mean(const struct fathom_cluster *cluster);

#endif
