/*
 * iteration_clusters: phases of the program, whose iterations are recorded separately: each iteration, or each
 * cluster of similar ones, has call paths of its own.
 *
 * iteration      one visit of a dynamic region; the program gives its number.
 * tree           the call paths of an iteration, or of all iterations of a cluster, below a node of its own.
 * cluster        iterations that share a tree. The first of them represents the cluster.
 * series         the iterations of a phase at one call path of a thread, with their trees.
 *
 * An iteration is recorded in a tree of its own. When the next one begins and there are more trees than
 * FATHOM_PHASE_CLUSTERS allows, the two most similar clusters become one: the values in the tree of one are added to
 * those of the other, and its tree is then empty and used for the next iteration. So no value is lost or estimated.
 *
 * The regions of other threads that work for an iteration (in teams that it forks) are below anchor nodes for nodes
 * of the tree. An anchor node notes the iteration. When its thread uses the anchor node again, it moves the values to
 * the tree of the iteration's cluster (anchor_nodes.c); for the last use, process_tree.c finds the right tree.
 *
 * Only the thread of a series writes it. Threads in teams, and the thread that finishes the measurement, read it.
 */
#ifndef FATHOM_PROFILE_ITERATION_CLUSTERS_H
#define FATHOM_PROFILE_ITERATION_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "profile/recording/callpath.h"

/* The features by which iterations are compared. */
enum fathom_feature {
	FATHOM_FEATURE_TIME,		/* ticks */
	FATHOM_FEATURE_VISITS,
	FATHOM_FEATURE_WAITING,		/* ticks in MPI */
	FATHOM_FEATURE_BYTES,		/* sent and received */
	FATHOM_FEATURE_MESSAGES,
	FATHOM_FEATURES
};

/* An iteration that has begun. */
struct fathom_iteration {
	uint64_t number;
	uint64_t ticks;			/* its duration; 0: it has not ended */
	uint32_t joined;		/* an earlier iteration of its cluster; for the cluster's first one: itself */
	uint32_t tree;			/* for the cluster's first iteration: index of the tree in the series */
};

struct fathom_iteration_tree {
	struct fathom_node node;	/* a child of the series's node */
	struct fathom_series *series;
	uint32_t place;			/* index among the series's trees */
	uint32_t iteration;		/* the iteration that is recorded in the tree, or the cluster's first one;
					 * FATHOM_NO_ITERATION: the tree is empty */
	uint32_t count;			/* number of iterations of the cluster that have ended */
	uint64_t structure;		/* hash of the call paths that were visited */
	double sums[FATHOM_FEATURES];	/* the features, summed over these iterations */
};

#define FATHOM_NO_ITERATION UINT32_MAX

enum {
	FATHOM_ITERATION_CHUNK = 4096,
	FATHOM_MOST_ITERATION_CHUNKS = 256,	/* later iterations share the tree of the last one */
	FATHOM_MOST_CLUSTERS = 256,
};

struct fathom_series {
	struct fathom_series *next;	/* the series that the location made before; stored (release) when complete */
	struct fathom_node *node;	/* parent of the trees' nodes */
	struct fathom_iteration_tree **trees;	/* array of tree_room */
	uint32_t tree_count;		/* stored last (release) */
	uint32_t tree_room;
	struct fathom_iteration *chunks[FATHOM_MOST_ITERATION_CHUNKS];
	uint32_t iteration_count;	/* written last, with release */
	bool is_clustered;		/* some tree has more than one iteration */
	double totals[FATHOM_FEATURES];	/* sums over all iterations that have ended */
};

#ifndef FATHOM_WITHOUT_PHASES

/* Sets the largest number of trees of a series; 0: as many as iterations. Context: start. */
void fathom_series_limit(uint64_t most_trees);

/* Returns the region of a tree's node in the file. Its name has the number of the iteration. If there are clusters,
 * it has the number of the cluster, in the order of the clusters' first iterations. Context: finish, signal. */
const struct fathom_region *fathom_series_region(const struct fathom_iteration_tree *tree);

/* The function iteration of the substrate's table: the innermost region is the iteration with this number.
 * Context: hook; birth for a new tree. */
void fathom_series_iteration(struct fathom_location *self, uint64_t number);

/* Returns the iteration tree that a node belongs to; NULL: none. It may belong to another thread, for which this
 * thread works. Context: hook. */
struct fathom_iteration_tree *fathom_series_tree_of(const struct fathom_node *node);

/* Returns the tree that has the values of an iteration of the series now. NULL: there is no iteration with this
 * index. Context: hook, finish, signal. */
struct fathom_iteration_tree *fathom_series_tree_with(const struct fathom_series *series, uint32_t iteration);

/* Returns the iteration with this index, which must be less than iteration_count. Context: hook, finish, signal. */
static inline struct fathom_iteration *fathom_series_at(const struct fathom_series *series, uint32_t place)
{
	return &series->chunks[place / FATHOM_ITERATION_CHUNK][place % FATHOM_ITERATION_CHUNK];
}

/* Adds the values of from and of the nodes below it to those of to and below it, and empties from. The calling thread
 * owns both. Context: birth. */
void fathom_series_move(struct fathom_location *self, struct fathom_node *to, struct fathom_node *from);

#else

/* configure --without-phases: an iteration is a visit of an ordinary region, so no node is in a series. */
#define fathom_series_iteration NULL

static inline void fathom_series_limit(uint64_t most_trees)
{
	(void)most_trees;
}

static inline const struct fathom_region *fathom_series_region(const struct fathom_iteration_tree *tree)
{
	return tree->node.region;
}

static inline struct fathom_iteration_tree *fathom_series_tree_of(const struct fathom_node *node)
{
	(void)node;
	return NULL;
}

static inline struct fathom_iteration_tree *fathom_series_tree_with(const struct fathom_series *series,
								    uint32_t iteration)
{
	(void)series;
	(void)iteration;
	return NULL;
}

static inline void fathom_series_move(struct fathom_location *self, struct fathom_node *to, struct fathom_node *from)
{
	(void)self;
	(void)to;
	(void)from;
}

#endif

/* Returns the node that follows node in the tree below top, parents first. NULL: node was the last one. The first node
 * of the walk is top. Context: hook, finish, signal. */
static inline struct fathom_node *fathom_series_walk(const struct fathom_node *top, struct fathom_node *node)
{
	/* Pairs with the release in adopt() of callpath.c. */
	struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);

	if (child)
		return child;
	while (node != top && !node->sibling)
		node = node->parent;
	return node == top ? NULL : node->sibling;
}

#endif
