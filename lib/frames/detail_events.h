/*
 * detail_events: the messages, collective operations, values of counters and samples of one location, read from a
 * checkpoint on. Blocks of events without any of them are skipped. Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_DETAIL_EVENTS_H
#define FATHOM_FRAMES_DETAIL_EVENTS_H

#include "frames/checkpoint.h"
#include "frames/frame_index.h"

enum {
	FATHOM_DETAIL_CHANNELS = FATHOM_PREVIEW_SENDS | FATHOM_PREVIEW_RECEIVES | FATHOM_PREVIEW_COLLECTIVES |
				 FATHOM_PREVIEW_BEGINS,
	FATHOM_DETAIL_METRICS = FATHOM_PREVIEW_METRICS | FATHOM_PREVIEW_SAMPLES,
};

struct fathom_detail_reading {
	struct fathom_frame_index *index;
	uint32_t location;
	uint32_t kinds;			/* FATHOM_DETAIL_CHANNELS or FATHOM_DETAIL_METRICS */
	uint64_t events_left;		/* so many events may still be read; the reading counts down */
	void *taker;
	/* Gets each event of these kinds. */
	void (*take)(void *taker, const struct fathom_otf2_event *event);
	/* Is asked in front of events and skipped blocks at a time; false: the reading ends. */
	bool (*goes_on)(void *taker, uint64_t time);
};

/* Returns the number of checkpoints of a location before a time. All events at this time or later are behind the last
 * of them. */
uint32_t fathom_detail_checkpoint(const struct fathom_frame_index *index, uint32_t location, uint64_t time);

/* Sets the state to that of a checkpoint; 0: the begin of the location, n: the n-th one. 0 or -EILSEQ. */
int fathom_detail_state(const struct fathom_frame_index *index, uint32_t location, uint32_t number,
			struct fathom_checkpoint *state);

/* Reads the events behind a checkpoint with a number as above. 0; -E2BIG: there were more than events_left; -EILSEQ:
 * the index is damaged; -errno with a line in trace->error. */
int fathom_detail_events_read(struct fathom_detail_reading *reading, uint32_t number);

#endif
