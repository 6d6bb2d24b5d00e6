#include "trace/buffer_chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "platform/compiler.h"

static struct {
	uint64_t most_bytes;		/* limit for the chunks of all locations; 0: none */
	uint64_t bytes;			/* bytes of all chunks in use */
	uint64_t limit;			/* limit for the events of each location; 0: none */
} chunk_limits;

void fathom_trace_chunks_limit(uint64_t most_memory, uint64_t limit)
{
	chunk_limits.most_bytes = most_memory;
	chunk_limits.limit = limit;
}

void fathom_trace_chunks_use_most(void)
{
	chunk_limits.most_bytes = 0;
}

/* --- chunks -------------------------------------------------------------------------------------- */

static bool may_use_more_chunks(const struct fathom_trace_buffer *buffer)
{
	if (!buffer->chunk_count)
		return true;
	if (buffer->chunk_count >= buffer->most_chunks)
		return false;
	return !chunk_limits.most_bytes ||
	       __atomic_load_n(&chunk_limits.bytes,
			       __ATOMIC_RELAXED) + FATHOM_TRACE_CHUNK_BYTES <= chunk_limits.most_bytes;
}

bool fathom_trace_add_chunk(struct fathom_trace *trace)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;

	if (!may_use_more_chunks(buffer))
		return false;
	if (buffer->chunk_count == buffer->known_chunks) {
		uint8_t *chunk = fathom_arena_alloc(&buffer->memory, FATHOM_TRACE_CHUNK_BYTES);

		if (!chunk)
			return false;
		fathom_poke(&buffer->chunks[buffer->known_chunks++], chunk);
	}
	/* The chunk before is complete. Pairs with the acquire in fathom_trace_buffer_copy. */
	__atomic_store_n(&buffer->chunk_count, buffer->chunk_count + 1, __ATOMIC_RELEASE);
	buffer->bytes += FATHOM_TRACE_CHUNK_BYTES;
	if (chunk_limits.limit && buffer->bytes > chunk_limits.limit)
		fathom_trace_add_state(trace, FATHOM_TRACE_LIMITED);
	__atomic_fetch_add(&chunk_limits.bytes, FATHOM_TRACE_CHUNK_BYTES, __ATOMIC_RELAXED);
	return true;
}

void fathom_trace_begin_move(struct fathom_trace_buffer *buffer)
{
	fathom_poke(&buffer->moves, buffer->moves + 1);
	atomic_thread_fence(memory_order_release);
}

void fathom_trace_end_move(struct fathom_trace_buffer *buffer)
{
	__atomic_store_n(&buffer->moves, buffer->moves + 1, __ATOMIC_RELEASE);
}

void fathom_trace_begin_chunk(struct fathom_trace_buffer *buffer)
{
	uint64_t first = buffer->events + 1;
	uint8_t *at = buffer->chunks[buffer->chunk_count - 1];

	buffer->end = at + FATHOM_TRACE_CHUNK_BYTES;
	buffer->read = NULL;
	at[0] = FATHOM_RECORD_CHUNK_MARK;
	at[1] = FATHOM_RECORD_LITTLE_ENDIAN_MARK;
	memcpy(at + 2, &first, sizeof(first));
	memset(at + FATHOM_TRACE_LAST_EVENT_OFFSET, 0, sizeof(uint64_t));
	fathom_poke(&buffer->at, at + FATHOM_TRACE_LAST_EVENT_OFFSET + sizeof(uint64_t));
}

static int write_all(int file, struct iovec *parts, int count)
{
	while (count) {
		ssize_t written = writev(file, parts, count);

		if (written < 0 && errno != EINTR)
			return -errno;
		for (; count && written >= (ssize_t)parts->iov_len; parts++, count--)
			written -= (ssize_t)parts->iov_len;
		if (count && written > 0) {
			parts->iov_base = (char *)parts->iov_base + written;
			parts->iov_len -= (size_t)written;
		}
	}
	return 0;
}

int fathom_trace_append(struct fathom_trace *trace, struct iovec *parts, uint32_t count)
{
	struct fathom_trace_buffer *buffer = &trace->buffer;
	uint64_t bytes = buffer->file_bytes;
	int file, err;

	fathom_trace_event_path(trace, buffer->path, FATHOM_TRACE_PATH_BYTES);
	file = open(buffer->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (file < 0)
		return -errno;
	for (uint32_t i = 0; i < count; i++)
		bytes += parts[i].iov_len;
	err = lseek(file, (off_t)buffer->file_bytes, SEEK_SET) < 0 ? -errno : 0;
	if (!err)
		err = write_all(file, parts, (int)count);
	if (!err && ftruncate(file, (off_t)bytes))
		err = -errno;
	if (close(file) && !err)
		err = -errno;
	buffer->file_bytes = bytes;
	return err;
}

void fathom_trace_release_chunks(struct fathom_trace_buffer *buffer, uint32_t count)
{
	__atomic_fetch_sub(&chunk_limits.bytes, count * FATHOM_TRACE_CHUNK_BYTES, __ATOMIC_RELAXED);
	fathom_poke(&buffer->chunk_count, buffer->chunk_count - count);
}

void fathom_trace_begin_next(struct fathom_trace_buffer *buffer, uint64_t ticks)
{
	fathom_trace_begin_chunk(buffer);
	buffer->at[0] = FATHOM_RECORD_TIME_MARK;
	memcpy(buffer->at + 1, &ticks, sizeof(ticks));
	fathom_poke(&buffer->at, buffer->at + FATHOM_OTF2_TIME_BYTES);
	buffer->last_ticks = ticks;
}

