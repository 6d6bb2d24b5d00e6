/* chunk_copy: copies the chunks of a buffer for run snapshots, while the buffer's thread goes on recording. */
#ifndef FATHOM_TRACE_CHUNK_COPY_H
#define FATHOM_TRACE_CHUNK_COPY_H

#include "trace/location_trace.h"

/*
 * Copies chunk number i of those in use to copy, which has
 * FATHOM_TRACE_CHUNK_BYTES, with zeros after the last complete record. False: that chunk is not in use, or its thread
 * changes it all the time. Context: the helper.
 */
bool fathom_trace_buffer_copy(const struct fathom_trace_buffer *buffer, uint32_t i, uint8_t *copy);

#endif
