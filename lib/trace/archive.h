/*
 * archive: the OTF2 archive to which a process writes its events while it runs.
 *
 * When events begin, no process knows its rank. So each process writes a local archive of its own, in a hidden
 * directory next to the experiment directories (event_directory.h), with its locations numbered from 0. When the run
 * is over, the processes move these files to the trace, and rank 0 writes the definitions for all.
 */
#ifndef FATHOM_TRACE_ARCHIVE_H
#define FATHOM_TRACE_ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "comm/clock_sync.h"
#include "trace/copied_roots.h"
#include "trace/location_trace.h"
#include "trace/mpi_objects.h"

/* The name of the anchor file until the trace is complete. */
#define FATHOM_TRACE_ANCHOR_PART "traces.otf2.part"

/* Opens the local archive; no file is created yet. directory: the directory of the experiment directories, a text
 * that must live as long as the process. most_memory and limit: see fathom_trace_buffer_limit. 0 or -errno.
 * Context: start. */
int fathom_trace_archive_open(const char *directory, uint64_t most_memory, uint64_t limit);

/* Returns true if FATHOM_TRACE_MEMORY is set. Context: finish. */
bool fathom_trace_archive_is_capped(void);

/* Returns the trace of a new location, in memory from its arena. NULL: no memory. The caller holds the lock of
 * locations. Context: birth. */
struct fathom_trace *fathom_trace_archive_add(struct fathom_location *self);

/* Returns a trace whose records are never read; it is in no archive. NULL: no memory. Context: birth, finish, signal.
 */
struct fathom_trace *fathom_trace_archive_scratch(struct fathom_location *self);

/* Locations that are created after this call do not become part of the trace. Context: signal. */
void fathom_trace_archive_stop(void);

/* Writes the path of the location's event file in the trace in directory, as a location of rank, to path. Context:
 * finish. */
void fathom_trace_archive_moved_path(const struct fathom_trace *trace, const char *directory, uint32_t rank, char *path,
				     size_t bytes);

/* Returns the trace of the newest location; its member next leads to the older ones. NULL: there is none.
 * Context: finish. */
struct fathom_trace *fathom_trace_archive_newest(void);

/* Writes the path of the process's run snapshot to a file next to the event files. Context: birth. */
void fathom_trace_archive_note_snapshot(const char *path);

/* Copies the newest trace, the path of the hidden directory and the events that are not in files yet, for a run
 * snapshot. Context: the helper. */
void fathom_trace_archive_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);

/* Completes the location's event file. Its thread must not record any more. 0 or -errno. Context: finish. */
int fathom_trace_archive_close_events(struct fathom_trace *trace);

/* Begins to write the local definitions. All event files must be complete. 0 or -errno. Context: finish. */
int fathom_trace_archive_begin_local(void);

/* Writes the local definitions of a location: tables from the numbers in its records to the numbers in the trace. A
 * table that is NULL or empty is left out. 0 or -errno. Context: finish. */
struct fathom_trace_tables {
	uint32_t *regions;
	uint32_t region_count;
	uint32_t *comms;
	uint32_t comm_count;
	uint32_t *metrics;	/* of metric classes and instances, see metric_records.h */
	uint32_t metric_count;
	uint32_t *strings;
	uint32_t string_count;
	uint32_t *parameters;
	uint32_t parameter_count;
	struct fathom_trace_object_tables objects;
	const struct fathom_clock_sync_point *clock;	/* two points, see clock_sync.h; NULL: there is one process */
};
int fathom_trace_archive_write_local(struct fathom_trace *trace, const struct fathom_trace_tables *tables);

/* Create a location without events, which is used for each rank that is absent from the trace.
 * fathom_trace_archive_add_absent is called before fathom_trace_archive_begin_local, and
 * fathom_trace_archive_write_absent after it. 0 or -errno. Context: finish. */
int fathom_trace_archive_add_absent(void);
int fathom_trace_archive_write_absent(const struct fathom_clock_sync_point *clock);

/* Moves the files of all locations to the trace in directory, as locations of rank, and removes the local archive.
 * absent: the number of other ranks of the run, which have no files; each gets files without events. has_events: the
 * trace has the event files already, made from those of the local archive. 0 or -errno. Context: finish. */
int fathom_trace_archive_move(const char *directory, uint32_t rank, uint32_t absent, bool has_events);

/* Both remove the local archive from disk. fathom_trace_archive_remove closes it before; a signal handler may call
 * fathom_trace_archive_discard. Context: finish; the second: signal. */
void fathom_trace_archive_remove(void);
void fathom_trace_archive_discard(void);

/* Removes the local archives that killed processes have left in the directory where traces are made. Context:
 * finish. */
void fathom_trace_archive_clear(void);

/* Removes the files that fathom_trace_archive_move has moved, because the trace cannot be completed. Context: finish.
 */
void fathom_trace_archive_withdraw(const char *directory, uint32_t rank, uint32_t absent);

/*
 * For the trace of a process alone, which a copy of the process may have tried to write before: a copy that waits for
 * a lock is killed, and another one is made. fathom_trace_archive_is_complete returns whether the copy had moved all
 * files to directory, and gives the anchor its name. Otherwise fathom_trace_archive_undo moves event files back and
 * removes the other files. Context: finish.
 */
bool fathom_trace_archive_is_complete(const char *directory);
void fathom_trace_archive_undo(const char *directory, uint32_t rank, uint32_t absent);

/* Creates the archive for the definitions of the whole trace in directory, for that many locations. NULL: it cannot
 * be created. The caller closes it. Context: finish. */
OTF2_Archive *fathom_trace_archive_create(const char *directory, uint64_t locations);

/* fathom_trace_archive_hide renames the anchor of the trace in directory, so that no tool regards the trace as
 * complete; fathom_trace_archive_show restores its name. 0 or -errno. Context: finish. */
int fathom_trace_archive_hide(const char *directory);
int fathom_trace_archive_show(const char *directory);

/* Returns the number in the trace of location id of the process with this rank. Any context. */
static inline uint64_t fathom_trace_location_id(uint32_t rank, uint32_t id)
{
	return rank | (uint64_t)id << 32;
}

#endif
