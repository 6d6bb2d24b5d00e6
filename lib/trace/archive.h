/*
 * archive: the OTF2 archive that a process writes its events to while it runs.
 *
 * Nobody knows yet, when events begin, which rank this will be. So each process has an archive of its own, in a
 * hidden directory beside the experiments, with its locations numbered from 0; when all is over the files are moved to
 * where they belong, and one process writes the definitions that hold for all.
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

/* What the anchor is called until the trace is complete. */
#define FATHOM_TRACE_ANCHOR_PART "traces.otf2.part"

enum fathom_trace_state {
	FATHOM_TRACE_LIMITED = 1,	/* FATHOM_TRACE_LIMIT is reached: regions of the compiler are left out */
	FATHOM_TRACE_LOST = 2,		/* there is no memory or no disk: nothing is recorded any more */
	FATHOM_TRACE_CLOSED = 4,	/* the files are complete */
};

/* What a location's trace_data points at. Written by its own thread, until the trace is closed. */
struct fathom_arrivals;

struct fathom_trace {
	struct fathom_trace_buffer buffer;
	volatile uint32_t state;	/* bits of enum fathom_trace_state; changed by fathom_trace_add_state */
	uint32_t is_paused;		/* its thread waits for the end of the trace to be written */
	bool has_waited;		/* in vain */
	bool is_off;			/* the program switched its recording off */
	bool is_scratch;		/* for measuring the measurement: in no archive, see buffer.h */
	uint32_t id;			/* of the location, in this process's archive */
	uint64_t lost;			/* events, before it is closed */
	int64_t requests;		/* begun here less completed here */
	struct fathom_arrivals *arrivals;	/* times of messages; NULL: none so far */
	uint64_t thread_number;		/* of a created thread that has begun and not ended; 0: of none */
	struct fathom_trace_part *parts;	/* in teams, see team_records.h; the newest first */
	struct fathom_trace_part *part;	/* the one asked for last */
	uint32_t alone;			/* 1 + number of the communicator of tasks outside of teams; 0: none yet */
	int64_t tasks;			/* created here less completed here */
	int64_t locks;			/* acquired here less released here */
	struct fathom_location *location;
	struct fathom_trace *next;	/* born before this one */
};

/* The owner and whoever closes the trace may do it at the same time. Context: hook. */
static inline void fathom_trace_add_state(struct fathom_trace *trace, enum fathom_trace_state bit)
{
	__atomic_fetch_or(&trace->state, (uint32_t)bit, __ATOMIC_SEQ_CST);
}

/* Open it; directory is where experiments are made. 0 or -errno. Context: start. */
int fathom_trace_archive_open(const char *directory, uint64_t most_memory, uint64_t limit);

/* FATHOM_TRACE_MEMORY is set. Context: finish. */
bool fathom_trace_archive_is_capped(void);

/* A writer for a new location. NULL: no memory. The caller holds a lock. Context: birth. */
struct fathom_trace *fathom_trace_archive_add(struct fathom_location *self);

/* A place for records that nobody reads, in no archive. NULL: no memory. Context: birth, finish, signal. */
struct fathom_trace *fathom_trace_archive_scratch(struct fathom_location *self);

/* Locations born from now on are not in the trace. Context: signal. */
void fathom_trace_archive_stop(void);

/* The file of a location's events while the program runs. Context: signal. */
void fathom_trace_archive_event_path(const struct fathom_trace *trace, char *path, size_t bytes);

/* Something failed, an -errno: there will be no trace. Context: signal. */
void fathom_trace_archive_fail(int error);

/* What failed first, as -errno; -EIO if it is nothing the system knows. Context: finish. */
int fathom_trace_archive_error(void);
bool fathom_trace_archive_has_failed(void);

/* The newest; the others follow. Context: finish. */
struct fathom_trace *fathom_trace_archive_newest(void);

/* Write what is left of the location's events. Nobody records on it any more. 0 or -errno. Context: finish. */
int fathom_trace_archive_close_events(struct fathom_trace *trace);

/* All events are closed; definitions of the locations follow. 0 or -EIO. Context: finish. */
int fathom_trace_archive_begin_local(void);

/* Definitions of a location: tables from this process's numbers to those of the trace. A NULL
 * table is left out. Context: finish. */
struct fathom_trace_tables {
	uint32_t *regions;
	uint32_t region_count;
	uint32_t *comms;
	uint32_t comm_count;
	uint32_t *metrics;	/* classes and instances, see metric_records.h */
	uint32_t metric_count;
	uint32_t *strings;
	uint32_t string_count;
	uint32_t *parameters;
	uint32_t parameter_count;
	struct fathom_trace_object_tables objects;
	const struct fathom_sync_point *clock;	/* two points, see clock_sync.h; NULL: there is one process */
};
int fathom_trace_archive_write_local(struct fathom_trace *trace, const struct fathom_trace_tables *tables);

/* A location without events that stands for each process that is absent: all events are closed; then its definitions.
 * 0 or -errno. Context: finish. */
int fathom_trace_archive_add_absent(void);
int fathom_trace_archive_write_absent(const struct fathom_sync_point *clock);

/* All locations are complete: move their files to those of a trace in directory, as locations of rank, and remove
 * what was hidden. Of ranks 0 to absent, those but rank are absent; absent 0: none. 0 or -errno. Context: finish. */
int fathom_trace_archive_move(const char *directory, uint32_t rank, uint32_t absent);

/* Nothing of it is kept on disk. Context: finish, the second signal. */
void fathom_trace_archive_remove(void);
void fathom_trace_archive_discard(void);

/* What processes that were killed have left where traces are made. Context: finish. */
void fathom_trace_archive_clear(void);

/* The files that were moved are removed again: the trace is not complete. Context: finish. */
void fathom_trace_archive_withdraw(const char *directory, uint32_t rank, uint32_t absent);

/* The archive for the definitions of all, in directory. NULL: it cannot be made. Context: finish. */
OTF2_Archive *fathom_trace_archive_create(const char *directory, uint64_t locations);

/* The anchor of what was written there gets another name until the trace is complete, and then its own again. 0 or
 * -errno. Context: finish. */
int fathom_trace_archive_hide(const char *directory);
int fathom_trace_archive_show(const char *directory);

/* The number a location has in the trace. */
static inline uint64_t fathom_trace_location_id(uint32_t rank, uint32_t id)
{
	return rank | (uint64_t)id << 32;
}

#endif
