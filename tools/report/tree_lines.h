/*
 * tree_lines: the lines drawn before the names of a tree.
 *
 * Nodes come in pre-order. Each level takes two columns; levels beyond what fits are not
 * indented any further, their number stands before the name instead, so a tree of any depth
 * keeps its names readable.
 */
#ifndef FATHOM_TOOLS_REPORT_TREE_LINES_H
#define FATHOM_TOOLS_REPORT_TREE_LINES_H

#include "tools/common/text_layout.h"

struct fathom_guide {
	const struct fathom_page *page;
	unsigned levels;	/* that fit */
	bool *open;		/* open[d]: the node of level d that we are under has siblings to come */
};

/* For paths of at most that many columns. */
void fathom_guide_init(struct fathom_guide *guide, const struct fathom_page *page, int columns);
void fathom_guide_fini(struct fathom_guide *guide);

/* Draw what stands before a node at depth (0: a root); returns the columns it took. */
int fathom_guide_draw(struct fathom_guide *guide, unsigned depth, bool is_last);

#endif
