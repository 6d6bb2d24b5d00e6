/*
 * value_block: a range of call paths with the values of some processes' locations, which a writer writes to the file.
 *
 * Processes send their values in packed form: for each call path a head, then the rows of its values as
 * fathom_aggregate_cells returned them. The columns of these processes, and which of them are adjacent in the file,
 * do not depend on the ranks.
 */
#ifndef FATHOM_PROFILE_VALUE_BLOCK_H
#define FATHOM_PROFILE_VALUE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "cube/value_layout.h"
#include "profile/process_tree/thread_aggregation.h"

struct fathom_cube_output;

/* The head before the rows of a call path. */
struct fathom_packed_cnode {
	uint32_t cnode;
	uint32_t pad;
	fathom_presence present;	/* which rows follow, as bits by enum fathom_value; metrics by the numbers of
					 * the union */
};

/* The data that a writer needs about the file. Its size does not depend on the number of locations. */
struct fathom_file_layout {
	struct fathom_cube_layout columns;
	uint32_t *values;		/* by metric of the file: the value of the union, see enum fathom_value */
	enum fathom_threads threads;	/* how threads are mapped to locations */
	uint32_t value_count;		/* FATHOM_VALUE_COUNT plus the number of metrics of the union */
	uint8_t types[FATHOM_METRIC_MOST];	/* by metric of the union: enum fathom_metric_type */
};

struct fathom_process_columns {		/* the columns of a process in the file */
	uint32_t column;	/* number of the first one */
	uint32_t count;
	uint32_t place;		/* index of its first location in a value block; set by fathom_value_block_init */
	uint32_t threads;	/* enum fathom_threads: the strategy of this process */
	int rank;
};

struct fathom_value_block {
	const struct fathom_file_layout *layout;
	struct fathom_process_columns *parts;
	uint32_t part_count;
	uint32_t first, end;	/* the range of cnodes */
	uint32_t locations;	/* of all processes */
	uint64_t *cells;	/* [value][cnode - first][location][width]; NULL: no memory */
	char *row;		/* a row of the file, of the largest type */
};

/* Returns how many call paths of that many locations have about this number of bytes; at least one. */
uint32_t fathom_value_block_cnodes(const struct fathom_file_layout *layout, uint64_t locations, uint64_t bytes);

/* Makes an empty block with room for cnodes call paths of these processes; parts is sorted by their columns. 0 or
 * -ENOMEM: then only fathom_value_block_begin may be called. Context: finish, signal, as of all functions here. */
int fathom_value_block_init(struct fathom_value_block *block, struct fathom_arena *arena,
			    const struct fathom_file_layout *layout, struct fathom_process_columns *parts,
			    uint32_t part_count, uint32_t cnodes);

/* Empties the block and continues with the cnodes from first to before end. */
void fathom_value_block_begin(struct fathom_value_block *block, uint32_t first, uint32_t end);

/* Adds the packed values of a process. -EPROTO: the data does not have the right form. */
int fathom_value_block_unpack(struct fathom_value_block *block, const struct fathom_process_columns *part,
			      const char *data, size_t bytes);

/* Writes the block's part of all rows to the file. 0 or the error of output. */
int fathom_value_block_put(struct fathom_value_block *block, struct fathom_cube_output *output);

#endif
