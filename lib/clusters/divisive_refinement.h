/*
 * divisive_refinement: clusters by DBSCAN with several values of eps, from large to small (the counterpart of
 * aggregative_refinement).
 *
 * The first step clusters all points with the largest eps. Each further step clusters the points of each leaf again
 * with the next smaller eps. A part that this gives counts if its score is at least 80 % of the leaf's; others are
 * fragments, and their points are noise. The leaf is divided if two parts count, and if the noise has less than 60 % of
 * the leaf's time. Else the leaf stays whole, and the next step tries again.
 */
#ifndef FATHOM_CLUSTERS_DIVISIVE_REFINEMENT_H
#define FATHOM_CLUSTERS_DIVISIVE_REFINEMENT_H

#include "clusters/refinement_tree.h"

/* Fills in the cluster of each point, FATHOM_NOISE or from 1, and the tree, which the caller frees in any case. Returns
 * the number of clusters, or -ENOMEM. Context: any that may allocate memory. */
int fathom_divisive_refinement_make(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
				    uint32_t *clusters);

#endif
