/*
 * value_collection: writes the values of all processes to the one file.
 *
 * A *writer* is the first rank of each group of consecutive ranks; FATHOM_RANKS_PER_WRITER is the size of a group.
 * The writer receives the values of the ranks of its group, a block at a time, and writes their columns to the file.
 * The position of the columns depends on the place of the processes in the system, not on their ranks. A *block*
 * consists of call paths whose values, of all locations of a group, fit into a buffer of fixed size.
 *
 * The memory of a rank does not grow with the number of ranks. Writers write by the communicator's file functions. If
 * these fail, there is a second attempt: the writers send their data to rank 0, which has opened the file by the
 * usual system calls.
 *
 * No rank waits for ever if another rank has no memory, or a writer no disk space: such a rank continues to take
 * part, and in the end all ranks get the error.
 */
#ifndef FATHOM_PROFILE_VALUE_COLLECTION_H
#define FATHOM_PROFILE_VALUE_COLLECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "profile/result/column_writers.h"
#include "profile/result/value_block.h"
#include "profile/result/value_sender.h"
#include "profile/result/writing_verdict.h"

struct fathom_collect_plan {	/* equal on all ranks */
	uint32_t group_size;	/* number of ranks that share a writer */
	uint32_t cnode_count;
	uint32_t block_cnodes;	/* number of call paths in a block */
	uint32_t pad;
};

struct fathom_collect {
	struct fathom_comm *comm;
	const struct fathom_collect_plan *plan;
	struct fathom_value_sender *sender;		/* NULL: this rank has no memory for it */
	struct fathom_process_columns own;
	/* At writers only: */
	const struct fathom_column_writers *writers;
	const struct fathom_file_layout *layout;	/* NULL: this rank has no memory for it */
	const char *path;			/* name of the file until it is complete */
	/* At rank 0 only: */
	struct fathom_cube_output *output;	/* writes to the file */
};

/* fathom_collect_choose sets how many ranks share a writer; fathom_collect_group_size returns it. Context: start;
 * any. */
void fathom_collect_choose(uint32_t group_size);
uint32_t fathom_collect_group_size(void);

/* The largest number of bytes of values that a writer stores at a time, unless a single call path has more. */
#define FATHOM_COLLECT_BYTES ((uint64_t)4 << 20)

/* Called by all ranks: writes all values to the file. is_through_root: rank 0 writes for all, as in the second
 * attempt. 0, or -errno: comm is broken. Otherwise *verdict, all zero before, is the outcome of the attempt at rank
 * 0; rank 0 must then send it to all others. Context: finish; signal where comm is serial. */
int fathom_collect(const struct fathom_collect *collect, bool is_through_root, struct fathom_verdict *verdict);

#endif
