/*
 * burst_definitions: the call paths and regions that the bursts of a process refer to, with their numbers in
 * bursts.bin.
 *
 * A call path is numbered when a burst refers to it for the first time, and so are its callers and its regions.
 */
#ifndef FATHOM_PROFILE_BURST_DEFINITIONS_H
#define FATHOM_PROFILE_BURST_DEFINITIONS_H

#include "bursts/burst_format.h"
#include "platform/arena.h"
#include "platform/number_table.h"

struct fathom_node;
struct fathom_result;

enum { FATHOM_BURST_RECENT_PATHS = 64 };	/* a power of two */

/* All zero but result: empty. */
struct fathom_burst_definitions {
	const struct fathom_result *result;	/* finds the names of regions */
	struct fathom_arena arena;
	struct fathom_number_table table;	/* of the nodes, by address */
	struct {
		const struct fathom_node *node;
		uint32_t path;
	} recent[FATHOM_BURST_RECENT_PATHS];	/* the call paths that were asked for last, by address */
	const struct fathom_node **nodes;	/* by call path */
	uint32_t node_room;
	struct fathom_burst_file_path *paths;
	uint32_t path_count, path_room;
	uint32_t *region_numbers;		/* by id of the region: number + 1; 0: none yet */
	uint32_t region_number_room;
	struct fathom_burst_file_region *regions;
	uint32_t region_count, region_room;
	char *text;
	uint32_t text_bytes, text_room;
	bool is_incomplete;			/* there was no memory for a part of them */
};

/* Returns the number of the call path of node; FATHOM_BURST_FILE_NO_PATH: node is NULL or outside of all regions, or
 * there is no memory. Context: finish, signal. */
uint32_t fathom_burst_definitions_path(struct fathom_burst_definitions *definitions, const struct fathom_node *node);

/* Adds a text, and returns its place. Context: finish, signal. */
uint32_t fathom_burst_definitions_text(struct fathom_burst_definitions *definitions, const char *text);

/* Frees everything. Context: finish, signal. */
void fathom_burst_definitions_fini(struct fathom_burst_definitions *definitions);

#endif
