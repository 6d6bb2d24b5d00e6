/*
 * duration_histogram: how many bursts have which duration, and how much time they take together; from it the shortest
 * duration that is worth looking at is chosen.
 *
 * Short bursts are many and take little time. The bins are equally wide on a logarithmic axis. Context of all
 * functions: any.
 */
#ifndef FATHOM_BURSTS_DURATION_HISTOGRAM_H
#define FATHOM_BURSTS_DURATION_HISTOGRAM_H

#include <stdint.h>

enum {
	FATHOM_DURATION_BINS_PER_DECADE = 20,
	FATHOM_DURATION_BINS = 15 * FATHOM_DURATION_BINS_PER_DECADE,	/* from 1 ns to 10^6 s */
};

struct fathom_duration_histogram {
	uint64_t counts[FATHOM_DURATION_BINS];
	double seconds[FATHOM_DURATION_BINS];	/* sum of the durations in a bin */
	uint64_t count;
	double total_seconds;
};

/* Adds a burst. */
void fathom_duration_histogram_add(struct fathom_duration_histogram *histogram, double seconds);

/* Returns the shortest duration in a bin. */
double fathom_duration_bin_begin(unsigned bin);

/* Returns the longest duration, at the edge of a bin, such that the bursts of that duration and longer have at least
 * this share of the time of all bursts, and are at least so many, or all. 0: there is no burst. */
double fathom_duration_histogram_least(const struct fathom_duration_histogram *histogram, double share, uint64_t count);

#endif
