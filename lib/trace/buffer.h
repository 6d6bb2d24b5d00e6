/*
 * buffer: the events of a location, in memory and in its file, as the readers of OTF2 expect them.
 *
 * OTF2's own writer takes three times as long for an enter as all the rest of an event, opens files that the program
 * may find open, and cannot be used while a process crashes. Its format is simple: otf2/records.h describes it.
 *
 * A chunk begins with a time; one that follows a pause for writing has a BufferFlush next.
 */
#ifndef FATHOM_TRACE_BUFFER_H
#define FATHOM_TRACE_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "otf2/records.h"
#include "platform/arena.h"
#include "platform/compiler.h"

struct fathom_frame;
struct fathom_location;
struct fathom_trace;

#define FATHOM_TRACE_CHUNK_BYTES ((size_t)FATHOM_OTF2_CHUNK_BYTES)

enum { FATHOM_TRACE_MOST_CHUNKS = 64 };

/* An attribute of a record. type is one of OTF2's; value's bits are those of a number, or of a double. */
struct fathom_record_attribute {
	uint32_t number;
	uint8_t type;
	uint64_t value;
};

/* Written by its own thread, until the trace is closed. */
struct fathom_trace_buffer {
	uint8_t *at;			/* where the next record goes */
	uint8_t *end;			/* of the chunk */
	uint64_t last_ticks;		/* of the newest record */
	uint64_t events;
	uintptr_t link;			/* of the newest enter or leave, see fathom_trace_keep_region */
	uint8_t *read;			/* so far the chunk was read (fathom_trace_buffer_repair); NULL: not at all */
	uint64_t read_events;		/* that many records were there, */
	uint64_t read_ticks;		/* and this was the last time */
	uint32_t chunk_count;		/* in use; the last is the one that is filled */
	uint32_t most_chunks;		/* before they are written to the file */
	uint32_t known_chunks;		/* memory there is for them */
	uint32_t flushes;
	uint64_t bytes;			/* of chunks handed out so far */
	struct fathom_arena memory;	/* of the chunks; a run snapshot copies all of the location's own arena */
	uint32_t moves;			/* counts when records begin to be moved or overwritten, and when that is over;
					 * odd: in between */
	char *path;			/* room for the path of the file: a handler's stack may be small */
	uint8_t *chunks[FATHOM_TRACE_MOST_CHUNKS];
};

/* FATHOM_TRACE_MEMORY (all locations together) and FATHOM_TRACE_LIMIT (each), in bytes; 0: none. Context: start. */
void fathom_trace_buffer_limit(uint64_t most_memory, uint64_t limit);

/* Make room for the first records. 0 or -ENOMEM. Context: birth. */
int fathom_trace_buffer_init(struct fathom_trace *trace);

/* The same for records that nobody reads: where there is no more room, the next are written over the first.
 * 0 or -ENOMEM. Context: birth, finish, signal. */
int fathom_trace_buffer_init_scratch(struct fathom_trace *trace);

/*
 * Make room for bytes in a chunk, for a record at ticks; what is full may be written to the file. NULL: there is no
 * memory or no disk, recording is over. Otherwise where the record goes. Context: birth.
 */
FATHOM_COLD uint8_t *fathom_trace_buffer_room(struct fathom_trace *trace, uint64_t ticks, size_t bytes);

/*
 * A signal handler interrupted a record of the buffer's own thread and left by a jump; top is the innermost frame of
 * the location now. Afterwards the buffer has whole records, of events that took place. Context: signal.
 */
void fathom_trace_buffer_repair(struct fathom_trace *trace, const struct fathom_frame *top);

/*
 * For the thread that takes run snapshots: copies chunk number i of those that are in use to copy, which has
 * FATHOM_TRACE_CHUNK_BYTES, with zeros behind the last whole record. False: that chunk is not in use, or its thread
 * changes it without a pause.
 */
bool fathom_trace_buffer_copy(const struct fathom_trace_buffer *buffer, uint32_t i, uint8_t *copy);

/*
 * For the trace of a killed process. Each of the first two takes the next chunk of the location, which has so many
 * records, the last of them at ticks: a full chunk goes to the file as it is (0 or -errno); of one that is not full so
 * many bytes are taken, at least one record, it must be the last, and further records go behind those that it has. The
 * third is called when all records are there, before fathom_trace_buffer_close. Context: finish.
 */
int fathom_trace_buffer_restore_full(struct fathom_trace *trace, const uint8_t *chunk, uint64_t records,
				     uint64_t ticks);
void fathom_trace_buffer_restore_part(struct fathom_trace *trace, const uint8_t *chunk, size_t bytes, uint64_t records,
				      uint64_t ticks);
void fathom_trace_buffer_restore_end(struct fathom_trace *trace);

/* Write what is left to the file, which is there after that. Nobody records any more. 0 or -errno. Context: signal. */
int fathom_trace_buffer_close(struct fathom_trace *trace);

/*
 * A record at ticks, which is not smaller than that of the record before. Fields are in OTF2's order, count of them
 * from values[1] on; values[0] is not looked at. Context: hook.
 */
void fathom_trace_put(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record, const uint64_t *values,
		      size_t count);

/*
 * A record at ticks that comes late: it goes in front of the records that are newer. They may have been written to the
 * file, or fill the chunk; then it is at the time of the newest. Reads the whole chunk. Context: hook.
 */
FATHOM_COLD void fathom_trace_put_late(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record,
				       const uint64_t *values, size_t count);

/* The same as fathom_trace_put, with an attribute. */
void fathom_trace_put_with(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record,
			   const struct fathom_record_attribute *attribute, const uint64_t *values, size_t count);

/* FATHOM_TRACE_PUT(trace, ticks, FATHOM_RECORD_MPI_SEND, receiver, communicator, tag, bytes) */
#define FATHOM_TRACE_PUT(trace, ticks, record, ...) \
	fathom_trace_put((trace), (ticks), (record), (const uint64_t[]){ 0, ##__VA_ARGS__ }, \
			 sizeof((const uint64_t[]){ 0, ##__VA_ARGS__ }) / sizeof(uint64_t) - 1)

/* Values of a metric: types are OTF2's, values their bits; at most 255. Context: hook. */
void fathom_trace_put_metric(struct fathom_trace *trace, uint64_t ticks, uint32_t metric, uint32_t count,
			     const uint8_t *types, const uint64_t *values);

/* --- the fast way, for enter and leave ----------------------------------------------------------- */

/* A time, a record's number, and a field, which may write 9 bytes but takes 5: what is left is enough for the end. */
enum { FATHOM_TRACE_REGION_BYTES = FATHOM_OTF2_TIME_BYTES + 1 + FATHOM_OTF2_NUMBER_MOST_BYTES };

/* A record with a region as its only field; compact_id is the region's. Writes 8 bytes, whatever it takes; returns its
 * end. */
static inline uint8_t *fathom_trace_put_region(uint8_t *at, enum fathom_record record, uint64_t compact_id)
{
	uint64_t all = compact_id << 8 | (uint64_t)record;

	memcpy(at, &all, sizeof(all));
	return at + 2 + (uint8_t)compact_id;
}

/* A number that is not all bits set. May write 9 bytes, whatever it takes. */
static inline uint8_t *fathom_trace_number(uint8_t *at, uint64_t value)
{
	unsigned bytes;

	if (!value) {
		*at = 0;
		return at + 1;
	}
	bytes = (71u - (unsigned)__builtin_clzll(value)) >> 3;
	*at = (uint8_t)bytes;
	memcpy(at + 1, &value, sizeof(value));
	return at + 1 + bytes;
}

/* The time of a record, where it is not that of the one before. */
static inline uint8_t *fathom_trace_ticks(uint8_t *at, const struct fathom_trace_buffer *buffer, uint64_t ticks)
{
	if (unlikely(ticks == buffer->last_ticks))
		return at;
	*at = 5;
	memcpy(at + 1, &ticks, sizeof(ticks));
	return at + 9;
}

/*
 * What was written up to at is a record from here on: there is one store, of at, behind all stores to the record. If a
 * signal handler interrupts this and leaves by a jump, there is no record, or a whole one; last_ticks and events are
 * then found out anew (fathom_trace_buffer_repair).
 */
static inline void fathom_trace_keep(struct fathom_trace_buffer *buffer, uint8_t *at, uint64_t ticks)
{
	atomic_signal_fence(memory_order_release);
	fathom_poke(&buffer->at, at);
	buffer->last_ticks = ticks;
	buffer->events++;
}

/*
 * Links the record of a region's enter or leave, which ends at end, to the region's frame. The record is kept before
 * the core pushes or pops the frame; if a signal handler comes in between and leaves by a jump, the link says that the
 * newest record belongs to an event that was never ended. Two of these records in a row never end a multiple of 16
 * bytes apart, as frames do, so the link of one cannot pass for that of the other.
 */
static inline uintptr_t fathom_trace_link(const uint8_t *end, const struct fathom_frame *frame)
{
	return (uintptr_t)end ^ (uintptr_t)frame;
}

/* As fathom_trace_keep, for the enter or the leave of the region of frame. */
static inline void fathom_trace_keep_region(struct fathom_trace_buffer *buffer, uint8_t *at, uint64_t ticks,
					    const struct fathom_frame *frame)
{
	fathom_poke(&buffer->link, fathom_trace_link(at, frame));
	fathom_trace_keep(buffer, at, ticks);
}

#endif
