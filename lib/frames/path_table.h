/*
 * path_table: the call paths of a trace, numbered in the order in which a pass over the events meets them.
 *
 * Path 0 is no region at all. Path 1 stands for several regions that have no caller in common; a preview with too many
 * paths uses it. When the table is full, an enter stays on the path of its caller. Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_PATH_TABLE_H
#define FATHOM_FRAMES_PATH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FATHOM_PATH_NOTHING = 0, FATHOM_PATH_SEVERAL = 1, FATHOM_PATHS_MOST = 1 << 17 };

struct fathom_path {
	uint32_t region;	/* id; UINT32_MAX for the first two */
	uint32_t parent;	/* always a lower number; the first two have themselves */
	uint32_t depth;		/* number of regions on the path */
};

struct fathom_path_table {
	struct fathom_path *paths;
	uint32_t count;
	size_t room;
	uint32_t *slots;	/* hash table of the numbers; 0: free */
	uint32_t slot_count;	/* a power of two */
	bool is_complete;	/* no path is added any more */
};

/* Make a table with the first two paths, and free it. */
void fathom_path_table_init(struct fathom_path_table *table);
void fathom_path_table_fini(struct fathom_path_table *table);

/* Returns the path of a region that is called on a path; UINT32_MAX: the table has no room for it, or is complete
 * without it. */
uint32_t fathom_path_child(struct fathom_path_table *table, uint32_t parent, uint32_t region);

/* Returns the part of a path down to that depth, from 1 on; a shorter path is returned as it is. */
uint32_t fathom_path_at_depth(const struct fathom_path_table *table, uint32_t path, uint32_t depth);

#endif
