/*
 * display_tree: the call tree as the report shows it. A phase and its iterations, or clusters of iterations, are one
 * node, and what the iterations call stands once below that node; phases.h has how iterations differ.
 */
#ifndef FATHOM_TOOLS_REPORT_DISPLAY_TREE_H
#define FATHOM_TOOLS_REPORT_DISPLAY_TREE_H

#include "tools/common/profile.h"

/* The tree. */
struct fathom_display_tree {
	uint32_t count;			/* nodes; parents come before their children */
	bool is_together;		/* some nodes stand for several call paths */
	uint32_t *cnode;		/* the first call path that a node stands for */
	uint32_t *paths;		/* how many these are */
	int32_t *parent;		/* -1: a root */
	uint32_t *first_child;		/* as in struct fathom_profile */
	uint32_t *child;
	double *inclusive, *own;	/* of the metric */
	double *visits;			/* zero where they are not known */
};

/*
 * Makes the tree. together: false keeps all call paths apart. visits may be without values. Context of all functions:
 * tool.
 */
void fathom_display_tree_init(struct fathom_display_tree *shape, const struct fathom_profile *profile,
			      const struct fathom_values *values, const struct fathom_values *visits, bool together);
void fathom_display_tree_fini(struct fathom_display_tree *shape);

#endif
