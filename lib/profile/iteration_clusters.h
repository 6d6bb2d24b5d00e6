/*
 * iteration_clusters: a phase of the program whose iterations are kept apart: a call path for each, or for each cluster
 * of similar ones.
 *
 * iteration      one visit of a dynamic region; its number is what the program gave.
 * tree           call paths of an iteration, or of all those of a cluster, below a node of its own.
 * cluster        iterations that share a tree. Its first iteration stands for it.
 *
 * An iteration is recorded in a tree of its own. When the next one begins and there are more trees than
 * FATHOM_PHASE_CLUSTERS allows, the two clusters that are most alike become one: what stands in the tree of one is
 * added to the other's, and it is empty for the next iteration. So no value is ever lost or estimated.
 *
 * Threads that work for an iteration (in teams it forks) have what they do under aliases of the tree's nodes. An
 * alias remembers for which iteration that was; its thread moves it to the cluster when it comes by again
 * (anchor_nodes.c), and a snapshot looks where it belongs.
 *
 * Written by the thread alone; whoever finishes the measurement and threads in teams read it.
 */
#ifndef FATHOM_PROFILE_ITERATION_CLUSTERS_H
#define FATHOM_PROFILE_ITERATION_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/callpath.h"

/* What iterations are compared by. */
enum fathom_feature {
	FATHOM_FEATURE_TIME,		/* ticks */
	FATHOM_FEATURE_VISITS,
	FATHOM_FEATURE_WAITING,		/* ticks in MPI */
	FATHOM_FEATURE_BYTES,		/* sent and received */
	FATHOM_FEATURE_MESSAGES,
	FATHOM_FEATURES
};

/* An iteration that was. */
struct fathom_iteration {
	uint64_t number;
	uint64_t ticks;			/* it took; 0 while it goes on */
	uint32_t joined;		/* another iteration of its cluster; of the cluster's first: itself */
	uint32_t tree;			/* of the cluster's first: its tree's place among the series' */
};

struct fathom_iteration_tree {
	struct fathom_node node;	/* a child of the series' */
	struct fathom_series *series;
	uint32_t place;			/* among the series' trees */
	uint32_t iteration;		/* the one that is recorded in it, or the cluster's first;
					 * FATHOM_NO_ITERATION: it is empty */
	uint32_t count;			/* iterations that are over */
	uint64_t structure;		/* which call paths were visited, as a hash */
	double sums[FATHOM_FEATURES];	/* over those that are over */
};

#define FATHOM_NO_ITERATION UINT32_MAX

enum {
	FATHOM_ITERATION_CHUNK = 4096,
	FATHOM_MOST_ITERATION_CHUNKS = 256,	/* what comes later shares the last one's tree */
	FATHOM_MOST_CLUSTERS = 256,
};

struct fathom_series {
	struct fathom_series *next;	/* of the same location; released when complete */
	struct fathom_node *node;	/* above the trees */
	struct fathom_iteration_tree **trees;	/* of tree_room */
	uint32_t tree_count;		/* written last, with release */
	uint32_t tree_room;
	struct fathom_iteration *chunks[FATHOM_MOST_ITERATION_CHUNKS];
	uint32_t iteration_count;	/* written last, with release */
	bool is_clustered;		/* some tree has more than one */
	double totals[FATHOM_FEATURES];	/* over all iterations that are over */
};

/* Trees of a series at most; 0: as many as iterations. Context: start. */
void fathom_series_limit(uint64_t most_trees);

/* What the tree's own node is called in the file: by the number of its iteration; where there are clusters, by the
 * order of their first iterations. Context: finish, signal. */
const struct fathom_region *fathom_series_region(const struct fathom_iteration_tree *tree);

/* Whether nothing was recorded at node, which then holds for what is below it. Context: hook, finish, signal. */
bool fathom_series_is_empty(const struct fathom_node *node);

/* The function of the substrate's table: the innermost region is an iteration with that number. Context: hook, birth
 * where there must be a tree for it. */
void fathom_series_iteration(struct fathom_location *self, uint64_t number);

/* The tree that node belongs to; NULL: none. It may be that of another thread, which this one works for.
 * Context: hook. */
struct fathom_iteration_tree *fathom_series_tree_of(const struct fathom_node *node);

/* The tree in which an iteration of the series is now. NULL: its number means nothing.
 * Context: hook, finish, signal. */
struct fathom_iteration_tree *fathom_series_tree_with(const struct fathom_series *series, uint32_t iteration);

/* Of the iteration at place (below iteration_count). */
static inline struct fathom_iteration *fathom_series_at(const struct fathom_series *series, uint32_t place)
{
	return &series->chunks[place / FATHOM_ITERATION_CHUNK][place % FATHOM_ITERATION_CHUNK];
}

/* Add all that is recorded at from and below it to what is at to, which the calling thread owns both; then
 * there is nothing at from. Context: birth. */
void fathom_series_move(struct fathom_location *self, struct fathom_node *to, struct fathom_node *from);

/* The next node of the tree below top, in an order where parents come first; NULL: that was the last. */
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
