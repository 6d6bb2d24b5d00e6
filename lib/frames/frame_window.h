/*
 * frame_window: what a location did in a part of the time, from the index of frames. Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_FRAME_WINDOW_H
#define FATHOM_FRAMES_FRAME_WINDOW_H

#include "frames/frame_index.h"

/* The function that gets each interval of a location, in the order of time. The preview lives during the call. */
typedef void fathom_frame_take(void *taker, const struct fathom_preview *preview);

/* Calls take with the intervals of a location that overlap [from, to), in ticks of the global clock. No interval is
 * longer than finest ticks, except if the location was on one call path all the time. Intervals shorter than that are
 * joined, so their number is at most about four times (to - from) / finest. The first and the last may reach out of the
 * window. 0; -EILSEQ: the index is damaged; -errno with a line in trace->error. */
int fathom_frame_window_read(struct fathom_frame_index *index, uint32_t location, uint64_t from, uint64_t to,
			     uint64_t finest, fathom_frame_take *take, void *taker);

/* Adds to the tally what the location did in [from, to): times, and the events at times in it. Times are exact where
 * they come from events, at both ends; in between they are those of previews. 0, or as above. */
int fathom_frame_window_sum(struct fathom_frame_index *index, uint32_t location, uint64_t from, uint64_t to,
			    struct fathom_tally *tally);

#endif
