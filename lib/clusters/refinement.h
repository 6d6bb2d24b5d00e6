/*
 * refinement: clusters by DBSCAN with several values of eps, for points whose density differs from place to place
 * (aggregative cluster refinement).
 *
 * The first step clusters all points with the smallest eps. A cluster that all threads execute at the same places of
 * the program (score 1) is good and stays. Each further step takes the points of all other clusters and the noise, and
 * clusters these with the next larger eps. The clusters of all steps form a tree, whose leaves are the result. Context
 * of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_REFINEMENT_H
#define FATHOM_CLUSTERS_REFINEMENT_H

#include <stdbool.h>

#include "clusters/points.h"

struct fathom_refinement_input {
	const struct fathom_points *points;
	const double *seconds;		/* by point: its duration */
	const double *eps;		/* rising */
	uint32_t eps_count, min_points;
	/* Fills in the scores of clusters, by number from 1 to count (0: noise). clusters: by point. */
	void (*score)(void *scorer, const uint32_t *clusters, uint32_t count, double *scores);
	void *scorer;
};

struct fathom_refinement_node {
	uint32_t id;			/* of a cluster and of what it becomes in later steps; from 1 */
	uint32_t step;			/* from 1 */
	uint32_t count;			/* points */
	double seconds, score;
	bool is_leaf;
};

struct fathom_refinement_edge {
	uint32_t parent, child;		/* nodes that have a point in common */
};

struct fathom_refinement {
	struct fathom_refinement_node *nodes;
	struct fathom_refinement_edge *edges;
	uint32_t node_count, edge_count;
	uint32_t steps;			/* that were done */
	uint32_t next_id;
};

/* Fills in the cluster of each point, FATHOM_NOISE or from 1, and the tree, which the caller frees in any case. Returns
 * the number of clusters, or -ENOMEM. */
int fathom_refinement_make(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			   uint32_t *clusters);
void fathom_refinement_fini(struct fathom_refinement *tree);

#endif
