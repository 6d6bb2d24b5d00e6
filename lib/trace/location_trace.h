/*
 * location_trace: the trace of one location: its buffer of records, and its state.
 */
#ifndef FATHOM_TRACE_LOCATION_TRACE_H
#define FATHOM_TRACE_LOCATION_TRACE_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/location.h"
#include "otf2/records.h"
#include "platform/arena.h"
#include "trace/slow_iterations.h"

struct fathom_event_ring;
struct fathom_message_times;
struct fathom_ring_cut;
struct fathom_team;
struct fathom_trace_pending;
struct fathom_trace_sampler;

#define FATHOM_TRACE_CHUNK_BYTES ((size_t)FATHOM_OTF2_CHUNK_BYTES)

enum { FATHOM_TRACE_MOST_CHUNKS = 64 };

/* The buffer of one location. Its own thread alone writes it, until the trace is closed; buffer.h has the functions. */
struct fathom_trace_buffer {
	uint8_t *at;			/* address of the next record */
	uint8_t *end;			/* end of the chunk that is being filled */
	uint64_t last_ticks;		/* time of the newest record */
	uint64_t events;
	uintptr_t link;			/* of the newest enter or leave record, see fathom_trace_keep_region */
	uint8_t *read;			/* end of the part of the chunk that fathom_trace_buffer_repair has read;
					 * NULL: none */
	uint64_t read_events;		/* number of records in this part */
	uint64_t read_ticks;		/* the last time in this part */
	uint32_t chunk_count;		/* number of chunks in use; the last one is being filled */
	uint32_t most_chunks;		/* largest number of chunks in use before they are written to the file */
	uint32_t known_chunks;		/* number of chunks that have memory */
	uint32_t flushes;
	uint64_t file_bytes;		/* length of the event file: what was written so far */
	uint64_t bytes;			/* bytes of all chunks used so far */
	struct fathom_arena memory;	/* memory of the chunks; separate, because a run snapshot copies all of the
					 * location's own arena */
	uint32_t moves;			/* incremented before records are moved or overwritten, and afterwards; odd in
					 * between */
	struct fathom_event_ring *ring;	/* gets the chunks instead of the file; NULL: the file gets them */
	struct fathom_ring_cut *cut;	/* see ring_buffer.h; NULL: the ring drops nothing */
	char *path;			/* room for the path of the event file: a signal handler's stack may be small */
	uint8_t *chunks[FATHOM_TRACE_MOST_CHUNKS];
};

/* A place between two records of a buffer. */
struct fathom_trace_position {
	const uint8_t *chunk;		/* NULL: no position */
	uint64_t first;			/* number of the first event of the chunk: another one if the chunk's memory is
					 * used again */
	uint8_t *at;
	uint64_t events;		/* number of records before it */
	uint64_t ticks;			/* the time of the record before it */
};

enum fathom_trace_state {
	FATHOM_TRACE_LIMITED = 1,	/* FATHOM_TRACE_LIMIT is reached: compiler regions are left out */
	FATHOM_TRACE_LOST = 2,		/* there is no memory or disk space left: recording has ended */
	FATHOM_TRACE_CLOSED = 4,	/* the event file is being completed, or is complete */
	FATHOM_TRACE_DEFERS = 8,	/* there may be pending enters, see records/pending_enters.h; set at the
					 * location's birth and never cleared */
};

/* The trace of one location; the location's trace_data points to it. Its own thread alone writes it, until the trace
 * is closed. */
struct fathom_trace {
	struct fathom_trace_buffer buffer;
	volatile uint32_t state;	/* bits of enum fathom_trace_state; changed by fathom_trace_add_state */
	uint32_t is_paused;		/* its thread waits until the trace is closed */
	bool has_waited;		/* the thread has given up waiting once, and does not wait again */
	const struct fathom_team *team;	/* of a worker: the last one that it was in; NULL: none */
	uint64_t team_records;		/* which records of that team a worker has, see team_records.h */
	bool is_off;			/* the program has paused the thread */
	bool is_scratch;		/* used to measure the own cost; it is in no archive, see buffer.h */
	uint32_t id;			/* number of the location in the local archive */
	uint64_t lost;			/* number of events that were not recorded before the trace was closed */
	int64_t requests;		/* number of MPI requests begun here less those completed here */
	uint64_t in_flight;		/* of messages sent less those received: sum of hashes, see stretches.h */
	struct fathom_message_times *message_times;	/* NULL: no messages so far */
	uint64_t thread_number;		/* of a created thread that has begun and not ended; 0: none */
	struct fathom_trace_membership *memberships;	/* in teams, see team_records.h; newest first */
	struct fathom_trace_membership *last_membership;	/* the membership that was looked up last */
	uint32_t alone;			/* 1 + number of the communicator for tasks outside of teams; 0: none yet */
	int64_t tasks;			/* number of explicit tasks created here less those completed here */
	int64_t locks;			/* number of locks acquired here less those released here */
	struct fathom_slow_iterations iterations;
	const struct fathom_region *chosen_phase;	/* the phase of an iteration that runs and that
							 * FATHOM_TRACE_WINDOW chooses; NULL: there is none */
	ptrdiff_t chosen_depth;		/* number of frames below that iteration's */
	/* Of the initial thread of a program without MPI, see stretches.h: a stretch may end at the leave of a region
	 * with at most this many frames below it, when there are this many records. Depth 0: no stretch ends here. */
	ptrdiff_t division_depth;
	uint64_t division_events;
	struct fathom_trace_position stretch;	/* of a worker: before its records in the stretch with this number, */
	uint64_t stretch_number;		/* see stretches.h; 0: it has none */
	struct fathom_trace_sampler *sampler;	/* see samples/raw_samples.h; NULL: no samples so far */
	uint64_t samples;		/* number of samples that are recorded */
	uint64_t sample_events;		/* number of records after the newest sample; equal to that of the buffer: the
					 * newest record is a sample */
	uint64_t ticks_before_samples;	/* the time of the newest record before the newest samples */
	struct fathom_trace_pending *pending;	/* pending enters; NULL: all enters are written at once */
	bool (*prepare)(struct fathom_trace *trace);	/* while the state has FATHOM_TRACE_DEFERS: writes the pending
							 * enters. False: the location is not recorded any more */
	uint64_t samples_lost;		/* number of samples for which there was no room */
	struct fathom_location *location;
	const char *directory;		/* path of the hidden directory, see event_directory.h */
	struct fathom_trace *next;	/* the location that was created before this one */
};

/* Sets a bit of the state. The owning thread and the thread that closes the trace may do this at the same time.
 * Context: hook. */
static inline void fathom_trace_add_state(struct fathom_trace *trace, enum fathom_trace_state bit)
{
	__atomic_fetch_or(&trace->state, (uint32_t)bit, __ATOMIC_SEQ_CST);
}

/* Returns true if the enter of the frame's region is not in the trace. Context: hook. */
static inline bool fathom_trace_is_untraced(const struct fathom_frame *frame)
{
	return unlikely(frame->flags & (FATHOM_FRAME_UNTRACED | FATHOM_FRAME_PENDING));
}

/* Writes the path of the location's event file, as it is while the program runs, to path. Context: signal. */
void fathom_trace_event_path(const struct fathom_trace *trace, char *path, size_t bytes);

/* Notes an error of the process, as -errno, which prevents the trace. The first error counts. Context: signal. */
void fathom_trace_fail(int error);

/* fathom_trace_has_failed returns true if there was an error. fathom_trace_error returns the first one as -errno; -EIO
 * if the system gave no reason. Context: finish. */
bool fathom_trace_has_failed(void);
int fathom_trace_error(void);

/* Ends recording of the location because it failed; the first call of a process also prints a message.
 * Context: birth. */
void fathom_trace_lose(struct fathom_trace *trace);

#endif
