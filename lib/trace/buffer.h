/*
 * buffer: the events of a location, in memory and in its file, in OTF2's format (otf2/records.h).
 *
 * fathom does not use OTF2's own writer for events: that takes three times as long for an enter as all the rest of an
 * event, opens files that the program may find open, and cannot be used while a process crashes.
 *
 * A chunk begins with a time. If chunks were written to the file before it, during which the thread could not
 * continue, a BufferFlush record follows the time.
 */
#ifndef FATHOM_TRACE_BUFFER_H
#define FATHOM_TRACE_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "otf2/records.h"
#include "platform/compiler.h"
#include "trace/location_trace.h"

/* An attribute of a record. type is one of OTF2's; value contains the bits of a number, or of a double. */
struct fathom_record_attribute {
	uint32_t number;
	uint8_t type;
	uint64_t value;
};

/* Sets FATHOM_TRACE_MEMORY (of all locations together) and FATHOM_TRACE_LIMIT (of each), in bytes; 0: no limit.
 * Context: start. */
void fathom_trace_buffer_limit(uint64_t most_memory, uint64_t limit);

/* Makes room for the first records. 0 or -ENOMEM. Context: birth. */
int fathom_trace_buffer_init(struct fathom_trace *trace);

/* Does the same as fathom_trace_buffer_init, for records that are never read: when the buffer is full, the next
 * records overwrite the first ones. 0 or -ENOMEM. Context: birth, finish, signal. */
int fathom_trace_buffer_init_scratch(struct fathom_trace *trace);

/* Makes the buffer keep as many chunks in memory as possible before it writes them to the file, whatever the limit for
 * the memory of all locations is. Called before the first record. Context: birth. */
void fathom_trace_buffer_use_most(struct fathom_trace *trace);

/* Returns the position behind the newest record (positions.h). If less than half of the chunks in memory are free, they
 * are written to the file first, unless the buffer is a ring. Context: hook. */
struct fathom_trace_position fathom_trace_buffer_position(struct fathom_trace *trace);

/* Removes the records after the position, if the buffer has them in memory. False: it does not. Context: hook. */
bool fathom_trace_buffer_rewind(struct fathom_trace *trace, const struct fathom_trace_position *position);

/*
 * Makes room for this number of bytes in a chunk, for a record at ticks; full chunks may be written to the file.
 * Returns the address of the record; NULL: there is no memory or disk space, and recording has ended. Context: birth.
 */
FATHOM_COLD uint8_t *fathom_trace_buffer_room(struct fathom_trace *trace, uint64_t ticks, size_t bytes);

/*
 * Repairs the buffer after a signal handler that interrupted a record of the buffer's own thread and left by longjmp.
 * top is the innermost frame of the location now. Afterwards the buffer has only complete records of events that took
 * place. Context: signal.
 */
void fathom_trace_buffer_repair(struct fathom_trace *trace, const struct fathom_frame *top);

/*
 * For the trace of a killed process. fathom_trace_buffer_restore_full and fathom_trace_buffer_restore_part take the
 * next chunk of the location, which has records records, the last of them at ticks. A full chunk is written to the
 * file unchanged (0 or -errno). A part of a chunk has bytes bytes with at least one record, and must be the last
 * chunk; further records are added after those that it has. fathom_trace_buffer_restore_end is called after all
 * records were restored, and before fathom_trace_buffer_close. Context: finish.
 */
int fathom_trace_buffer_restore_full(struct fathom_trace *trace, const uint8_t *chunk, uint64_t records,
				     uint64_t ticks);
void fathom_trace_buffer_restore_part(struct fathom_trace *trace, const uint8_t *chunk, size_t bytes, uint64_t records,
				      uint64_t ticks);
void fathom_trace_buffer_restore_end(struct fathom_trace *trace);

/* Writes the rest of the records to the file, which exists afterwards. The thread must not record any more. 0 or
 * -errno. Context: signal. */
int fathom_trace_buffer_close(struct fathom_trace *trace);

/*
 * Writes a record at ticks, which must not be less than the time of the record before. The count fields are in OTF2's
 * order, from values[1] on; values[0] is not read. Context: hook.
 */
void fathom_trace_put(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record, const uint64_t *values,
		      size_t count);

/*
 * Writes a record at ticks before the newer records. If these are in the file already, or if they fill the chunk, the
 * record gets the time of the newest record instead. Reads the whole chunk. Context: hook.
 */
FATHOM_COLD void fathom_trace_put_late(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record,
				       const uint64_t *values, size_t count);

/* Writes a record as fathom_trace_put does, with an attribute; NULL: none. Context: hook. */
void fathom_trace_put_with(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record,
			   const struct fathom_record_attribute *attribute, const uint64_t *values, size_t count);

/* FATHOM_TRACE_PUT(trace, ticks, FATHOM_RECORD_MPI_SEND, receiver, communicator, tag, bytes) */
#define FATHOM_TRACE_PUT(trace, ticks, record, ...) \
	fathom_trace_put((trace), (ticks), (record), (const uint64_t[]){ 0, ##__VA_ARGS__ }, \
			 sizeof((const uint64_t[]){ 0, ##__VA_ARGS__ }) / sizeof(uint64_t) - 1)

/* Writes the count values of a metric, at most 255; types are OTF2's, values the bits. Context: hook. */
void fathom_trace_put_metric(struct fathom_trace *trace, uint64_t ticks, uint32_t metric, uint32_t count,
			     const uint8_t *types, const uint64_t *values);

/* --- the hot path: enter and leave --------------------------------------------------------------- */

/* Room for a time, the number of a record, and one field, which may write 9 bytes but takes 5: the rest is enough
 * for the end marks. */
enum { FATHOM_TRACE_REGION_BYTES = FATHOM_OTF2_TIME_BYTES + 1 + FATHOM_OTF2_NUMBER_MOST_BYTES };

/* Writes a record whose only field is a region; compact_id is the region's. Always writes 8 bytes; returns the end
 * of the record. Context: hook. */
static inline uint8_t *fathom_trace_put_region(uint8_t *at, enum fathom_record record, uint64_t compact_id)
{
	uint64_t all = compact_id << 8 | (uint64_t)record;

	memcpy(at, &all, sizeof(all));
	return at + 2 + (uint8_t)compact_id;
}

/* Writes a number whose bits are not all set to at, where 9 bytes must be free even if the number takes fewer. Returns
 * the end of the number. Context: hook. */
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

/* Writes the time of a record to at, if it differs from the time of the record before. Returns the end of the time, or
 * at. Context: hook. */
static inline uint8_t *fathom_trace_ticks(uint8_t *at, const struct fathom_trace_buffer *buffer, uint64_t ticks)
{
	if (unlikely(ticks == buffer->last_ticks))
		return at;
	*at = 5;
	memcpy(at + 1, &ticks, sizeof(ticks));
	return at + 9;
}

/*
 * Completes a record, which was written up to at. A single store, that of at, comes after all stores to the record.
 * If a signal handler interrupts this and leaves by longjmp, there is no record or a complete one;
 * fathom_trace_buffer_repair then computes last_ticks and events again. Context: hook.
 */
static inline void fathom_trace_keep(struct fathom_trace_buffer *buffer, uint8_t *at, uint64_t ticks)
{
	atomic_signal_fence(memory_order_release);
	fathom_poke(&buffer->at, at);
	buffer->last_ticks = ticks;
	buffer->events++;
}

/*
 * Returns the link between the record of a region's enter or leave, which ends at end, and the region's frame. The
 * record is completed before the core pushes or pops the frame. If a signal handler interrupts in between and leaves
 * by longjmp, the link shows that the newest record belongs to an event that did not end. The ends of two such
 * records in a row never differ by a multiple of 16 bytes, as addresses of frames do, so the link of one cannot be
 * that of the other. Context: hook.
 */
static inline uintptr_t fathom_trace_link(const uint8_t *end, const struct fathom_frame *frame)
{
	return (uintptr_t)end ^ (uintptr_t)frame;
}

/* Does the same as fathom_trace_keep, for the enter or leave record of the region of frame. Context: hook. */
static inline void fathom_trace_keep_region(struct fathom_trace_buffer *buffer, uint8_t *at, uint64_t ticks,
					    const struct fathom_frame *frame)
{
	fathom_poke(&buffer->link, fathom_trace_link(at, frame));
	fathom_trace_keep(buffer, at, ticks);
}

#endif
