#include "trace/chunk_copy.h"

#include <stdatomic.h>

#include "platform/helper.h"

/* Returns the number of bytes of chunk i that have records; 0: it is not in use. */
FATHOM_IN_HELPER static size_t used_bytes(const struct fathom_trace_buffer *buffer, uint32_t i, const uint8_t *chunk)
{
	uint32_t count = fathom_peek(&buffer->chunk_count);
	const uint8_t *at = fathom_peek(&buffer->at);

	if (i + 1 < count)
		return FATHOM_TRACE_CHUNK_BYTES;
	if (i + 1 > count || at < chunk || at > chunk + FATHOM_TRACE_CHUNK_BYTES)
		return 0;
	return (size_t)(at - chunk);
}

/* Copies words in a loop, because memcpy may be a function of the program; an incomplete word at the end is copied
 * byte by byte. */
FATHOM_IN_HELPER FATHOM_COPIES_CHANGING_MEMORY static void copy_words(uint8_t *to, const uint8_t *from, size_t bytes)
{
	uint64_t *words = (uint64_t *)(void *)to;
	const uint64_t *source = (const uint64_t *)(const void *)from;
	size_t count = bytes / sizeof(*words), i;

	for (i = 0; i < count; i++)
		words[i] = fathom_peek(&source[i]);
	for (i = count; i < FATHOM_TRACE_CHUNK_BYTES / sizeof(*words); i++)
		words[i] = 0;
	for (i = count * sizeof(*words); i < bytes; i++)
		to[i] = fathom_peek(&from[i]);
}

FATHOM_IN_HELPER bool fathom_trace_buffer_copy(const struct fathom_trace_buffer *buffer, uint32_t i, uint8_t *copy)
{
	enum { MOST_TRIES = 16 };

	for (int try = 0; try < MOST_TRIES; try++) {
		uint32_t before = __atomic_load_n(&buffer->moves, __ATOMIC_ACQUIRE);
		const uint8_t *chunk = i < FATHOM_TRACE_MOST_CHUNKS ? fathom_peek(&buffer->chunks[i]) : NULL;
		size_t bytes = chunk ? used_bytes(buffer, i, chunk) : 0;

		if (!bytes)
			return false;
		atomic_thread_fence(memory_order_acquire);
		copy_words(copy, chunk, bytes);
		atomic_thread_fence(memory_order_acquire);
		if (before % 2 == 0 && fathom_peek(&buffer->moves) == before)
			return true;
	}
	return false;
}
