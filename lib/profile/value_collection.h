/*
 * value_collection: brings the values of all processes into the one file.
 *
 * A *writer* is the first rank of each group of neighbouring ranks; FATHOM_RANKS_PER_WRITER says how many these are.
 * It receives the values of the ranks of its group, a block at a time, and writes their columns into the file. The
 * position of the columns depends on where the processes are in the system, not on their ranks. A *block* consists of
 * call paths whose values, of all locations of a group, fit into a buffer of fixed size.
 *
 * Nothing that a rank holds grows with the number of ranks. Writers write for themselves, by the communicator's
 * functions for files. If these fail, all of it is done a second time in another way: the writers send what they would
 * write to rank 0, which has opened the file in the ordinary way.
 *
 * No rank waits for ever if another rank has no memory or a writer has no room: such a rank goes on taking part, and
 * in the end all know of the error.
 */
#ifndef FATHOM_PROFILE_VALUE_COLLECTION_H
#define FATHOM_PROFILE_VALUE_COLLECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "profile/value_block.h"
#include "profile/value_sender.h"

struct fathom_collect_plan {	/* equal on all ranks */
	uint32_t group_size;	/* ranks that share a writer */
	uint32_t cnode_count;
	uint32_t block_cnodes;	/* call paths in a block */
	uint32_t pad;
};

struct fathom_verdict {		/* how an attempt went */
	int32_t err;
	int32_t rank;		/* the rank with the error */
	bool is_curable;	/* the error would not occur if rank 0 wrote */
	bool is_again;		/* rank 0 decides that there is a second attempt */
};

struct fathom_column_writers;

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

/* Sets how many ranks share a writer; returns it. Context: start; any. */
void fathom_collect_choose(uint32_t group_size);
uint32_t fathom_collect_group_size(void);

/* The most bytes of values that a writer holds at a time, unless a single call path has more. */
#define FATHOM_COLLECT_BYTES ((uint64_t)4 << 20)

/* Called by all ranks: brings all values into the file. is_through_root: rank 0 writes for all, as in the second
 * attempt. 0, or -errno: comm is broken. Otherwise *verdict, all zero before, says at rank 0 how the attempt went;
 * rank 0 must then tell all others. Context: finish; signal where comm is serial. */
int fathom_collect(const struct fathom_collect *collect, bool is_through_root, struct fathom_verdict *verdict);

/* Merges another verdict into verdict: an error that cannot be cured is worse than one that can; of errors that are
 * equally bad, the first counts. Any context. */
void fathom_verdict_add(struct fathom_verdict *verdict, const struct fathom_verdict *other);

#endif
