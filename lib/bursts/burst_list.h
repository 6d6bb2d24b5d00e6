/*
 * burst_list: the bursts of a trace in memory, at most so many.
 *
 * If there are more bursts than the limit, the shorter ones of those in the list, at most half of them, are dropped and
 * the least duration rises; the list counts what it dropped. Context of all functions: tool.
 */
#ifndef FATHOM_BURSTS_BURST_LIST_H
#define FATHOM_BURSTS_BURST_LIST_H

#include "bursts/burst_extraction.h"

struct fathom_listed_burst {		/* the members are those of struct fathom_burst */
	uint64_t begin, end;
	uint32_t location, before, after, code;
};

struct fathom_burst_list {
	struct fathom_listed_burst *bursts;
	double *counters;		/* [burst][counter] */
	uint32_t counter_count;
	size_t count, room, limit;
	uint64_t least_ticks;		/* shorter bursts are not taken */
	uint64_t dropped, dropped_ticks;	/* number and time of the bursts that were not kept */
};

/* Prepare an empty list of at most limit bursts, and free a list. */
void fathom_burst_list_init(struct fathom_burst_list *list, uint32_t counter_count, size_t limit);
void fathom_burst_list_fini(struct fathom_burst_list *list);

/* Appends a burst. False: the list is full, because nearly all bursts have the same duration. */
bool fathom_burst_list_add(struct fathom_burst_list *list, const struct fathom_burst *burst);

/* Sorts the bursts by location, and those of a location by time. */
void fathom_burst_list_sort(struct fathom_burst_list *list, uint32_t location_count);

#endif
