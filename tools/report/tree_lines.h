/*
 * tree_lines: draws the lines in front of the names of a tree.
 *
 * Nodes come in pre-order. Each level takes two columns. Deeper levels than fit are not indented further but have their
 * number in front of the name, so the names in a tree of any depth stay readable. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_TREE_LINES_H
#define FATHOM_TOOLS_REPORT_TREE_LINES_H

#include "tools/common/text_layout.h"

struct fathom_tree_lines {
	const struct fathom_page *page;
	unsigned levels;	/* how many levels fit */
	bool *open;		/* open[d]: the current node of level d has more siblings to come */
};

/* For lines of at most so many columns. */
void fathom_tree_lines_init(struct fathom_tree_lines *guide, const struct fathom_page *page, int columns);
void fathom_tree_lines_fini(struct fathom_tree_lines *guide);

/* Draws the lines in front of a node at depth (0: a root); returns how many columns they take. */
int fathom_tree_lines_draw(struct fathom_tree_lines *guide, unsigned depth, bool is_last);

#endif
