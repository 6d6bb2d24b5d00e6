#include "trace/ring/ring_markers.h"

#include <errno.h>
#include <string.h>

#include "platform/lock.h"
#include "trace/buffer.h"
#include "trace/buffer_chunks.h"
#include "trace/ring/event_ring.h"

/* --- the base ----------------------------------------------------------------------------------------------- */

/* Writes the time, even if it is that of the record before. */
static uint8_t *put_time(struct fathom_trace_buffer *buffer, uint64_t ticks)
{
	uint8_t *at = buffer->at;

	*at = FATHOM_RECORD_TIME_MARK;
	memcpy(at + 1, &ticks, sizeof(ticks));
	buffer->last_ticks = ticks;
	fathom_poke(&buffer->at, at + FATHOM_OTF2_TIME_BYTES);
	return at;
}

/* Notes the first part of a marker as the end of the base. 0 or -ENOMEM. */
static int note_base_end(struct fathom_trace_buffer *buffer, const uint8_t *begin, const uint8_t *end)
{
	struct fathom_ring_cut *cut = buffer->cut;
	size_t bytes = (size_t)(end - begin);

	if (bytes > cut->base_end_room) {
		cut->base_end = fathom_arena_alloc(&buffer->memory, bytes);
		cut->base_end_room = cut->base_end ? bytes : 0;
	}
	cut->base_end_bytes = cut->base_end ? bytes : 0;
	if (!cut->base_end)
		return -ENOMEM;
	memcpy(cut->base_end, begin, bytes);
	return 0;
}

/* The base is empty: notes the records of the begin of the program, and one that switches measurement off then. 0 or
 * -ENOMEM. */
static int begin_base(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint64_t ticks = buffer->last_ticks, events = buffer->events;
	uint8_t *at = buffer->at;
	int err;

	FATHOM_TRACE_PUT(trace, ticks, FATHOM_RECORD_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_OFF);
	err = note_base_end(buffer, buffer->chunks[0] + FATHOM_OTF2_CHUNK_HEAD_BYTES, buffer->at);
	buffer->at = at;
	buffer->last_ticks = ticks;
	buffer->events = events;
	return err;
}

int fathom_trace_ring_use_cuts(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct fathom_ring_cut *cut = fathom_arena_alloc(&buffer->memory, sizeof(*cut));

	if (!cut)
		return -ENOMEM;
	cut->spare = fathom_arena_alloc(&buffer->memory, FATHOM_TRACE_CHUNK_BYTES);
	if (!cut->spare)
		return -ENOMEM;
	cut->last_object = &cut->objects;
	buffer->cut = cut;
	return trace->location->kind == FATHOM_KIND_INITIAL ? begin_base(trace) : 0;
}

/* --- markers ---------------------------------------------------------------------------------------------- */

bool fathom_trace_ring_begin(struct fathom_trace *trace, uint64_t number, uint64_t now, size_t bytes)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct fathom_ring_marker *marker = &buffer->cut->next;

	if (marker->number && marker->chunk)
		buffer->cut->old = *marker;
	if (fathom_trace_ring_forget_marker(trace) ||
	    !fathom_trace_buffer_room(trace, now, bytes + 3 * FATHOM_OTF2_TIME_BYTES + FATHOM_TRACE_REGION_BYTES))
		return false;
	marker->chunk = buffer->chunks[buffer->chunk_count - 1];
	marker->number = number;
	marker->ticks = now;
	marker->position = buffer->events;
	marker->begin = put_time(buffer, now);
	return true;
}

void fathom_trace_ring_middle(struct fathom_trace *trace, uint64_t now)
{
	trace->buffer.cut->next.middle = put_time(&trace->buffer, now);
}

void fathom_trace_ring_end(struct fathom_trace *trace, uint64_t now)
{
	trace->buffer.cut->next.end = put_time(&trace->buffer, now);
}

/* Returns the index of the chunk with the marker, or the number of chunks. */
static uint32_t chunk_of(const struct fathom_trace_buffer *buffer, const struct fathom_ring_marker *marker)
{
	uint32_t i = 0;

	while (i < buffer->chunk_count && buffer->chunks[i] != marker->chunk)
		i++;
	return i;
}

bool fathom_trace_ring_is_past(const struct fathom_trace *trace, uint64_t now)
{
	const struct fathom_trace_buffer *buffer = &trace->buffer;
	const struct fathom_ring_marker *marker = &buffer->cut->next;

	if (!marker->number)
		return false;
	if (!marker->chunk)
		return true;
	if (buffer->ring->length_ns)
		return marker->ticks < fathom_event_ring_newest_from(buffer->ring, now);
	return buffer->chunks[0] == marker->chunk && buffer->chunk_count == buffer->most_chunks;
}

/* --- objects ---------------------------------------------------------------------------------------------- */

/* Returns a new last object; NULL: there is no memory. */
static struct fathom_ring_object *new_object(struct fathom_trace_buffer *buffer)
{
	struct fathom_ring_cut *cut = buffer->cut;
	struct fathom_ring_object *object = cut->unused;

	if (object)
		cut->unused = object->next;
	else
		object = fathom_arena_alloc(&buffer->memory, sizeof(*object));
	if (!object)
		return NULL;
	*object = (struct fathom_ring_object){ 0 };
	*cut->last_object = object;
	cut->last_object = &object->next;
	return object;
}

/* Notes the object whose record has just been written. */
static void note_object(struct fathom_trace *trace, uint64_t now, enum fathom_record record, const uint64_t *values,
			size_t count)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct fathom_ring_object *object;
	uint64_t ticks, events = buffer->events;
	uintptr_t link;
	sigset_t signals;
	uint8_t *at;

	if (!buffer->cut || !fathom_trace_buffer_room(trace, now, sizeof(object->bytes) + FATHOM_TRACE_REGION_BYTES))
		return;
	/* The record is written a second time, and removed again. */
	fathom_signals_block(&signals);
	ticks = buffer->last_ticks;
	link = buffer->link;
	object = new_object(buffer);
	at = put_time(buffer, now);
	fathom_trace_put(trace, now, record, values, count);
	if (object && (size_t)(buffer->at - at) <= sizeof(object->bytes)) {
		object->record = record;
		object->number = values[1];
		object->created = events - 1;
		object->destroyed = UINT64_MAX;
		object->is_in_base = false;
		object->length = (uint8_t)(buffer->at - at);
		memcpy(object->bytes, at, object->length);
	}
	fathom_poke(&buffer->at, at);
	buffer->last_ticks = ticks;
	buffer->events = events;
	buffer->link = link;
	fathom_signals_restore(&signals);
}

void fathom_trace_put_object(struct fathom_trace *trace, uint64_t now, enum fathom_record record,
			     const uint64_t *values, size_t count)
{
	fathom_trace_put(trace, now, record, values, count);
	note_object(trace, now, record, values, count);
}

void fathom_trace_ring_object_ends(struct fathom_trace *trace, enum fathom_record created_by, uint64_t number)
{
	if (!trace->buffer.cut)
		return;
	for (struct fathom_ring_object *object = trace->buffer.cut->objects; object; object = object->next)
		if (object->record == created_by && object->number == number && object->destroyed == UINT64_MAX)
			object->destroyed = trace->buffer.events - 1;
}

/* All events before the marker are dropped, or have become a part of the base. */
static void settle_objects(struct fathom_ring_cut *cut, const struct fathom_ring_marker *marker, bool are_in_base)
{
	struct fathom_ring_object **at = &cut->objects;

	while (*at) {
		struct fathom_ring_object *object = *at;

		if (object->destroyed < marker->position) {
			*at = object->next;
			object->next = cut->unused;
			cut->unused = object;
			continue;
		}
		if (are_in_base && object->created < marker->position)
			object->is_in_base = true;
		at = &object->next;
	}
	cut->last_object = at;
}

/* --- dropping and keeping --------------------------------------------------------------------------------- */

/* Makes the records from `from`, in chunk number i, the oldest ones in memory. */
static void forget_before(struct fathom_trace_buffer *buffer, uint32_t i, const uint8_t *from)
{
	uint8_t *older[FATHOM_TRACE_MOST_CHUNKS], *first = buffer->chunks[i] + FATHOM_OTF2_CHUNK_HEAD_BYTES;
	bool is_newest = i + 1 == buffer->chunk_count;
	uint8_t *end = is_newest ? buffer->at : buffer->chunks[i] + FATHOM_TRACE_CHUNK_BYTES;
	size_t rest = (size_t)(end - from);

	fathom_trace_begin_move(buffer);
	memmove(first, from, rest);
	if (is_newest)
		fathom_poke(&buffer->at, first + rest);
	else
		memset(first + rest, 0, (size_t)(end - first) - rest);
	memcpy(older, buffer->chunks, i * sizeof(*older));
	for (uint32_t k = 0; k + i < buffer->chunk_count; k++)
		fathom_poke(&buffer->chunks[k], buffer->chunks[k + i]);
	memcpy(&buffer->chunks[buffer->chunk_count - i], older, i * sizeof(*older));
	buffer->read = NULL;
	buffer->link = 0;
	buffer->bytes -= i * FATHOM_TRACE_CHUNK_BYTES;
	fathom_trace_release_chunks(buffer, i);
	fathom_trace_end_move(buffer);
	buffer->ring->whole_chunks = buffer->ring->whole_chunks > i ? buffer->ring->whole_chunks - i : 0;
}

/* Drops what is in the file after the base, and begins it again with the two parts of markers. 0 or -errno. */
static int restart_file(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	const struct fathom_ring_cut *cut = buffer->cut;
	int err, next;

	fathom_event_ring_restart(buffer->ring, cut->base_events);
	err = buffer->file_bytes > cut->base_bytes ?
	      fathom_trace_ring_remove(trace, cut->base_bytes, buffer->file_bytes, 0) : 0;
	next = fathom_trace_ring_copy_parts(buffer->ring, cut);
	return err ? err : next;
}

int fathom_trace_ring_drop(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct fathom_ring_cut *cut = buffer->cut;
	struct fathom_ring_marker marker = cut->next;
	sigset_t signals;
	int err;

	/* A signal handler that leaves by longjmp must not find this half done. */
	fathom_signals_block(&signals);
	if (marker.chunk) {
		uint32_t i = chunk_of(buffer, &marker);

		err = restart_file(trace);
		cut->next = cut->old = (struct fathom_ring_marker){ 0 };
		forget_before(buffer, i, marker.end);
	} else {
		err = fathom_trace_ring_remove(trace, cut->base_bytes, marker.file_bytes,
					       marker.events - cut->base_events);
		cut->next = (struct fathom_ring_marker){ 0 };
	}
	settle_objects(cut, &marker, false);
	fathom_signals_restore(&signals);
	return err;
}

int fathom_trace_ring_keep(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct fathom_ring_cut *cut = buffer->cut;
	const struct fathom_ring_marker marker = cut->next;
	uint32_t count = chunk_of(buffer, &marker);
	sigset_t signals;
	int err = 0, next;

	fathom_signals_block(&signals);
	for (uint32_t i = 0; i <= count; i++) {
		uint8_t *chunk = buffer->chunks[i];
		uint64_t from = fathom_event_ring_kept_from(buffer->ring, buffer->chunk_count - i);

		next = fathom_trace_ring_pass(trace, chunk, i < count ? chunk + FATHOM_TRACE_CHUNK_BYTES : marker.begin,
					      from, true);
		err = err ? err : next;
	}
	next = fathom_event_ring_fill(buffer->ring);
	cut->base_bytes = buffer->file_bytes;
	cut->base_events = buffer->ring->events;
	if (!err)
		err = note_base_end(buffer, marker.begin, marker.middle);
	cut->next = cut->old = (struct fathom_ring_marker){ 0 };
	forget_before(buffer, count, marker.end);
	settle_objects(cut, &marker, true);
	fathom_signals_restore(&signals);
	return err ? err : next;
}
