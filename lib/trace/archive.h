/*
 * archive: the OTF2 archive that a process writes its events to while it runs.
 *
 * When events begin, no process knows which rank it will be. So each process writes a local archive of its own, in a
 * hidden directory next to the experiment directories (event_directory.h), with its locations numbered from 0. When the
 * run is over, the files are moved into the trace, and rank 0 writes the definitions for all.
 */
#ifndef FATHOM_TRACE_ARCHIVE_H
#define FATHOM_TRACE_ARCHIVE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "trace/buffer.h"
#include "trace/clock_sync.h"
#include "trace/mpi_objects.h"

/* The name of the anchor file until the trace is complete. */
#define FATHOM_TRACE_ANCHOR_PART "traces.otf2.part"

struct fathom_message_times;

enum fathom_trace_state {
	FATHOM_TRACE_LIMITED = 1,	/* FATHOM_TRACE_LIMIT is reached: compiler regions are left out */
	FATHOM_TRACE_LOST = 2,		/* memory or disk are used up: nothing more is recorded */
	FATHOM_TRACE_CLOSED = 4,	/* the event file is being completed, or is complete */
};

/* The trace of one location; the location's trace_data points to it. Its own thread alone writes it, until the trace
 * is closed. */
struct fathom_trace {
	struct fathom_trace_buffer buffer;
	volatile uint32_t state;	/* bits of enum fathom_trace_state; changed by fathom_trace_add_state */
	uint32_t is_paused;		/* its thread waits until the trace is written */
	bool has_waited;		/* the thread gave up this waiting once: it does not wait again */
	bool is_off;			/* the program has switched recording off here */
	bool is_scratch;		/* for measuring the own cost: in no archive, see buffer.h */
	uint32_t id;			/* number of the location in the local archive */
	uint64_t lost;			/* events that were not recorded before the trace was closed */
	int64_t requests;		/* MPI requests begun here less those completed here */
	struct fathom_message_times *message_times;	/* NULL: no messages so far */
	uint64_t thread_number;		/* of a created thread that has begun and not ended; 0: none */
	struct fathom_trace_membership *memberships;	/* in teams, see team_records.h; newest first */
	struct fathom_trace_membership *last_membership;	/* the one that was looked up last */
	uint32_t alone;			/* 1 + number of the communicator for tasks outside of teams; 0: none yet */
	int64_t tasks;			/* explicit tasks created here less those completed here */
	int64_t locks;			/* locks acquired here less those released here */
	struct fathom_location *location;
	struct fathom_trace *next;	/* the location born before this one */
};

/* Sets a bit of the state. The owning thread and the thread that closes the trace may do so at the same time.
 * Context: hook. */
static inline void fathom_trace_add_state(struct fathom_trace *trace, enum fathom_trace_state bit)
{
	__atomic_fetch_or(&trace->state, (uint32_t)bit, __ATOMIC_SEQ_CST);
}

/* Opens the local archive; no file is made yet. directory: where experiment directories are made; it must live as
 * long as the process. most_memory and limit: see fathom_trace_buffer_limit. 0 or -errno. Context: start. */
int fathom_trace_archive_open(const char *directory, uint64_t most_memory, uint64_t limit);

/* Whether FATHOM_TRACE_MEMORY is set. Context: finish. */
bool fathom_trace_archive_is_capped(void);

/* Returns the trace of a new location, in memory from its arena. NULL: no memory. The caller holds the lock of
 * locations. Context: birth. */
struct fathom_trace *fathom_trace_archive_add(struct fathom_location *self);

/* Returns a trace whose records nobody reads and that is in no archive. NULL: no memory. Context: birth, finish,
 * signal. */
struct fathom_trace *fathom_trace_archive_scratch(struct fathom_location *self);

/* Locations that are born from now on do not become part of the trace. Context: signal. */
void fathom_trace_archive_stop(void);

/* Writes to path the name of the location's event file as it is while the program runs. Context: signal. */
void fathom_trace_archive_event_path(const struct fathom_trace *trace, char *path, size_t bytes);

/* Notes that something failed, error as -errno: there will be no trace. The first error counts. Context: signal. */
void fathom_trace_archive_fail(int error);

/* Returns the first error as -errno; -EIO if the system gave no reason. Context: finish. */
int fathom_trace_archive_error(void);
bool fathom_trace_archive_has_failed(void);

/* Returns the newest location's trace; the others follow by next. NULL: there is none. Context: finish. */
struct fathom_trace *fathom_trace_archive_newest(void);

/* Notes, next to the event files, the path of the process's run snapshot. Context: birth. */
void fathom_trace_archive_note_snapshot(const char *path);

/* Completes the location's event file. No thread records on it any more. 0 or -errno. Context: finish. */
int fathom_trace_archive_close_events(struct fathom_trace *trace);

/* Begins the writing of local definitions. All event files are complete. 0 or -errno. Context: finish. */
int fathom_trace_archive_begin_local(void);

/* Writes the local definitions of a location: tables from the numbers in its records to those in the trace. A table
 * that is NULL or empty is left out. 0 or -errno. Context: finish. */
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

/* Two steps make a location without events, which stands for each rank that is absent from the trace: the first
 * before fathom_trace_archive_begin_local, the second among the local definitions. 0 or -errno. Context: finish. */
int fathom_trace_archive_add_absent(void);
int fathom_trace_archive_write_absent(const struct fathom_clock_sync_point *clock);

/* Moves the files of all locations into the trace in directory, as locations of rank, and removes the local archive.
 * absent: how many ranks besides this one the run has that have no files; each gets files without events. 0 or
 * -errno. Context: finish. */
int fathom_trace_archive_move(const char *directory, uint32_t rank, uint32_t absent);

/* Remove the local archive from disk: the first closes it before; the second may be called by a signal handler.
 * Context: finish; the second: signal. */
void fathom_trace_archive_remove(void);
void fathom_trace_archive_discard(void);

/* Removes the local archives that killed processes have left in the directory where traces are made. Context:
 * finish. */
void fathom_trace_archive_clear(void);

/* Removes the files again that fathom_trace_archive_move has moved: the trace is not complete. Context: finish. */
void fathom_trace_archive_withdraw(const char *directory, uint32_t rank, uint32_t absent);

/* Creates the archive for the definitions of the whole trace in directory, for that many locations. NULL: that is
 * not possible. The caller closes it. Context: finish. */
OTF2_Archive *fathom_trace_archive_create(const char *directory, uint64_t locations);

/* The first renames the anchor of the trace in directory, so that no tool takes the trace for complete; the second
 * gives it its own name again. 0 or -errno. Context: finish. */
int fathom_trace_archive_hide(const char *directory);
int fathom_trace_archive_show(const char *directory);

/* Returns the number in the trace of the location with that id in the process of that rank. Any context. */
static inline uint64_t fathom_trace_location_id(uint32_t rank, uint32_t id)
{
	return rank | (uint64_t)id << 32;
}

#endif
