/*
 * refinement_tree: the clusters that a refinement finds in its steps, as a tree.
 *
 * A refinement clusters points by DBSCAN with several values of eps, one in each step. A node is a cluster that a step
 * found; its parents are the clusters of earlier steps whose points it has. The leaves and the noise are the present
 * partition of the points. aggregative_refinement and divisive_refinement make such trees. Context of all functions:
 * any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_REFINEMENT_TREE_H
#define FATHOM_CLUSTERS_REFINEMENT_TREE_H

#include <stdbool.h>

#include "clusters/points.h"

#define FATHOM_NO_REFINEMENT_NODE UINT32_MAX	/* in place of the node of a point: the point is noise */

struct fathom_refinement_input {
	const struct fathom_points *points;
	const double *seconds;		/* by point: its duration */
	const double *eps;		/* rising */
	uint32_t eps_count, min_points;
	/* Fills in the scores of clusters, by number from 1 to count (0: noise). clusters: by point. */
	void (*score)(void *scorer, const uint32_t *clusters, uint32_t count, double *scores);
	void *scorer;
	bool keeps_partitions;		/* the tree shall have the partition after each step */
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

/* A step, and the partition after it. */
struct fathom_refinement_step {
	double eps;
	uint32_t *nodes;		/* by point: its leaf, or FATHOM_NO_REFINEMENT_NODE; NULL: not kept */
	double *scores;			/* by node, of the nodes that there were after the step; NULL: not kept */
	uint32_t node_count;
};

struct fathom_refinement {
	struct fathom_refinement_node *nodes;
	struct fathom_refinement_edge *edges;
	uint32_t node_count, edge_count;
	struct fathom_refinement_step *history;	/* by step */
	uint32_t steps;			/* that were done */
	uint32_t next_id;
};

/* Makes an empty tree; its owner frees it in any case. */
void fathom_refinement_init(struct fathom_refinement *tree);
void fathom_refinement_fini(struct fathom_refinement *tree);

/* Begins a step with a value of eps. 0 or -ENOMEM. */
int fathom_refinement_begin_step(struct fathom_refinement *tree, double eps);

/* Ends the step: keeps the partition if the input says so. node_of: by point. 0 or -ENOMEM. */
int fathom_refinement_end_step(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			       const uint32_t *node_of);

/* The points that were clustered together, and their clusters. */
struct fathom_refinement_finding {
	const uint32_t *members;	/* numbers of points */
	const uint32_t *clusters;	/* by member: FATHOM_NOISE, or from 1 to cluster_count */
	uint32_t count, cluster_count;
};

/* Puts the clusters of a finding into the tree, in place of the leaves whose points it has. Changes node_of. 0 or
 * -ENOMEM. */
int fathom_refinement_add(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			  const struct fathom_refinement_finding *finding, uint32_t *node_of);

/* Computes the scores of all leaves, and fills in the number of the leaf of each point, from 1 in the order of the
 * tree, or FATHOM_NOISE. Returns the number of leaves, or -ENOMEM. */
int fathom_refinement_score(struct fathom_refinement *tree, const struct fathom_refinement_input *input,
			    const uint32_t *node_of, uint32_t *clusters);

#endif
