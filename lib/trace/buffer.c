#include "trace/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/uio.h>
#include <unistd.h>

#include "platform/clock.h"
#include "platform/lock.h"
#include "trace/buffer_chunks.h"
#include "trace/location_trace.h"
#include "trace/positions.h"
#include "trace/ring/ring_buffer.h"

/* A location begins with this many chunks. Each time they are written to the file, it may use twice as many the next
 * time. */
enum { FIRST_CHUNKS = 4 };

/* More than any record takes, and small enough for the processor's cache. */
enum { SCRATCH_BYTES = 16 << 10 };

/* --- chunks -------------------------------------------------------------------------------------- */

void fathom_trace_buffer_limit(uint64_t most_memory, uint64_t limit)
{
	fathom_trace_chunks_limit(most_memory, limit);
}

static void end_chunk(struct fathom_trace_buffer *buffer)
{
	memcpy(buffer->chunks[buffer->chunk_count - 1] + FATHOM_TRACE_LAST_EVENT_OFFSET, &buffer->events,
	       sizeof(buffer->events));
	memset(buffer->at, 0, (size_t)(buffer->end - buffer->at));
}

int fathom_trace_buffer_init(struct fathom_trace *trace)
{
	trace->buffer.most_chunks = FIRST_CHUNKS;
	trace->buffer.path = fathom_arena_alloc(&trace->location->arena, FATHOM_TRACE_PATH_BYTES);
	if (!trace->buffer.path || !fathom_trace_add_chunk(trace))
		return -ENOMEM;
	fathom_trace_begin_chunk(&trace->buffer);
	return 0;
}

int fathom_trace_buffer_init_scratch(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;

	buffer->at = fathom_arena_alloc(&trace->location->arena, SCRATCH_BYTES);
	if (!buffer->at)
		return -ENOMEM;
	buffer->chunks[0] = buffer->at;
	buffer->end = buffer->at + SCRATCH_BYTES;
	trace->is_scratch = true;
	return 0;
}

/* --- writing out --------------------------------------------------------------------------------- */

/*
 * The program must not notice that its thread writes chunks: not by errno, not by the signal of a limit for file
 * sizes, and not by being cancelled meanwhile. Signal handlers run when the next chunk is ready: if a handler left by
 * longjmp earlier, two chunks would be half changed, or a part of them would be in the file.
 */
struct program_state {
	sigset_t signals;
	int cancel_state;
	int error;
};

static void block_signals(struct program_state *state)
{
	state->error = errno;
	fathom_signals_block(&state->signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state->cancel_state);
}

/* Consumes the signal of a limit for file sizes that fathom has exceeded. */
static void consume_limit_signal(const struct program_state *state)
{
	const struct timespec at_once = { 0 };
	sigset_t limit;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	if (!sigismember(&state->signals, SIGXFSZ))
		sigtimedwait(&limit, NULL, &at_once);
}

static void restore_signals(const struct program_state *state)
{
	pthread_setcancelstate(state->cancel_state, NULL);
	fathom_signals_restore(&state->signals);
	errno = state->error;
}

/* Appends the chunks to the file; of the last one, only last_bytes. */
static int write_chunks(struct fathom_trace *trace, size_t last_bytes)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct iovec parts[FATHOM_TRACE_MOST_CHUNKS];
	int err;

	for (uint32_t i = 0; i < buffer->chunk_count; i++)
		parts[i] = (struct iovec){ buffer->chunks[i], FATHOM_TRACE_CHUNK_BYTES };
	parts[buffer->chunk_count - 1].iov_len = last_bytes;
	err = fathom_trace_append(trace, parts, buffer->chunk_count);
	fathom_trace_release_chunks(buffer, buffer->chunk_count);
	return err;
}

/* Writes a BufferFlush record with the time until which the thread could not continue. */
static void put_flush(struct fathom_trace_buffer *buffer, uint64_t until)
{
	buffer->at[0] = FATHOM_RECORD_BUFFER_FLUSH;
	buffer->at[1] = sizeof(until);
	memcpy(buffer->at + 2, &until, sizeof(until));
	fathom_trace_keep(buffer, buffer->at + 2 + sizeof(until), buffer->last_ticks);
}

/* Writes all chunks to the file and begins a new one. False: writing failed. */
static bool flush(struct fathom_trace *trace, uint64_t ticks, const struct program_state *state)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint64_t now;
	int err;

	err = write_chunks(trace, FATHOM_TRACE_CHUNK_BYTES);
	consume_limit_signal(state);
	buffer->flushes++;
	fathom_trace_begin_move(buffer);
	if (buffer->most_chunks < FATHOM_TRACE_MOST_CHUNKS)
		buffer->most_chunks *= 2;
	fathom_trace_add_chunk(trace);		/* it has memory already */
	fathom_trace_begin_next(buffer, ticks);
	now = fathom_clock_now();
	put_flush(buffer, now < ticks ? ticks : now);
	fathom_trace_end_move(buffer);
	if (err) {
		fathom_trace_fail(err);
		fathom_trace_lose(trace);
	}
	return !err;
}

/* Passes the oldest chunk of a ring on, and begins to use it as the newest one. False: writing failed. */
static bool turn_ring(struct fathom_trace *trace, uint64_t ticks, const struct program_state *state)
{
	int err = fathom_trace_ring_turn(trace, ticks);

	consume_limit_signal(state);
	if (err) {
		fathom_trace_fail(err);
		fathom_trace_lose(trace);
	}
	return !err;
}

uint8_t *fathom_trace_buffer_room(struct fathom_trace *trace, uint64_t ticks, size_t bytes)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct program_state state;
	bool has_room = true;

	if (trace->is_scratch) {
		buffer->at = buffer->chunks[0];
		return bytes <= SCRATCH_BYTES ? buffer->at : NULL;
	}
	if (!buffer->chunk_count || bytes > FATHOM_TRACE_CHUNK_BYTES / 2)
		return NULL;
	if ((size_t)(buffer->end - buffer->at) >= bytes)
		return buffer->at;
	block_signals(&state);
	end_chunk(buffer);
	if (fathom_trace_ring_is_over(buffer, ticks))
		has_room = turn_ring(trace, ticks, &state);
	else if (fathom_trace_add_chunk(trace))
		fathom_trace_begin_next(buffer, ticks);
	else if (buffer->ring)
		has_room = turn_ring(trace, ticks, &state);
	else
		has_room = flush(trace, ticks, &state);
	restore_signals(&state);
	return has_room ? buffer->at : NULL;
}

/* --- positions ------------------------------------------------------------------------------------ */

void fathom_trace_buffer_use_most(struct fathom_trace *trace)
{
	if (!trace->buffer.ring)
		trace->buffer.most_chunks = FATHOM_TRACE_MOST_CHUNKS;
	fathom_trace_chunks_use_most();
}

struct fathom_trace_position fathom_trace_buffer_position(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct program_state state;
	const uint8_t *chunk;

	if (!buffer->ring && buffer->chunk_count > FATHOM_TRACE_MOST_CHUNKS / 2) {
		block_signals(&state);
		end_chunk(buffer);
		flush(trace, buffer->last_ticks, &state);
		restore_signals(&state);
	}
	if (!buffer->chunk_count)
		return (struct fathom_trace_position){ 0 };
	chunk = buffer->chunks[buffer->chunk_count - 1];
	return (struct fathom_trace_position){ chunk, fathom_trace_chunk_first(chunk), buffer->at, buffer->events,
					       buffer->last_ticks };
}

bool fathom_trace_buffer_rewind(struct fathom_trace *trace, const struct fathom_trace_position *position)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint32_t i = fathom_trace_position_chunk(buffer, position);
	uint32_t freed;
	sigset_t signals;

	if (i == buffer->chunk_count)
		return false;
	freed = buffer->chunk_count - 1 - i;
	/* A signal handler that leaves by longjmp must not find this half done. */
	fathom_signals_block(&signals);
	fathom_trace_begin_move(buffer);
	fathom_trace_release_chunks(buffer, freed);
	buffer->end = buffer->chunks[i] + FATHOM_TRACE_CHUNK_BYTES;
	buffer->read = NULL;
	buffer->link = 0;
	buffer->events = position->events;
	buffer->last_ticks = position->ticks;
	fathom_poke(&buffer->at, position->at);
	fathom_trace_end_move(buffer);
	buffer->bytes -= freed * FATHOM_TRACE_CHUNK_BYTES;
	fathom_signals_restore(&signals);
	return true;
}

int fathom_trace_buffer_close(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	size_t used;
	int err;

	if (!buffer->chunk_count)
		return -EIO;
	if (buffer->ring) {
		err = fathom_trace_ring_close(trace);
		if (err)
			fathom_trace_fail(err);
		return err;
	}
	fathom_assert(buffer->end - buffer->at >= 2);
	buffer->at[0] = FATHOM_RECORD_END_OF_FILE;
	buffer->at[1] = FATHOM_RECORD_END_OF_BUFFER;
	fathom_poke(&buffer->at, buffer->at + 2);
	used = (size_t)(buffer->at - buffer->chunks[buffer->chunk_count - 1]);
	end_chunk(buffer);
	err = write_chunks(trace, used);
	if (err)
		fathom_trace_fail(err);
	return err;
}

/* --- records ------------------------------------------------------------------------------------- */

/* More than any of these records takes, with its time, an attribute, and the additional bytes that the last number
 * may write. */
enum { RECORD_BYTES = 128 };

static uint8_t *put_field(uint8_t *at, char type, uint64_t value)
{
	if (type == 'b') {
		*at = (uint8_t)value;
		return at + 1;
	}
	if (unlikely((type == 'i' && (uint32_t)value == UINT32_MAX) || (type == 'l' && value == UINT64_MAX))) {
		*at = UINT8_MAX;
		return at + 1;
	}
	return fathom_trace_number(at, type == 'i' ? (uint32_t)value : value);
}

/* Returns the type of an attribute's field, as OTF2 writes it: numbers of definitions have 4 bytes. */
static char attribute_field(uint8_t type)
{
	switch (type) {
	case OTF2_TYPE_UINT8:
		return 'b';
	case OTF2_TYPE_UINT64:
	case OTF2_TYPE_LOCATION:
		return 'l';
	case OTF2_TYPE_INT64:
		return 's';
	default:
		return 'i';
	}
}

static uint8_t *put_attribute(uint8_t *at, const struct fathom_record_attribute *attribute)
{
	uint8_t *from = at + 2, *end;

	end = fathom_trace_number(from, 1);
	end = put_field(end, 'i', attribute->number);
	*end++ = attribute->type;
	if (attribute->type == OTF2_TYPE_DOUBLE) {
		memcpy(end, &attribute->value, sizeof(attribute->value));
		end += sizeof(attribute->value);
	} else {
		end = put_field(end, attribute_field(attribute->type), attribute->value);
	}
	at[0] = FATHOM_RECORD_ATTRIBUTES_MARK;
	at[1] = (uint8_t)(end - from);
	return end;
}

/* Returns the address for a record of this number of bytes; NULL: it cannot be recorded. */
static inline uint8_t *room(struct fathom_trace *trace, uint64_t ticks, size_t bytes)
{
	if (likely((size_t)(trace->buffer.end - trace->buffer.at) >= bytes))
		return trace->buffer.at;
	return fathom_trace_buffer_room(trace, ticks, bytes);
}

/* Writes the number and the fields of a record. */
static inline uint8_t *put_fields(uint8_t *at, enum fathom_record record, const uint64_t *values, size_t count)
{
	const char *field = fathom_otf2_fields[record];
	const uint64_t *value = values + 1;
	bool has_length = *field != '-';
	uint8_t *from;

	*at = (uint8_t)record;
	at = from = at + 1 + has_length;
	for (field += !has_length; *field; field++, value++)
		at = put_field(at, *field, *value);
	fathom_assert((size_t)(value - values) == 1 + count);
	(void)count;
	if (has_length)
		from[-1] = (uint8_t)(at - from);
	return at;
}

void fathom_trace_put_with(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record,
			   const struct fathom_record_attribute *attribute, const uint64_t *values, size_t count)
{
	uint8_t *at = room(trace, ticks, RECORD_BYTES);

	if (unlikely(!at))
		return;
	at = fathom_trace_ticks(at, &trace->buffer, ticks);
	if (attribute)
		at = put_attribute(at, attribute);
	at = put_fields(at, record, values, count);
	fathom_trace_keep(&trace->buffer, at, ticks);
}

void fathom_trace_put(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record, const uint64_t *values,
		      size_t count)
{
	fathom_trace_put_with(trace, ticks, record, NULL, values, count);
}

/* --- records that come late ---------------------------------------------------------------------- */

static uint64_t time_at(const uint8_t *mark)
{
	uint64_t ticks;

	memcpy(&ticks, mark + 1, sizeof(ticks));
	return ticks;
}

/* Returns the first time in the chunk that is later than ticks; NULL: there is none. *before: the time before that
 * one, or 0. */
static uint8_t *find_later(const struct fathom_trace_buffer *buffer, uint64_t ticks, uint64_t *before)
{
	uint8_t *chunk = buffer->chunks[buffer->chunk_count - 1];
	const uint8_t *at = chunk + FATHOM_TRACE_LAST_EVENT_OFFSET + sizeof(uint64_t);

	*before = 0;
	while (at < buffer->at) {
		if (*at != FATHOM_RECORD_TIME_MARK) {
			at = fathom_otf2_record_end(at);
			continue;
		}
		if (time_at(at) > ticks)
			return chunk + (at - chunk);
		*before = time_at(at);
		at += FATHOM_OTF2_TIME_BYTES;
	}
	return NULL;
}

void fathom_trace_put_late(struct fathom_trace *trace, uint64_t ticks, enum fathom_record record,
			   const uint64_t *values, size_t count)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint8_t bytes[RECORD_BYTES], *end = bytes, *later = NULL;
	uint64_t before = 0;
	sigset_t signals;
	size_t size;

	if (ticks < buffer->last_ticks && !trace->is_scratch && buffer->chunk_count)
		later = find_later(buffer, ticks, &before);
	/* If no record in the chunk is older, the record belongs in an earlier chunk. */
	if (!later || !before || (size_t)(buffer->end - buffer->at) < RECORD_BYTES) {
		if (ticks < buffer->last_ticks)
			ticks = buffer->last_ticks;
		fathom_trace_put(trace, ticks, record, values, count);
		return;
	}
	if (before != ticks) {
		*end = FATHOM_RECORD_TIME_MARK;
		memcpy(end + 1, &ticks, sizeof(ticks));
		end += FATHOM_OTF2_TIME_BYTES;
	}
	end = put_fields(end, record, values, count);
	size = (size_t)(end - bytes);
	/* A signal handler that leaves by longjmp must not find the records half moved. */
	fathom_signals_block(&signals);
	buffer->read = NULL;
	fathom_trace_begin_move(buffer);
	memmove(later + size, later, (size_t)(buffer->at - later));
	memcpy(later, bytes, size);
	fathom_trace_keep(buffer, buffer->at + size, buffer->last_ticks);
	fathom_trace_end_move(buffer);
	fathom_signals_restore(&signals);
}

/* Each value takes at most 9 bytes, and one for its type. */
void fathom_trace_put_metric(struct fathom_trace *trace, uint64_t ticks, uint32_t metric, uint32_t count,
			     const uint8_t *types, const uint64_t *values)
{
	size_t most = 5 + 1 + count * 10;
	uint8_t *at = room(trace, ticks, RECORD_BYTES + most), *from;
	uint64_t length;

	if (unlikely(!at))
		return;
	at = fathom_trace_ticks(at, &trace->buffer, ticks);
	*at++ = FATHOM_RECORD_METRIC;
	from = at + (most < FATHOM_RECORD_LONG_LENGTH ? 1 : 9);
	*at = FATHOM_RECORD_LONG_LENGTH;
	at = put_field(from, 'i', metric);
	*at++ = (uint8_t)count;
	for (uint32_t i = 0; i < count; i++) {
		*at++ = types[i];
		at = put_field(at, 'l', values[i]);
	}
	length = (uint64_t)(at - from);
	if (most < FATHOM_RECORD_LONG_LENGTH)
		from[-1] = (uint8_t)length;
	else
		memcpy(from - 8, &length, sizeof(length));
	fathom_trace_keep(&trace->buffer, at, ticks);
}

/* --- events that did not end -------------------------------------------------------------------------- */

/* The contents of the chunk that is being filled. */
struct contents {
	uint64_t events;
	uint64_t ticks;			/* the last time; 0: there is none */
	uint8_t *newest;		/* begin of the newest record, with its time if it has one; NULL: there is
					 * none that was not read before */
	uint8_t *number;		/* address of the number of the newest record */
	bool ends_with_time;		/* no record follows the last time */
};

static struct contents read_contents(const struct fathom_trace_buffer *buffer)
{
	struct contents in = { 0 };
	uint8_t *at = buffer->chunks[buffer->chunk_count - 1] + FATHOM_TRACE_LAST_EVENT_OFFSET + sizeof(uint64_t);

	if (buffer->read) {
		at = buffer->read;
		in.events = buffer->read_events;
		in.ticks = buffer->read_ticks;
	}
	while (at < buffer->at) {
		uint8_t *begin = at;

		if (*at == FATHOM_RECORD_TIME_MARK) {
			in.ticks = time_at(at);
			at += FATHOM_OTF2_TIME_BYTES;
		}
		in.ends_with_time = at == buffer->at;
		if (in.ends_with_time)
			break;
		if (*at == FATHOM_RECORD_ATTRIBUTES_MARK)
			at += fathom_otf2_record_end(at) - at;
		in.newest = begin;
		in.number = at;
		in.events++;
		at += fathom_otf2_record_end(at) - at;
	}
	return in;
}

/* Returns true if the newest record is that of an enter whose frame was not pushed, or of a leave whose frame was not
 * popped. (A frame that is not in the trace may be where the frame was that the newest record has left.) */
static bool is_half_done(const struct fathom_trace_buffer *buffer, const struct contents *in,
			 const struct fathom_frame *top)
{
	if (!in->number)
		return false;
	if (*in->number == FATHOM_RECORD_ENTER)
		return buffer->link == fathom_trace_link(buffer->at, top + 1);
	return *in->number == FATHOM_RECORD_LEAVE && buffer->link == fathom_trace_link(buffer->at, top) &&
	       top->region && !fathom_frame_is_placeholder(top) && !fathom_trace_is_untraced(top);
}

void fathom_trace_buffer_repair(struct fathom_trace *trace, const struct fathom_frame *top)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct contents in;
	uint64_t first;

	if (trace->is_scratch || !buffer->chunk_count)
		return;
	in = read_contents(buffer);
	if (is_half_done(buffer, &in, top)) {
		bool begins_chunk = in.events == 1 && *in.newest == FATHOM_RECORD_TIME_MARK;

		/* The time at the begin of a chunk is kept. A thread that copies the chunk now also copies the
		 * record. */
		fathom_poke(&buffer->at, begins_chunk ? in.newest + FATHOM_OTF2_TIME_BYTES : in.newest);
		fathom_trace_begin_move(buffer);
		fathom_trace_end_move(buffer);
		in = read_contents(buffer);
	}
	memcpy(&first, buffer->chunks[buffer->chunk_count - 1] + 2, sizeof(first));
	buffer->last_ticks = in.ticks;
	buffer->events = first - 1 + in.events;
	/* Readers expect a record after a time, and the next record may have another time: so a flush that took no
	 * time is recorded. */
	if (in.ends_with_time)
		put_flush(buffer, in.ticks);
	/* The records that were read now need not be read again, even if handlers leave by longjmp again. This code
	 * may be interrupted, too. */
	fathom_poke(&buffer->read, NULL);
	atomic_signal_fence(memory_order_seq_cst);
	buffer->read_events = in.events + in.ends_with_time;
	buffer->read_ticks = in.ticks;
	atomic_signal_fence(memory_order_seq_cst);
	fathom_poke(&buffer->read, buffer->at);
}

/* --- results that are made from run snapshots ---------------------------------------------------------- */

int fathom_trace_buffer_restore_full(struct fathom_trace *trace, const uint8_t *chunk, uint64_t records, uint64_t ticks)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	int err;

	memcpy(buffer->chunks[0], chunk, FATHOM_TRACE_CHUNK_BYTES);
	buffer->events += records;
	memcpy(buffer->chunks[0] + FATHOM_TRACE_LAST_EVENT_OFFSET, &buffer->events, sizeof(buffer->events));
	err = write_chunks(trace, FATHOM_TRACE_CHUNK_BYTES);
	fathom_trace_add_chunk(trace);		/* it has memory already */
	fathom_trace_begin_next(buffer, ticks);
	return err;
}

void fathom_trace_buffer_restore_part(struct fathom_trace *trace, const uint8_t *chunk, size_t bytes, uint64_t records,
				      uint64_t ticks)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;

	memcpy(buffer->chunks[0], chunk, bytes);
	buffer->at = buffer->chunks[0] + bytes;
	buffer->events += records;
	buffer->last_ticks = ticks;
}

void fathom_trace_buffer_restore_end(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;

	buffer->read = NULL;
	/* Readers expect a record after each time. */
	if (buffer->chunk_count && read_contents(buffer).ends_with_time)
		put_flush(buffer, buffer->last_ticks);
}
