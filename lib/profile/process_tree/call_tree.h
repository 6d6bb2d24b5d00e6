/*
 * call_tree: the call tree of a process or a run, in which numbers replace pointers.
 *
 * Node 0 is the root; the number of a parent is lower than the numbers of its children. A node consists of its parent
 * and a key (the region, in the numbering of the tree's owner). No two nodes have the same parent and the same key.
 */
#ifndef FATHOM_PROFILE_CALL_TREE_H
#define FATHOM_PROFILE_CALL_TREE_H

#include <stdint.h>

#include "platform/arena.h"
#include "platform/number_table.h"

struct fathom_tree_node {
	uint32_t key;
	uint32_t parent;		/* of the root: 0 */
	uint32_t first_child;		/* 0: none; children are in the order in which they were added */
	uint32_t last_child;
	uint32_t sibling;
};

struct fathom_tree {
	struct fathom_arena *arena;	/* arrays that became too small stay in it */
	struct fathom_tree_node *nodes;
	uint32_t count;
	uint32_t room;
	struct fathom_number_table table;	/* nodes by the hash of parent and key; without the root */
};

/* Creates a tree that consists of a root. 0 or -ENOMEM. Context: finish, signal, as for all functions here. */
int fathom_tree_init(struct fathom_tree *tree, struct fathom_arena *arena, uint32_t root_key);

/* Returns the child of parent with key, and adds it if there is none. 0 (the root's number): no memory. */
uint32_t fathom_tree_child(struct fathom_tree *tree, uint32_t parent, uint32_t key);

/* Sets order[i] to the i-th node in pre-order. order has room for count numbers. */
void fathom_tree_order(const struct fathom_tree *tree, uint32_t *order);

#endif
