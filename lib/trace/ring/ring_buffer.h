/*
 * ring_buffer: passes the chunks of a location's buffer on to a ring (event_ring.h); and the file of the ring, of which
 * parts may be dropped.
 *
 * With FATHOM_TRACE_OLDER=drop, a location forgets everything before a cut point (cut_points.h). A marker in the buffer
 * is the place of a cut point. It has, one after the other, the leaves of the regions that are active, a record that
 * switches measurement off, one that switches it on, and the enters of the same regions. If the events before the
 * marker are dropped, the trace has the part from the record that switches measurement on; else it has no part of the
 * marker. What stays in any case, and comes before, is the base: nothing, or what was kept on request. A base ends with
 * the first part of a marker.
 *
 * If a marker leaves the memory before its fate is known, the file gets its second part in a chunk of its own, which is
 * removed again if nothing is dropped. Context of all functions: signal, unless they say something else.
 */
#ifndef FATHOM_TRACE_RING_RING_BUFFER_H
#define FATHOM_TRACE_RING_RING_BUFFER_H

#include "platform/ring_setting.h"
#include "trace/location_trace.h"

/* The place of a cut point in a buffer. */
struct fathom_ring_marker {
	uint64_t number;		/* of the cut point; 0: there is no marker */
	uint8_t *chunk;			/* which has the whole marker; NULL: it has left the memory */
	uint8_t *begin, *middle, *end;	/* of its two parts */
	uint64_t ticks;
	uint64_t position;		/* number of records of the buffer before it */
	/* Of a marker that has left the memory: */
	uint64_t file_bytes;		/* length of the file before the chunk with the second part */
	uint64_t events;		/* number of events in the file before this chunk */
	uint64_t own_bytes, own_events;	/* of this chunk; 0: a worker's has none */
};

/* A communicator, window or file of the program. The record of its creation stays in the trace as long as it exists. */
struct fathom_ring_object {
	enum fathom_record record;	/* of its creation */
	uint64_t number;
	uint64_t created, destroyed;	/* records of the buffer before these; destroyed UINT64_MAX: it exists */
	bool is_in_base;
	uint8_t bytes[72];		/* the record, with its time */
	uint8_t length;
	struct fathom_ring_object *next;	/* the one that was created next */
};

struct fathom_ring_cut {		/* of one location */
	struct fathom_ring_marker next;	/* the events before it may be dropped */
	struct fathom_ring_marker old;	/* in memory, and of no use any more; chunk NULL: there is none */
	uint64_t applied;		/* number of the last cut point to which a worker dropped or kept events */
	uint64_t decisions;		/* number of decisions that a worker has seen, see cut_points.h */
	uint64_t base_bytes, base_events;	/* of the file */
	uint8_t *base_end;		/* first part of the marker after the base; of an empty base, the begin of
					 * the program, and a record that switches measurement off */
	size_t base_end_bytes, base_end_room;
	struct fathom_ring_object *objects, **last_object, *unused;
	uint8_t *spare;			/* a chunk of memory */
};

/* Makes a buffer pass its chunks on to a ring. left_out_class: the number of the metric class of what is left out;
 * counter_count: the number of counters of the location. Called before the first record. 0 or -ENOMEM. Context:
 * birth. */
int fathom_trace_buffer_use_ring(struct fathom_trace *trace, const struct fathom_ring_setting *setting,
				 uint32_t left_out_class, uint32_t counter_count);

/* Returns whether all events of the oldest chunk are too old at the time ticks. */
bool fathom_trace_ring_is_over(const struct fathom_trace_buffer *buffer, uint64_t ticks);

/* Passes the oldest chunk on to the ring, and begins to use it as the newest one. 0 or -errno. */
int fathom_trace_ring_turn(struct fathom_trace *trace, uint64_t ticks);

/* Passes all chunks on, those events in full that are not too old, and completes the file. 0 or -errno. */
int fathom_trace_ring_close(struct fathom_trace *trace);

/* --- used by ring_markers ------------------------------------------------------------------------------- */

/* Passes the records of a chunk up to end on to the ring. is_last: a marker in memory is of no use any more. 0 or
 * -errno. */
int fathom_trace_ring_pass(struct fathom_trace *trace, uint8_t *chunk, const uint8_t *end, uint64_t whole_from,
			   bool is_last);

/* Removes the chunks between two lengths of the file, which have that many events. 0 or -errno. */
int fathom_trace_ring_remove(struct fathom_trace *trace, uint64_t from, uint64_t to, uint64_t events);

/* Copies the end of the base, the records of objects, and the second part of the marker, which may have dropped events
 * in front of it. 0 or -errno. */
int fathom_trace_ring_copy_parts(struct fathom_event_ring *ring, const struct fathom_ring_cut *cut);

/* The events before a marker that has left the memory stay: removes the chunk of its second part. 0 or -errno. */
int fathom_trace_ring_forget_marker(struct fathom_trace *trace);

#endif
