/*
 * repeat_detector: decides which values of a stream are repetitions that need not be recorded.
 *
 * While the stream has no period, everything is recorded. When it gets one, some whole periods are still recorded; then
 * values are left out as long as the stream keeps this period. The first value that breaks the period is recorded.
 *
 * Two windows watch the same stream. The short one soon finds a short period, such as that of an inner loop. The long
 * one finds the period of an outer loop, in which the inner loop begins and ends again and again. A value is left out
 * if one of them leaves it out.
 *
 * Where nothing repeats, the detector rests: after FATHOM_REPEAT_LOOK values without a period in any window, it does
 * not read as many values, and then twice as many each time that it was in vain again, up to FATHOM_REPEAT_MOST_REST.
 * A rest is never longer than all that was recorded before it since the last period. Between two rests the long window
 * finds its longest period (FATHOM_REPEAT_LOOK is larger than window + longest).
 */
#ifndef FATHOM_TRACE_REPEAT_DETECTOR_H
#define FATHOM_TRACE_REPEAT_DETECTOR_H

#include "trace/repeats/period_finder.h"

enum { FATHOM_REPEAT_WINDOWS = 2, FATHOM_REPEAT_LOOK = 256, FATHOM_REPEAT_MOST_REST = 16 * FATHOM_REPEAT_LOOK };

/* A window: how many values are compared, and the longest period. */
struct fathom_repeat_size {
	uint32_t window;
	uint32_t longest;
};

/* The state of one window. */
struct fathom_repeat_window {
	struct fathom_period_finder finder;
	uint32_t period;		/* which is being recorded or left out; 0: there is none */
	uint64_t recorded;		/* number of values recorded since it was found */
};

struct fathom_repeat_detector {
	uint32_t whole_periods;		/* number of periods recorded whole after a period was found */
	uint32_t count;			/* number of windows */
	uint32_t in_vain;		/* number of values without a period since the last period or rest */
	uint32_t rest;			/* number of values that are still not looked at */
	uint32_t next_rest;		/* number of values of the next rest */
	struct fathom_repeat_window windows[FATHOM_REPEAT_WINDOWS];
};

/* Prepares a detector with count windows, at most FATHOM_REPEAT_WINDOWS. 0 or -ENOMEM. Context: start. */
int fathom_repeat_detector_init(struct fathom_repeat_detector *detector, struct fathom_arena *arena,
				const struct fathom_repeat_size *sizes, uint32_t count, uint32_t whole_periods);

/* Returns whether the detector rests, so that the next value is not needed and must not be pushed: it is recorded.
 * other is a value that is equal to no other; it stands in the stream for all values of a rest. Context: hook. */
bool fathom_repeat_detector_skips(struct fathom_repeat_detector *detector, uint64_t other);

/* Takes the next value of the stream. Returns whether it is a repetition that is left out. Context: hook. */
bool fathom_repeat_detector_push(struct fathom_repeat_detector *detector, uint64_t value);

#endif
