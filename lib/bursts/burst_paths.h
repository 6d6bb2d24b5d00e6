/*
 * burst_paths: the call paths at which bursts begin and end, numbered from 0 over all locations of a trace.
 *
 * Parents have smaller numbers than their children. Context of all functions: tool.
 */
#ifndef FATHOM_BURSTS_BURST_PATHS_H
#define FATHOM_BURSTS_BURST_PATHS_H

#include <stdint.h>

#include "otf2/entry_table.h"

enum { FATHOM_NO_BURST_PATH = 0xffffffff };	/* outside of all regions; the parent of a root */

struct fathom_burst_path {
	uint32_t region;	/* index of its definition */
	uint32_t parent;
	uint32_t last_child;	/* the child that was found last; FATHOM_NO_BURST_PATH: none */
};

struct fathom_burst_paths {
	struct fathom_burst_path *paths;
	uint32_t count;
	size_t room;
	struct fathom_table children;	/* by parent and region */
};

/* Make an empty tree, and free a tree. */
void fathom_burst_paths_init(struct fathom_burst_paths *tree);
void fathom_burst_paths_fini(struct fathom_burst_paths *tree);

/* Returns the call path of a region below parent; makes it if it does not exist. */
uint32_t fathom_burst_paths_child(struct fathom_burst_paths *tree, uint32_t parent, uint32_t region);

#endif
