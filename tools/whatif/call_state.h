/*
 * call_state: the MPI call in which a thread is while the events of a trace are read, and what the call adds to the
 * program of the replay. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_CALL_STATE_H
#define FATHOM_TOOLS_WHATIF_CALL_STATE_H

#include "tools/whatif/trace_program.h"

/* What the replay does with a region. */
enum fathom_call_use {
	FATHOM_CALL_NONE,		/* no MPI call: its time is computation */
	FATHOM_CALL_PLAIN,
	FATHOM_CALL_INIT,		/* takes its measured time */
	FATHOM_CALL_FINALIZE,		/* its operation waits for all processes */
	FATHOM_CALL_SYNCHRONOUS,	/* its message waits for the receive */
	FATHOM_CALL_BUFFERED,		/* its message does not */
	FATHOM_CALL_PROBE,		/* waits for a message, which the receive behind it does in the replay */
	FATHOM_CALL_NEIGHBOR		/* its operation takes its measured time */
};

struct fathom_trace_frame {
	uint32_t path;		/* FATHOM_NO_BURST_PATH: of a region that is not defined */
	uint16_t outer_group;	/* group of the time before the region was entered */
};

struct fathom_open_call {
	uint32_t depth;		/* number of frames below the call; UINT32_MAX: no call is open */
	uint32_t path;
	uint64_t begin;
	enum fathom_call_use use;
	bool is_replayed;	/* an operation takes the time of the call */
	uint32_t collective;	/* participation of the blocking operation that has begun; FATHOM_REPLAY_NONE */
	uint32_t *sends;	/* numbers of the blocking sends, which end with the call */
	size_t send_count, send_room;
};

struct fathom_trace_location {
	uint32_t process;
	struct fathom_trace_frame *frames;
	uint32_t frame_count;
	size_t frame_room;
	uint16_t group;		/* of the present time */
	bool has_begun;
	bool has_records;	/* other than metrics, which a host may have of its own */
	uint64_t since;		/* begin of the burst that is running */
	uint64_t last;		/* time of the last event */
	struct fathom_open_call call;
};

/* Size of an entry of the table of requests. */
extern const size_t fathom_call_request_bytes;

/* Returns the call path of a location, for records; 0 outside of all regions. */
uint32_t fathom_call_path(const struct fathom_trace_location *location);

/* Begins an MPI call, whose frame is the next one. */
void fathom_call_begin(struct fathom_trace_location *location, uint64_t time, uint32_t path, enum fathom_call_use use);

/* Takes an event other than enters and leaves. */
void fathom_call_take(struct fathom_trace_program *made, struct fathom_trace_location *location,
		      const struct fathom_otf2_event *event);

/* Ends the call. */
void fathom_call_end(struct fathom_trace_program *made, struct fathom_trace_location *location, uint64_t time);

#endif
