/*
 * inorder_tree: a binary tree over processes in a row, in which each process is linked to processes at distances that
 * are powers of two.
 *
 * The level of a position is the number of zero bits at its end. The parent of a position is the lower one of the two
 * nearest positions with a higher level. The processes below a process are therefore a stretch of the row: first those
 * of its left child, then the process itself, then those of its right child. Position 0 is the root. Context of all
 * functions: finish, signal.
 */
#ifndef FATHOM_SYSTEM_INORDER_TREE_H
#define FATHOM_SYSTEM_INORDER_TREE_H

#include <stdint.h>

#include "comm/comm.h"

struct fathom_tree_links {		/* ranks; -1: none */
	int32_t parent;
	int32_t left;
	int32_t right;
};

static const struct fathom_tree_links fathom_no_tree_links = { -1, -1, -1 };

/* Returns the links of a position in a row of size positions. */
struct fathom_tree_links fathom_tree_links_of(int64_t position, int64_t size);

/*
 * Adds the ranks at distance 2^i to the left and to the right (-1: none) to links if they are linked with this
 * position. The caller calls this for i = 0, 1, ... in this order, as long as one of the ranks exists. *links must
 * begin as fathom_no_tree_links.
 */
void fathom_tree_links_meet(struct fathom_tree_links *links, uint64_t position, int i, int32_t left, int32_t right);

#endif
