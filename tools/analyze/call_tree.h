/*
 * call_tree: the call paths of a trace, numbered from 0 over all locations, and the time and visits of each location.
 *
 * A call path is a chain of regions from a root; its record is a node. Parents have smaller numbers than their
 * children. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ANALYZE_CALL_TREE_H
#define FATHOM_TOOLS_ANALYZE_CALL_TREE_H

#include <stdint.h>

#include "otf2/entry_table.h"

enum { FATHOM_NO_CALL_PATH = 0xffffffff };	/* as the parent of a root */

struct fathom_call_path {
	uint32_t region;	/* index of its definition */
	uint32_t parent;
	uint32_t last_child;	/* the child that was found last; FATHOM_NO_CALL_PATH: none */
	uint64_t digest;	/* a hash of the regions from the root, equal in all processes that analyze the trace */
};

struct fathom_call_tree {
	struct fathom_call_path *paths;
	uint32_t count;
	size_t room;
	struct fathom_table children;	/* by parent and region */
};

/* The values of a location at a call path. */
struct fathom_call_values {
	uint64_t own_ticks;	/* exclusive */
	uint64_t visits;
};

/* Make an empty tree, and free a tree. */
void fathom_call_tree_init(struct fathom_call_tree *tree);
void fathom_call_tree_fini(struct fathom_call_tree *tree);

/* Returns the call path of a region below parent; makes it if it does not exist. */
uint32_t fathom_call_tree_child(struct fathom_call_tree *tree, uint32_t parent, uint32_t region);

#endif
