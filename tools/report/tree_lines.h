/*
 * tree_lines: draws the lines before the names of a tree.
 *
 * Nodes come in pre-order. Each level takes two columns. Levels for which the line is too short are not indented
 * further; their number is printed before the name, so the names in a tree of any depth stay readable. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_TREE_LINES_H
#define FATHOM_TOOLS_REPORT_TREE_LINES_H

#include "tools/common/text_layout.h"

struct fathom_tree_lines {
	const struct fathom_page *page;
	unsigned levels;	/* number of levels that fit */
	bool *open;		/* open[d]: the current node of level d has further siblings */
};

/* Prepares lines of at most that many columns. */
void fathom_tree_lines_init(struct fathom_tree_lines *guide, const struct fathom_page *page, int columns);
void fathom_tree_lines_fini(struct fathom_tree_lines *guide);

/* Draws the lines before a node at depth (0: a root). Returns the number of columns that they take. */
int fathom_tree_lines_draw(struct fathom_tree_lines *guide, unsigned depth, bool is_last);

#endif
