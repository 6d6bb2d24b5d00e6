#include "trace/ring/ring_buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "trace/buffer_chunks.h"
#include "trace/ring/event_ring.h"

/* The function write of struct fathom_event_ring. */
static int write_ring(void *data, const uint8_t *chunk, size_t bytes)
{
	struct iovec part = { (void *)(uintptr_t)chunk, bytes };

	return fathom_trace_append(data, &part, 1);
}

int fathom_trace_buffer_use_ring(struct fathom_trace *trace, const struct fathom_ring_setting *setting,
				 uint32_t left_out_class, uint32_t counter_count)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	struct fathom_event_ring *ring = fathom_arena_alloc(&buffer->memory, sizeof(*ring));
	uint64_t chunks = setting->bytes / FATHOM_TRACE_CHUNK_BYTES;

	if (!ring)
		return -ENOMEM;
	ring->left_out_class = left_out_class;
	ring->length_ns = setting->length_ns;
	ring->write = write_ring;
	ring->data = trace;
	if (fathom_event_ring_init(ring, &buffer->memory, counter_count))
		return -ENOMEM;
	buffer->most_chunks = chunks < FATHOM_TRACE_MOST_CHUNKS ? (uint32_t)chunks : FATHOM_TRACE_MOST_CHUNKS;
	buffer->ring = ring;
	return 0;
}

/* --- the file --------------------------------------------------------------------------------------------- */

/* Reads or writes a whole chunk. 0 or -errno. */
static int transfer(int file, uint8_t *chunk, uint64_t offset, bool writes)
{
	for (size_t done = 0; done < FATHOM_TRACE_CHUNK_BYTES;) {
		size_t rest = FATHOM_TRACE_CHUNK_BYTES - done;
		ssize_t part = writes ? pwrite(file, chunk + done, rest, (off_t)(offset + done)) :
			       pread(file, chunk + done, rest, (off_t)(offset + done));

		if (part == 0 || (part < 0 && errno != EINTR))
			return part ? -errno : -EIO;
		done += part > 0 ? (size_t)part : 0;
	}
	return 0;
}

static void lower(uint8_t *number, uint64_t by)
{
	uint64_t value;

	memcpy(&value, number, sizeof(value));
	value -= by;
	memcpy(number, &value, sizeof(value));
}

int fathom_trace_ring_remove(struct fathom_trace *trace, uint64_t from, uint64_t to, uint64_t events)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint8_t *spare = buffer->cut->spare;
	int file, err = 0;

	fathom_trace_event_path(trace, buffer->path, FATHOM_TRACE_PATH_BYTES);
	file = open(buffer->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (file < 0)
		return -errno;
	for (uint64_t at = to; !err && at < buffer->file_bytes; at += FATHOM_TRACE_CHUNK_BYTES) {
		err = transfer(file, spare, at, false);
		lower(spare + 2, events);
		lower(spare + FATHOM_TRACE_LAST_EVENT_OFFSET, events);
		if (!err)
			err = transfer(file, spare, from + (at - to), true);
	}
	buffer->file_bytes -= to - from;
	if (!err && ftruncate(file, (off_t)buffer->file_bytes))
		err = -errno;
	if (close(file) && !err)
		err = -errno;
	lower(buffer->ring->chunk + 2, events);
	buffer->ring->events -= events;
	return err;
}

/* --- markers ---------------------------------------------------------------------------------------------- */

static bool exists_at(const struct fathom_ring_object *object, const struct fathom_ring_marker *marker)
{
	return object->created < marker->position && object->destroyed >= marker->position;
}

static int copy_whole(struct fathom_event_ring *ring, const uint8_t *begin, const uint8_t *end)
{
	return begin == end ? 0 : fathom_event_ring_copy(ring, begin, end, 0);
}

int fathom_trace_ring_copy_parts(struct fathom_event_ring *ring, const struct fathom_ring_cut *cut)
{
	int err = copy_whole(ring, cut->base_end, cut->base_end + cut->base_end_bytes), next;

	for (const struct fathom_ring_object *object = cut->objects; object; object = object->next) {
		if (!exists_at(object, &cut->next) || object->is_in_base)
			continue;
		next = copy_whole(ring, object->bytes, object->bytes + object->length);
		err = err ? err : next;
	}
	next = copy_whole(ring, cut->next.middle, cut->next.end);
	return err ? err : next;
}

int fathom_trace_ring_forget_marker(struct fathom_trace *trace)
{
	struct fathom_ring_marker *marker = &trace->buffer.cut->next;
	int err = 0;

	if (marker->number && !marker->chunk)
		err = fathom_trace_ring_remove(trace, marker->file_bytes, marker->file_bytes + marker->own_bytes,
				    marker->own_events);
	*marker = (struct fathom_ring_marker){ 0 };
	return err;
}

/* --- passing on ------------------------------------------------------------------------------------------- */

bool fathom_trace_ring_is_over(const struct fathom_trace_buffer *buffer, uint64_t ticks)
{
	uint64_t end;

	if (!buffer->ring || !buffer->ring->length_ns || buffer->chunk_count < 2)
		return false;
	/* The second chunk begins with a time. */
	memcpy(&end, buffer->chunks[1] + FATHOM_OTF2_CHUNK_HEAD_BYTES + 1, sizeof(end));
	return end < fathom_event_ring_newest_from(buffer->ring, ticks);
}

/* The marker leaves the memory: its second part becomes a chunk of the file. 0 or -errno. */
static int pass_marker(struct fathom_trace *trace)
{
	struct fathom_event_ring *ring = trace->buffer.ring;
	struct fathom_ring_marker *marker = &trace->buffer.cut->next;
	int err = fathom_event_ring_fill(ring), next;

	marker->file_bytes = trace->buffer.file_bytes;
	marker->events = ring->events;
	next = fathom_trace_ring_copy_parts(ring, trace->buffer.cut);
	err = err ? err : next;
	marker->own_events = ring->events - marker->events;
	next = fathom_event_ring_fill(ring);
	marker->own_bytes = trace->buffer.file_bytes - marker->file_bytes;
	marker->chunk = NULL;
	return err ? err : next;
}

/* Copies records of a chunk, but not those of a marker that is of no use any more. 0 or -errno. */
static int copy(struct fathom_trace *trace, const uint8_t *begin, const uint8_t *end, uint64_t whole_from)
{
	struct fathom_event_ring *ring = trace->buffer.ring;
	struct fathom_ring_marker *old = trace->buffer.cut ? &trace->buffer.cut->old : NULL;
	int err, next;

	if (!old || !old->chunk || old->begin < begin || old->end > end)
		return fathom_event_ring_copy(ring, begin, end, whole_from);
	err = fathom_event_ring_copy(ring, begin, old->begin, whole_from);
	next = fathom_event_ring_copy(ring, old->end, end, whole_from);
	old->chunk = NULL;
	return err ? err : next;
}

int fathom_trace_ring_pass(struct fathom_trace *trace, uint8_t *chunk, const uint8_t *end, uint64_t whole_from,
			   bool is_last)
{
	const struct fathom_ring_cut *cut = trace->buffer.cut;
	const uint8_t *begin = chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES, *after;
	int err, next = 0;

	if (!cut || !cut->next.number || cut->next.chunk != chunk || cut->next.end > end)
		return copy(trace, begin, end, whole_from);
	after = cut->next.end;
	err = copy(trace, begin, cut->next.begin, whole_from);
	if (!is_last)
		next = pass_marker(trace);
	err = err ? err : next;
	next = copy(trace, after, end, whole_from);
	return err ? err : next;
}

int fathom_trace_ring_turn(struct fathom_trace *trace, uint64_t ticks)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint8_t *oldest = buffer->chunks[0];
	uint64_t whole_from = fathom_event_ring_kept_from(buffer->ring, buffer->chunk_count);
	int err = fathom_trace_ring_pass(trace, oldest, oldest + FATHOM_TRACE_CHUNK_BYTES, whole_from, false);

	fathom_trace_begin_move(buffer);
	for (uint32_t i = 1; i < buffer->chunk_count; i++)
		fathom_poke(&buffer->chunks[i - 1], buffer->chunks[i]);
	fathom_poke(&buffer->chunks[buffer->chunk_count - 1], oldest);
	fathom_trace_begin_next(buffer, ticks);
	fathom_trace_end_move(buffer);
	return err;
}

int fathom_trace_ring_close(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint64_t newest = fathom_event_ring_newest_from(buffer->ring, buffer->last_ticks);
	int err = 0, next;

	if (buffer->cut && buffer->cut->next.number && !buffer->cut->next.chunk)
		err = fathom_trace_ring_forget_marker(trace);
	for (uint32_t i = 0; i < buffer->chunk_count; i++) {
		uint8_t *chunk = buffer->chunks[i];
		const uint8_t *end = i + 1 < buffer->chunk_count ? chunk + FATHOM_TRACE_CHUNK_BYTES : buffer->at;
		uint64_t kept = fathom_event_ring_kept_from(buffer->ring, buffer->chunk_count - i);

		next = fathom_trace_ring_pass(trace, chunk, end, kept < newest ? kept : newest, true);
		err = err ? err : next;
	}
	next = fathom_event_ring_close(buffer->ring);
	buffer->events = buffer->ring->events;
	fathom_trace_release_chunks(buffer, buffer->chunk_count);
	return err ? err : next;
}
