/*
 * event_ring: keeps the newest events of a location in full, and older ones without functions that only compute
 * (FATHOM_TRACE_RING).
 *
 * The location's buffer keeps its chunks in memory, as many as the setting allows. When it needs one more, or when the
 * events of its oldest chunk are older than the setting says, that chunk is reduced: its records are copied to the
 * event file, except the visits of functions in which nothing but functions is recorded, and the readings of counters
 * in front of their enters and leaves. The number and the time of these visits are values of the metric class of what
 * is left out (records/pending_enters.h). When the trace ends, however it ends, the records that are still in memory
 * are copied to the file in full. With FATHOM_TRACE_OLDER=drop, the file is begun again at times (ring_buffer.h). The
 * program may also ask that they stay in full while it runs. All other records are
 * in the file in any case, so each message has both its ends.
 *
 * A ring copies the records into a chunk of its own. When that is full, the caller writes it to the file. Event numbers
 * count the events of the file. The functions take constant time for each record, and no lock. Context of all: signal,
 * except init.
 */
#ifndef FATHOM_TRACE_RING_EVENT_RING_H
#define FATHOM_TRACE_RING_EVENT_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otf2/records.h"
#include "platform/arena.h"

enum { FATHOM_RING_MOST_PENDING = 512 };

/* An enter of a function that is not in the file yet. */
struct fathom_ring_enter {
	uint32_t region;
	uint64_t ticks;
	uint64_t visits;		/* number of visits left out in it, at any depth */
	uint64_t left_out_ticks;	/* the time of those that it called itself */
	uint32_t reading_bytes;		/* of the records of its readings, see struct fathom_event_ring */
};

struct fathom_event_ring {
	uint8_t *chunk;			/* FATHOM_OTF2_CHUNK_BYTES: what the file gets next */
	uint8_t *at;			/* end of the records in the chunk */
	uint64_t ticks;			/* the last time in the chunk */
	uint64_t events;		/* number of records in the file and in the chunk */
	uint64_t length_ns;		/* the time of the newest events; 0: any */
	uint32_t requests;		/* number of requests to keep everything that the ring has followed */
	uint32_t whole_chunks;		/* number of the oldest chunks of the buffer that stay in full */
	uint64_t whole_from;		/* the events of these stay in full from this time on */
	uint32_t left_out_class;	/* number of the metric class of what is left out */
	uint32_t pending_count;
	uint64_t visits, left_out_ticks;	/* left out since the newest record about that */
	/* Writes the chunk to the file, of which bytes are used. 0 or -errno. */
	int (*write)(void *data, const uint8_t *chunk, size_t bytes);
	void *data;
	/* The records of readings of counters, without their times: those of pending enter i are at i * reading_room;
	 * those that were read last, whose enter or leave has not been read yet, are held behind the last of these. */
	uint8_t *readings;
	uint32_t reading_room;		/* 0: there are no counters */
	uint32_t held_bytes;
	uint64_t held_ticks;
	struct fathom_ring_enter pending[FATHOM_RING_MOST_PENDING];
};

/* Prepares an empty ring for a location with that many counters; the caller has set left_out_class, write and data. 0
 * or -ENOMEM. Context: birth. */
int fathom_event_ring_init(struct fathom_event_ring *ring, struct fathom_arena *arena, uint32_t counter_count);

/* Returns the number of these requests. */
uint32_t fathom_event_ring_requests(void);

/* Makes what all rings of the process have in memory at the time now stay in full. */
void fathom_event_ring_keep_all(uint64_t now);

/* Returns the time of the oldest event that belongs to the newest ones at the time now; 0: all do. */
uint64_t fathom_event_ring_newest_from(const struct fathom_event_ring *ring, uint64_t now);

/* Returns the time from which on the events of the oldest of chunk_count chunks stay in full, because it was asked for
 * while the chunk was in memory; UINT64_MAX: it was not. Called once for each chunk that leaves the memory. */
uint64_t fathom_event_ring_kept_from(struct fathom_event_ring *ring, uint32_t chunk_count);

/* Copies the records from begin to end, the contents of a chunk without its head. Functions are left out only before
 * the time whole_from. 0 or -errno. */
int fathom_event_ring_copy(struct fathom_event_ring *ring, const uint8_t *begin, const uint8_t *end,
			   uint64_t whole_from);

/* Writes what is pending, and fills up the chunk, so that the next record begins a chunk of the file. 0 or -errno. */
int fathom_event_ring_fill(struct fathom_event_ring *ring);

/* Forgets what is pending and the chunk: the next record follows that many events of the file. */
void fathom_event_ring_restart(struct fathom_event_ring *ring, uint64_t events);

/* Completes the file after the last records. 0 or -errno. */
int fathom_event_ring_close(struct fathom_event_ring *ring);

#endif
