/*
 * inorder_tree: a binary tree over processes in a row, in which each process is linked to processes at distances that
 * are powers of two.
 *
 * It is the in-order tree: a position's level is the number of zero bits at its end, and its parent is the lower one of
 * the two nearest positions of a higher level. What is below a process is therefore a stretch of the row: first
 * those of its left child, then itself, then those of its right child. Position 0 stands above all.
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

/* Of a position among 0..size-1. */
struct fathom_tree_links fathom_tree_links_of(int64_t position, int64_t size);

/*
 * Told who is 2^i to the left and to the right in the row (-1: nobody), for i = 0, 1, ... in this order, for as long
 * as there is anybody, puts down who of them is linked. links must begin as fathom_no_tree_links.
 */
void fathom_tree_links_meet(struct fathom_tree_links *links, uint64_t position, int i, int32_t left, int32_t right);

#endif
