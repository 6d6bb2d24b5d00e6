/*
 * burst_data: the bursts of a trace, or those that a program recorded itself, and what their numbers mean.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_BURST_DATA_H
#define FATHOM_TOOLS_CLUSTERS_BURST_DATA_H

#include "bursts/burst_list.h"
#include "bursts/duration_histogram.h"

struct fathom_burst_data {
	struct fathom_otf2_archive trace;
	struct fathom_burst_extraction extraction;
	struct fathom_burst_list list;		/* sorted by location and time */
	struct fathom_duration_histogram histogram;	/* of all bursts, also those that the list dropped */
	uint32_t thread_count;		/* locations with a burst */
	bool is_cut;			/* the list was full: bursts behind cut_ticks are missing */
	uint64_t cut_ticks;
	uint32_t part, part_count;	/* set before reading: of the trace, as in struct fathom_otf2_archive; if
					 * part_count is not 0, it is no error if the part has no burst */
};

/* Reads at most limit bursts of a trace or of a file of recorded bursts (bursts/recorded_bursts.h). 0, or -errno after
 * an error message. */
int fathom_burst_data_read(struct fathom_burst_data *data, const char *path, size_t limit);
void fathom_burst_data_fini(struct fathom_burst_data *data);

/* Returns the duration of a burst in seconds. */
double fathom_burst_seconds(const struct fathom_burst_data *data, size_t burst);

/* Returns ticks of the trace as seconds since the trace began. */
double fathom_burst_time(const struct fathom_burst_data *data, uint64_t ticks);

/* Returns the index of a location's process, and the number of the location in it. */
uint32_t fathom_burst_process(const struct fathom_burst_data *data, uint32_t location, uint32_t *thread);

#endif
