/*
 * buffer_chunks: the chunks of a location's buffer, and its event file. Context of all functions: birth, signal.
 */
#ifndef FATHOM_TRACE_BUFFER_CHUNKS_H
#define FATHOM_TRACE_BUFFER_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "trace/location_trace.h"

enum {
	FATHOM_TRACE_PATH_BYTES = 4096 + 64,	/* of an event file */
	FATHOM_TRACE_LAST_EVENT_OFFSET = 10,	/* in a chunk, after the mark, the endianness and the number of the
						 * first event: the number of the last one */
};

/* Sets the limit for the chunks of all locations together, and for the events of each location, in bytes; 0: none. The
 * second function removes the first of these limits. */
void fathom_trace_chunks_limit(uint64_t most_memory, uint64_t limit);
void fathom_trace_chunks_use_most(void);

/* Begins to use one more chunk. False: the chunks must be written to the file first, or there is no memory. */
bool fathom_trace_add_chunk(struct fathom_trace *trace);

/* Writes the head of the newest chunk. */
void fathom_trace_begin_chunk(struct fathom_trace_buffer *buffer);

/* Records are moved or overwritten only between these two. They pair with the acquires in fathom_trace_buffer_copy. */
void fathom_trace_begin_move(struct fathom_trace_buffer *buffer);
void fathom_trace_end_move(struct fathom_trace_buffer *buffer);

/* Begins to use the newest chunk, at the time ticks. */
void fathom_trace_begin_next(struct fathom_trace_buffer *buffer, uint64_t ticks);

/* The last chunks, so many of them, are not in use any more. */
void fathom_trace_release_chunks(struct fathom_trace_buffer *buffer, uint32_t count);

/*
 * Appends the parts, which are changed, to the file, and cuts off what follows. The file is open only during this call:
 * the program may close every file descriptor and use its number for a file of its own, or count the open ones. A copy
 * of the process may have appended its chunks to the file already and have failed then: what it wrote is overwritten.
 * 0 or -errno.
 */
int fathom_trace_append(struct fathom_trace *trace, struct iovec *parts, uint32_t count);

#endif
