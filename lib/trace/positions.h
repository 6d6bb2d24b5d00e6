/* positions: finds and reads the records of a buffer from a position on, which fathom_trace_buffer_position has
 * returned. */
#ifndef FATHOM_TRACE_POSITIONS_H
#define FATHOM_TRACE_POSITIONS_H

#include "trace/location_trace.h"

/* Returns the number of the first event of a chunk. Context: hook. */
uint64_t fathom_trace_chunk_first(const uint8_t *chunk);

/* Returns the index of the chunk of a position, or the number of chunks: the chunk is not in memory any more.
 * Context: hook. */
uint32_t fathom_trace_position_chunk(const struct fathom_trace_buffer *buffer,
				     const struct fathom_trace_position *position);

/* Returns whether the buffer has the records after the position in memory, and also one more chunk of records.
 * Any thread may ask. Context: hook. */
bool fathom_trace_position_is_kept(const struct fathom_trace_buffer *buffer,
				   const struct fathom_trace_position *position);

/* Passes the records from the position to the newest one to read, in parts. fathom_trace_position_is_kept must be true.
 * Context: hook. */
void fathom_trace_position_read(const struct fathom_trace_buffer *buffer, const struct fathom_trace_position *position,
				void (*read)(void *data, const uint8_t *from, const uint8_t *end), void *data);

#endif
