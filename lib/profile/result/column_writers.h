/* column_writers: the messages between the ranks that write columns (value_collection.h), along a binomial tree of
 * their own. */
#ifndef FATHOM_PROFILE_COLUMN_WRITERS_H
#define FATHOM_PROFILE_COLUMN_WRITERS_H

#include <stdbool.h>

#include "comm/comm.h"
#include "profile/result/value_block.h"
#include "profile/result/writing_verdict.h"

struct fathom_column_writers {
	struct fathom_comm *comm;
	int group_size;
	int count;		/* number of writers */
	int group_end;		/* the first rank after the own group */
	int parent;		/* rank of the parent in the tree; -1: none, at rank 0 */
	int children[32];
	int child_count;
};

/* Finds the position of this rank, which must be a writer, in the tree of writers. Context: finish. */
void fathom_column_writers_init(struct fathom_column_writers *writers, struct fathom_comm *comm, uint32_t group_size);

/* Called by all writers: rank 0 sends the layout and the path of the file to the others, which allocate them from
 * arena. Sets *err if this rank has no memory for them. 0, or -errno: comm is broken. Context: finish. */
int fathom_column_writers_share_layout(const struct fathom_column_writers *writers, struct fathom_arena *arena,
				       struct fathom_file_layout *layout, const char **path, int *err);

/* Called by all writers: merges their verdicts into that of rank 0. 0, or -errno: comm is broken. Context: finish. */
int fathom_column_writers_collect_verdicts(const struct fathom_column_writers *writers, struct fathom_verdict *verdict);

#endif
