/*
 * snapshots: makes profiles and traces of the run snapshots that killed programs leave (lib/run/run_snapshot.h):
 * profile.snapshot, or rank-N.snapshot of each MPI rank. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_SNAPSHOTS_H
#define FATHOM_TOOLS_COMMON_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>

#define FATHOM_SNAPSHOT_SERIAL "profile.snapshot"
#define FATHOM_SNAPSHOT_ENDING ".snapshot"	/* of rank-N.snapshot */

/* Returns whether the process that writes the file is still running. It then holds a lock on the file. */
bool fathom_snapshot_is_alive(const char *path);

/* The result of restoring a snapshot. */
enum fathom_restored {
	FATHOM_RESTORED,
	FATHOM_RESTORED_NONE,		/* the process did not record the wanted result */
	FATHOM_RESTORED_FAILED,		/* an error message was printed */
};

/* Make a profile of a snapshot, and one trace of the count snapshots of a run, in directory. Both call fathom-restore,
 * which is in the directory of this program. */
enum fathom_restored fathom_snapshot_restore(const char *snapshot, const char *profile);
enum fathom_restored fathom_snapshot_restore_traces(const char *directory, const char *const *snapshots, size_t count);

#endif
