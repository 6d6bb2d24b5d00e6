/*
 * snapshots: the files in which programs that are killed leave what they had (lib/run/run_snapshot.h): profile.snapshot
 * or rank-N.snapshot of each MPI rank.
 */
#ifndef FATHOM_TOOLS_COMMON_SNAPSHOTS_H
#define FATHOM_TOOLS_COMMON_SNAPSHOTS_H

#include <stdbool.h>

#define FATHOM_SNAPSHOT_SERIAL "profile.snapshot"

/* N of a file name "rank-N.snapshot", -1: it is none. */
long fathom_snapshot_rank_of(const char *file);

/* Whether the process that writes the file has not ended: it holds a lock on it. */
bool fathom_snapshot_is_alive(const char *path);

/* Make a profile of a snapshot, by fathom-restore, which stands beside this program. 0, or -errno after a line. */
int fathom_snapshot_restore(const char *snapshot, const char *profile);

#endif
