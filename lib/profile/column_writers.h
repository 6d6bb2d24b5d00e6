/*
 * column_writers: what those ranks that write (value_collection.h) tell each other, along a tree of their own.
 */
#ifndef FATHOM_PROFILE_COLUMN_WRITERS_H
#define FATHOM_PROFILE_COLUMN_WRITERS_H

#include <stdbool.h>

#include "profile/value_collection.h"

struct fathom_column_writers {
	struct fathom_comm *comm;
	int group_size;
	int count;		/* writers */
	int group_end;		/* the first rank behind the own group */
	int parent;		/* a rank, as all here; -1: at rank 0 */
	int children[32];
	int child_count;
};

/* comm->rank is one of them. */
void fathom_column_writers_init(struct fathom_column_writers *writers, struct fathom_comm *comm, uint32_t group_size);

/*
 * Hand on to all what rank 0 knows of the file: layout and path, which elsewhere come from arena. *err: this rank
 * has no memory for it. Returns -errno if comm is broken.
 */
int fathom_column_writers_share_layout(const struct fathom_column_writers *writers, struct fathom_arena *arena,
				       struct fathom_file_layout *layout, const char **path, int *err);

/* Of all writers' verdicts the one that counts, at rank 0. 0, or -errno: comm is broken. */
int fathom_column_writers_collect_verdicts(const struct fathom_column_writers *writers, struct fathom_verdict *verdict);

#endif
