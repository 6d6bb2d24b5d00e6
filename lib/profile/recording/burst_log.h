/*
 * burst_log: the bursts of a location (bursts/burst_format.h), recorded while the program runs (FATHOM_BURSTS).
 *
 * Each location has a log, which only its own thread writes. The records have the same size, and are in chunks. When
 * the chunks of the process take as much memory as the setting allows, the oldest chunk of the log goes to a file
 * without a name (platform/nameless_file.h). Beyond a multiple of the memory, bursts are only counted.
 *
 * A record belongs to the log as soon as the member next is behind it, which is stored last: a signal handler that
 * interrupts the recording and leaves by a jump leaves a log without half a record.
 */
#ifndef FATHOM_PROFILE_BURST_LOG_H
#define FATHOM_PROFILE_BURST_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "platform/compiler.h"

struct fathom_location;
struct fathom_node;
struct fathom_arena;

/* The words of a record; those from FATHOM_BURST_COUNTERS on are the growth of the location's counters. */
enum { FATHOM_BURST_BEGIN, FATHOM_BURST_END, FATHOM_BURST_BEFORE, FATHOM_BURST_AFTER, FATHOM_BURST_COUNTERS };

/* Whether the thread computes now. */
enum fathom_burst_state {
	FATHOM_BURST_NONE,		/* it is in a call, or outside of all regions */
	FATHOM_BURST_OPEN,		/* it is in a burst */
	FATHOM_BURST_INTERRUPTED,	/* it is in a burst that will not be recorded: it was paused in between */
	FATHOM_BURST_NEVER,		/* the location is that of no thread */
};

struct fathom_burst_chunk {
	uint64_t *memory;		/* NULL: the chunk is in the file */
	uint64_t place;			/* in the file, in bytes */
};

struct fathom_burst_log {
	uint64_t *next;			/* place of the next record */
	uint64_t *end;			/* no record fits from here on */
	uint32_t state;			/* enum fathom_burst_state */
	uint32_t counter_count;		/* of the location: those with the lowest ids */
	uint64_t begin;			/* of the burst that is open, in ticks */
	const struct fathom_node *before;	/* its call path at the begin; NULL: none */
	const struct fathom_location *location;
	uint64_t dropped;		/* bursts for which there was no room */
	uint64_t interrupted;		/* bursts that were not recorded because of a pause */
	struct fathom_burst_chunk *chunks;
	uint32_t chunk_count, chunk_room;
	bool is_off;			/* the location is paused */
	uint32_t in_file;		/* number of chunks in the file; these are the oldest ones */
	struct fathom_burst_log *older;	/* the log that was created before this one */
	uint64_t readings[];		/* of the counters when the open burst began */
};

/* Logs may take that many bytes of memory from now on; directory: where the file of further chunks is. Called before
 * the first birth. Context: start. */
void fathom_burst_log_init(uint64_t memory_bytes, const char *directory);

/* Creates the log of a location, in its arena. NULL: no memory. Context: birth. Takes the lock of the logs. */
struct fathom_burst_log *fathom_burst_log_create(struct fathom_location *location);

/* Returns the newest log; older ones follow by the member older. Context: finish, signal. */
struct fathom_burst_log *fathom_burst_log_newest(void);

/* Makes room for a record. False: there is none, and the burst is counted as dropped. Context: birth. */
bool fathom_burst_log_make_room(struct fathom_burst_log *log);

/* Returns the number of words of a record. Context: hook. */
static inline uint32_t fathom_burst_log_width(const struct fathom_burst_log *log)
{
	return FATHOM_BURST_COUNTERS + log->counter_count;
}

/* --- reading --------------------------------------------------------------------------------------- */

/*
 * Calls visit for pieces of the log, from the oldest: count records from records on, which are valid during the call.
 * If visit returns an error, reading ends with it. Another thread may record in the log meanwhile; its further records
 * may be missing. may_lock: false in a process that is crashing, which must take no lock. -EIO: a chunk cannot be read.
 * Context: finish, signal. Takes the lock of the logs.
 */
int fathom_burst_log_read(struct fathom_burst_log *log, bool may_lock,
			  int (*visit)(void *context, const uint64_t *records, uint32_t count), void *context);

#endif
