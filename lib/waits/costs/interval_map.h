/*
 * interval_map: how a location spent its time in an interval: time by call path, and waiting.
 *
 * Operations are in the log; the time between them is in the time maps. A map may cover more than the interval: then
 * the interval has a share of each entry, in proportion to its time outside of operations. Time that no map covers is
 * charged to the call path of the operation that follows.
 */
#ifndef FATHOM_WAITS_INTERVAL_MAP_H
#define FATHOM_WAITS_INTERVAL_MAP_H

#include "waits/search_state.h"

struct fathom_waits_interval_entry {
	uint32_t path;
	double time;
};

/* One interval; the memory is used again for the next one. All zero: empty. */
struct fathom_waits_interval {
	struct fathom_waits_interval_entry *entries;
	uint32_t count, room;
	double waiting;			/* of the operations whose causes are searched */
	uint32_t first;			/* the first record whose whole operation lies in the interval */
	uint32_t *slots;		/* by path: index in entries + 1, if entries has the path there */
	uint32_t slot_count;
};

#define FATHOM_WAITS_FROM_BEGIN UINT32_MAX

/* Which waiting in operations is left out: that whose causes are searched, all that has a cause, or none. */
enum fathom_waits_left_out { FATHOM_WAITS_WITHOUT_DELAYS, FATHOM_WAITS_WITHOUT_CAUSES, FATHOM_WAITS_WHOLE };

/*
 * Collects the time between the operation first and the enter of the operation last (the number of records: until the
 * end of the location): from the leave of first, or, with inside, from the end of the waiting in first.
 * FATHOM_WAITS_FROM_BEGIN: from the begin of the location. 0 or -ENOMEM. Context: finish.
 */
int fathom_waits_interval_collect(struct fathom_waits_interval *interval, struct fathom_waits_state *state,
				  const struct fathom_waits_location_state *location, uint32_t first, uint32_t last,
				  bool inside, enum fathom_waits_left_out left_out);

/* Frees the memory. Context: finish. */
void fathom_waits_interval_fini(struct fathom_waits_interval *interval);

#endif
