/*
 * burst_blocks: opens a file of bursts (burst_format.h) and checks all of its blocks: their sizes and checksums, and
 * that every number that refers to something does so inside of the file. So a reader of the blocks need not check
 * anything. Context of all functions: tool.
 */
#ifndef FATHOM_BURSTS_BURST_BLOCKS_H
#define FATHOM_BURSTS_BURST_BLOCKS_H

#include "bursts/burst_format.h"

/* What a process has in the file. The pointers lead into the file. */
struct fathom_burst_process {
	uint32_t rank;
	size_t first_block, end_block;	/* places of its blocks of bursts: from first_block on, end_block excluded */
	const struct fathom_burst_file_process *head;
	const struct fathom_burst_file_location *locations;
	const struct fathom_burst_file_counter *counters;
	const struct fathom_burst_file_region *regions;
	const struct fathom_burst_file_path *paths;
	const char *text;
};

struct fathom_burst_blocks {
	const char *data;		/* the whole file */
	size_t bytes;
	struct fathom_burst_process *processes;	/* by rank */
	size_t process_count, process_room;
	char error[512];		/* after an error: what is wrong, a line without the name of the file */
};

/* Opens a file. 0, or -errno and an error; also then, the caller calls fathom_burst_blocks_close. */
int fathom_burst_blocks_open(struct fathom_burst_blocks *blocks, const char *path);
void fathom_burst_blocks_close(struct fathom_burst_blocks *blocks);

/* Returns the block of bursts at *place, or NULL at the end of the process' blocks, and moves *place, which is
 * process->first_block at first, to the next one. Its records follow it. */
const struct fathom_burst_file_bursts *fathom_burst_blocks_next(const struct fathom_burst_blocks *blocks,
								const struct fathom_burst_process *process,
								size_t *place);

#endif
