/*
 * value_collection: how the values get from all processes into the one file.
 *
 * writer	the first rank of each group of neighbours, so many as FATHOM_RANKS_PER_WRITER says. It takes in what
 *		the ranks of its group have, a piece at a time, and writes their columns to where they belong. Where
 *		that is, the place of a process in the system decides, not its rank.
 * piece	call paths whose values, of all locations of a group, fit into a buffer of fixed size
 *
 * Nothing a rank holds for this grows with the number of ranks. Writers write for themselves, by the
 * communicator's functions for files. Where those fail, all of it is done again, in such a way that the writers
 * hand what they would write to rank 0, which has the file open in the ordinary way.
 *
 * Nobody is left waiting where a rank has no memory or a writer no room: it goes on taking part, and in the end
 * all know.
 */
#ifndef FATHOM_PROFILE_VALUE_COLLECTION_H
#define FATHOM_PROFILE_VALUE_COLLECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "profile/value_block.h"
#include "profile/value_sender.h"

struct fathom_collect_plan {	/* the same on all ranks */
	uint32_t group_size;	/* ranks that share a writer */
	uint32_t cnode_count;
	uint32_t block_cnodes;	/* call paths in a piece */
	uint32_t pad;
};

struct fathom_verdict {		/* how it went */
	int32_t err;
	int32_t rank;		/* whose error it is */
	bool is_curable;	/* it would not be one if rank 0 wrote */
	bool is_again;		/* what rank 0 decides: so it shall be */
};

struct fathom_column_writers;

struct fathom_collect {
	struct fathom_comm *comm;
	const struct fathom_collect_plan *plan;
	struct fathom_value_sender *sender;		/* NULL: this rank had no memory for one */
	struct fathom_process_columns own;
	/* At writers: */
	const struct fathom_column_writers *writers;
	const struct fathom_file_layout *layout;	/* NULL: this rank had no memory for it */
	const char *path;			/* of the file as it is called meanwhile */
	/* At rank 0: */
	struct fathom_cube_output *output;	/* into the file */
};

/* How many ranks share a writer, for all that follows. Context: start. */
void fathom_collect_choose(uint32_t group_size);
uint32_t fathom_collect_group_size(void);

/* As much of the values as a writer may hold at a time, unless one call path alone has more. */
#define FATHOM_COLLECT_BYTES ((uint64_t)4 << 20)

/*
 * Bring all values into the file; called by all ranks. is_through_root: as the second attempt does. 0 or -errno: comm
 * is broken. Otherwise rank 0 knows by verdict, all zero before, how it went, and is to tell all.
 * Context: finish; signal where comm is serial.
 */
int fathom_collect(const struct fathom_collect *collect, bool is_through_root, struct fathom_verdict *verdict);

/* Of two verdicts the one that counts: what cannot be cured before what can, else the first. */
void fathom_verdict_add(struct fathom_verdict *verdict, const struct fathom_verdict *other);

#endif
