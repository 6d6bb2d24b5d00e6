/*
 * value_block: a range of call paths with what the locations of some processes have there, on its way into the file.
 *
 * Processes send what they have of it packed: for each call path a head, and the rows of its values
 * as fathom_aggregate_cells gave them. Where the columns of these processes are in the file, and which of them are
 * neighbours there, has nothing to do with the ranks.
 */
#ifndef FATHOM_PROFILE_VALUE_BLOCK_H
#define FATHOM_PROFILE_VALUE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "cube/value_layout.h"
#include "profile/thread_aggregation.h"

struct fathom_cube_output;

/* Before the rows of a call path. */
struct fathom_packed_cnode {
	uint32_t cnode;
	uint32_t pad;
	fathom_presence present;	/* which rows follow: by enum fathom_value, metrics as the process calls them */
};

/* What a process that writes must know of the file; it does not grow with the number of locations. */
struct fathom_file_layout {
	struct fathom_cube_layout columns;
	uint32_t *values;		/* by metric of the file: which value of the union, see enum fathom_value */
	enum fathom_threads threads;	/* what locations are made of */
	uint32_t value_count;		/* FATHOM_VALUE_COUNT, and the metrics of the union */
	uint8_t types[FATHOM_METRIC_MOST];	/* of these metrics: enum fathom_metric_type */
};

struct fathom_process_columns {		/* the columns of a process */
	uint32_t column;	/* the first one, in the file */
	uint32_t count;
	uint32_t place;		/* index of its first location in a value block; set by fathom_value_block_init */
	uint32_t threads;	/* enum fathom_threads: what this process's are made of */
	int rank;
};

struct fathom_value_block {
	const struct fathom_file_layout *layout;
	struct fathom_process_columns *parts;
	uint32_t part_count;
	uint32_t first, end;	/* cnodes */
	uint32_t locations;	/* of all parts */
	uint64_t *cells;	/* [value][cnode - first][location][width]; NULL: there is no memory */
	char *row;		/* of the file, of the largest type */
};

/* How many call paths of so many locations make a piece of about bytes; at least one. */
uint32_t fathom_value_block_cnodes(const struct fathom_file_layout *layout, uint64_t locations, uint64_t bytes);

/* An empty piece with room for so many call paths of these parts, which are put in order. 0 or -ENOMEM: all
 * but begin must be left alone then. Context: finish, signal; as all below. */
int fathom_value_block_init(struct fathom_value_block *block, struct fathom_arena *arena,
			    const struct fathom_file_layout *layout, struct fathom_process_columns *parts,
			    uint32_t part_count, uint32_t cnodes);

/* Go on with these call paths, at which nobody has anything yet. */
void fathom_value_block_begin(struct fathom_value_block *block, uint32_t first, uint32_t end);

/* Put what a process sent at its part. -EPROTO: it is not what was agreed. */
int fathom_value_block_unpack(struct fathom_value_block *block, const struct fathom_process_columns *part,
			      const char *data, size_t bytes);

/* Write all rows, as far as the columns go. 0 or output's error. */
int fathom_value_block_put(struct fathom_value_block *block, struct fathom_cube_output *output);

#endif
