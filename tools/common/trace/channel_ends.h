/*
 * channel_ends: the ends of messages, and the parts in collective operations, of parts of the time, with the numbers
 * that they have in the whole trace. They are read from the checkpoints of the index, and the end with a number is
 * searched for among these. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_CHANNEL_ENDS_H
#define FATHOM_TOOLS_COMMON_CHANNEL_ENDS_H

#include "frames/checkpoint.h"
#include "frames/frame_index.h"

struct fathom_numbered_end {
	struct fathom_channel channel;	/* its count is the number of the end, from 0 on */
	uint64_t begun, time, bytes;	/* as in struct fathom_channel_end */
	uint32_t location;
	size_t order;			/* in which it was read */
};

/* What a process did in a part of the time. */
struct fathom_end_range {
	uint64_t from, to;
	struct fathom_numbered_end *ends;	/* by channel and number; also some that are earlier */
	size_t count, room;
	struct fathom_channel *bases;	/* by channel: the number of its first end in the range, if that is not 0 */
	size_t base_count, base_room;
};

struct fathom_end_process {
	uint32_t *locations;		/* those with messages or collective operations */
	size_t location_count, location_room;
	struct fathom_end_range *ranges;
	size_t range_count, range_room;
};

struct fathom_channel_ends {
	struct fathom_frame_index *index;
	struct fathom_end_process *processes;
	size_t process_count;
	uint64_t events_left;		/* so many events may still be read */
	int err;			/* of the first reading that failed: -E2BIG: no events are left; else -errno */
};

/* Begin with a trace, of which so many events may be read; free all. */
void fathom_channel_ends_init(struct fathom_channel_ends *ends, struct fathom_frame_index *index, uint64_t most_events);
void fathom_channel_ends_fini(struct fathom_channel_ends *ends);

/* Returns what a process did in [from, to). The result lives until the next call for this process. */
const struct fathom_end_range *fathom_channel_ends_read(struct fathom_channel_ends *ends, uint32_t process,
							uint64_t from, uint64_t to);

/* Returns the end with a number (the count of the channel), wherever it is in the trace; NULL: there is none, or it was
 * not found. */
const struct fathom_numbered_end *fathom_channel_ends_find(struct fathom_channel_ends *ends, uint32_t process,
							   const struct fathom_channel *channel);

/* Orders channels; their counts are not compared. */
int fathom_channel_compare(const struct fathom_channel *a, const struct fathom_channel *b);

/* Returns the number of the first end on a channel in a range. */
uint64_t fathom_end_range_base(const struct fathom_end_range *range, const struct fathom_channel *channel);

#endif
