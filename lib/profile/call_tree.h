/*
 * call_tree: call trees of whole processes or runs, by small numbers instead of pointers.
 *
 * Node 0 is the root; a parent has a lower number than its children. A node is its parent and a key
 * (what region it is, in the owner's numbering); no two nodes share both.
 */
#ifndef FATHOM_PROFILE_CALL_TREE_H
#define FATHOM_PROFILE_CALL_TREE_H

#include <stdint.h>

#include "platform/arena.h"

struct fathom_tree_node {
	uint32_t key;
	uint32_t parent;		/* of the root: 0 */
	uint32_t first_child;		/* 0: none; children stand in the order they were added */
	uint32_t last_child;
	uint32_t sibling;
};

struct fathom_tree {
	struct fathom_arena *arena;	/* takes what is outgrown, too */
	struct fathom_tree_node *nodes;
	uint32_t count;
	uint32_t room;
	uint32_t *table;		/* node + 1 by hash of parent and key; 0: empty */
	uint32_t table_size;		/* a power of two, more than twice count */
};

/* A tree of a root alone. 0 or -ENOMEM. */
int fathom_tree_init(struct fathom_tree *tree, struct fathom_arena *arena, uint32_t root_key);

/* The child of parent with key, made if there is none yet. 0 (the root's number): out of memory. */
uint32_t fathom_tree_child(struct fathom_tree *tree, uint32_t parent, uint32_t key);

/* Nodes in pre-order: order[i] is the node at place i. Room for count numbers. */
void fathom_tree_order(const struct fathom_tree *tree, uint32_t *order);

#endif
