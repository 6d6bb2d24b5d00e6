/*
 * aggregative_refinement: clusters by DBSCAN with several values of eps, from small to large, for points whose density
 * differs from place to place (aggregative cluster refinement).
 *
 * The first step clusters all points with the smallest eps. A cluster that all threads execute at the same places of
 * the program (score 1) is good and stays. Each further step takes the points of all other clusters and the noise, and
 * clusters these with the next larger eps.
 */
#ifndef FATHOM_CLUSTERS_AGGREGATIVE_REFINEMENT_H
#define FATHOM_CLUSTERS_AGGREGATIVE_REFINEMENT_H

#include "clusters/refinement_tree.h"

/* Fills in the cluster of each point, FATHOM_NOISE or from 1, and the tree, which the caller frees in any case. Returns
 * the number of clusters, or -ENOMEM. Context: any that may allocate memory. */
int fathom_aggregative_refinement_make(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
				       uint32_t *clusters);

#endif
