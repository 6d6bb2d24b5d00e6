#include "trace/positions.h"

#include <string.h>

#include "otf2/records.h"
#include "trace/ring/event_ring.h"

uint64_t fathom_trace_chunk_first(const uint8_t *chunk)
{
	uint64_t first;

	memcpy(&first, chunk + 2, sizeof(first));
	return first;
}

uint32_t fathom_trace_position_chunk(const struct fathom_trace_buffer *buffer,
				     const struct fathom_trace_position *position)
{
	uint32_t count = fathom_peek(&buffer->chunk_count), i;

	for (i = 0; i < count; i++)
		if (buffer->chunks[i] == position->chunk &&
		    fathom_trace_chunk_first(position->chunk) == position->first)
			return i;
	return count;
}

bool fathom_trace_position_is_kept(const struct fathom_trace_buffer *buffer,
				   const struct fathom_trace_position *position)
{
	uint32_t count = fathom_peek(&buffer->chunk_count), i = fathom_trace_position_chunk(buffer, position);

	if (i >= count)
		return false;
	/* A ring passes on its first chunk; one with a length does so as soon as it has two. */
	if (buffer->ring && buffer->ring->length_ns)
		return i || count == 1;
	return count < buffer->most_chunks || (buffer->ring && i);
}

void fathom_trace_position_read(const struct fathom_trace_buffer *buffer, const struct fathom_trace_position *position,
				void (*read)(void *data, const uint8_t *from, const uint8_t *end), void *data)
{
	const uint8_t *from = position->at;

	for (uint32_t i = fathom_trace_position_chunk(buffer, position); i < buffer->chunk_count; i++) {
		bool is_last = i + 1 == buffer->chunk_count;

		read(data, from, is_last ? buffer->at : buffer->chunks[i] + FATHOM_TRACE_CHUNK_BYTES);
		if (!is_last)
			from = buffer->chunks[i + 1] + FATHOM_OTF2_CHUNK_HEAD_BYTES;
	}
}
