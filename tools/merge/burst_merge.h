/*
 * burst_merge: puts the bursts of several ranks together (rank-N.bursts.bin, see doc/reference/files.md).
 */
#ifndef FATHOM_TOOLS_MERGE_BURST_MERGE_H
#define FATHOM_TOOLS_MERGE_BURST_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The file that is being written; all zero at first. */
struct fathom_merged_bursts {
	FILE *file;		/* NULL: no rank had bursts yet */
	uint32_t blocks;	/* that were written */
	bool exists;		/* there was such a file before, which is not replaced */
	char path[PATH_MAX];
};

/*
 * Adds the bursts of a rank, which are in a file next to its profile, to bursts.bin next to merged, the merged profile.
 * A rank without the file adds nothing; a file that cannot be read gets a message and is left out. 0, or -errno after
 * an error message. Context: tool, like fathom_bursts_end.
 */
int fathom_bursts_merge(struct fathom_merged_bursts *bursts, const char *profile, const char *merged);

/* Completes the file, or removes it if err is not 0. Returns err, or -errno after an error message. */
int fathom_bursts_end(struct fathom_merged_bursts *bursts, int err);

#endif
