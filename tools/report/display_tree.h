/* display_tree: the call tree in the form that the report prints. A phase and its iterations, or clusters of
 * iterations, are one node. The calls of the iterations are merged below that node; phases.h has the differences of
 * iterations. */
#ifndef FATHOM_TOOLS_REPORT_DISPLAY_TREE_H
#define FATHOM_TOOLS_REPORT_DISPLAY_TREE_H

#include "tools/common/profile.h"

/* The tree. */
struct fathom_display_tree {
	uint32_t count;			/* nodes; parents come before their children */
	bool is_together;		/* some nodes contain several call paths */
	uint32_t *cnode;		/* by node: its first call path */
	uint32_t *paths;		/* by node: the number of its call paths */
	int32_t *parent;		/* -1: a root */
	uint32_t *first_child;		/* as in struct fathom_profile */
	uint32_t *child;
	double *inclusive, *own;	/* of the metric */
	double *visits;			/* by node; zero where visits are unknown */
};

/* Makes the tree. together: if false, each call path is a node. visits may have no values. Context of all functions:
 * tool. */
void fathom_display_tree_init(struct fathom_display_tree *shape, const struct fathom_profile *profile,
			      const struct fathom_values *values, const struct fathom_values *visits, bool together);
void fathom_display_tree_fini(struct fathom_display_tree *shape);

#endif
