/*
 * ring_markers: places in a buffer with a ring, before which events are dropped or kept (ring_buffer.h).
 */
#ifndef FATHOM_TRACE_RING_RING_MARKERS_H
#define FATHOM_TRACE_RING_RING_MARKERS_H

#include "trace/ring/ring_buffer.h"

/* Prepares a ring for cut points; that of the initial thread has the records of the begin of the program already. 0 or
 * -ENOMEM. Context: birth. */
int fathom_trace_ring_use_cuts(struct fathom_trace *trace);

/* Begins a marker: returns false if there is no room for that many bytes in one chunk. The caller then writes the first
 * part, calls fathom_trace_ring_middle, writes the second part and calls fathom_trace_ring_end. Context: hook. */
bool fathom_trace_ring_begin(struct fathom_trace *trace, uint64_t number, uint64_t now, size_t bytes);
void fathom_trace_ring_middle(struct fathom_trace *trace, uint64_t now);
void fathom_trace_ring_end(struct fathom_trace *trace, uint64_t now);

/* Returns whether memory has only events after the marker, or would have if it needed one more chunk. Context: hook. */
bool fathom_trace_ring_is_past(const struct fathom_trace *trace, uint64_t now);

/* Drops everything between the base and the marker. 0 or -errno. Context: hook. */
int fathom_trace_ring_drop(struct fathom_trace *trace);

/* Writes everything before the marker to the file; together with the base, it is the new base. 0 or -errno. Context:
 * hook. */
int fathom_trace_ring_keep(struct fathom_trace *trace);

/* Writes the record of the creation of an object of the program; its number is the first of the count values, see
 * fathom_trace_put. fathom_trace_ring_object_ends: the record of its end has been written. Context: hook. */
void fathom_trace_put_object(struct fathom_trace *trace, uint64_t now, enum fathom_record record,
			     const uint64_t *values, size_t count);
void fathom_trace_ring_object_ends(struct fathom_trace *trace, enum fathom_record created_by, uint64_t number);

#endif
