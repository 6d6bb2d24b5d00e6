/*
 * cluster_refinement: clusters bursts with several values of eps, and joins clusters that are parts of one phase.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTER_REFINEMENT_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTER_REFINEMENT_H

#include "tools/clusters/kinds.h"

/* Fills in the cluster of each point, and the tree of the clustering. Returns the number of clusters. Context: tool. */
uint32_t fathom_cluster_refinement_make(struct fathom_clustering *clustering, uint32_t *found);

#endif
