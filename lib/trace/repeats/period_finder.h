/*
 * period_finder: finds the period of a stream of numbers (dynamic periodicity detection).
 *
 * The stream has the period m if the newest N values (the window) are equal to the N values that are m older. The
 * smallest such m, up to a longest period, is the period of the stream. A value before the begin of the stream is equal
 * to no other.
 *
 * The published method counts the unequal values of the window for each m, which takes time proportional to the longest
 * period for each value. Here a rolling hash of the window is looked up among the hashes of the last windows: a window
 * with the same hash that ended m values ago is one with the same values, and the newest one belongs to the smallest
 * m. This takes constant time for each value. When the period changes, the values themselves are compared, so the
 * result does not depend on the hash.
 *
 * Only one thread at a time may use a finder. It takes no lock.
 */
#ifndef FATHOM_TRACE_PERIOD_FINDER_H
#define FATHOM_TRACE_PERIOD_FINDER_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/arena.h"

/* A window, by the hash of its values. */
struct fathom_period_window {
	uint64_t hash;
	uint64_t older;			/* end of the window before it in the same bucket, counted as below */
};

struct fathom_period_finder {
	uint32_t window;		/* N, number of values that are compared */
	uint32_t longest;		/* the longest period */
	uint32_t period;		/* at the newest value; 0: none */
	uint32_t value_mask;		/* number of values kept, less 1; the number is a power of two */
	uint32_t window_mask;		/* number of windows kept, less 1 */
	uint32_t bucket_shift;		/* a hash shifted by this is the number of its bucket */
	uint64_t count;			/* number of values so far */
	uint64_t hash;			/* of the newest values, N of them or as many as there are */
	uint64_t oldest_factor;		/* the factor of the value that leaves the window */
	uint64_t *values;		/* by number of the value modulo the number kept */
	struct fathom_period_window *windows;	/* by number of their newest value, in the same way */
	uint64_t *buckets;		/* 1 + number of the newest value of the newest window in it; 0: empty */
};

/* Prepares a finder with windows of that many values. 0 or -ENOMEM. Context: start. */
int fathom_period_finder_init(struct fathom_period_finder *finder, struct fathom_arena *arena, uint32_t window,
			      uint32_t longest);

/* Takes the next value of the stream. Returns the period, or 0 if there is none. Context: hook. */
uint32_t fathom_period_finder_push(struct fathom_period_finder *finder, uint64_t value);

#endif
