/*
 * held_interval: what a location did while it held a lock for which others waited.
 */
#ifndef FATHOM_WAITS_HELD_INTERVAL_H
#define FATHOM_WAITS_HELD_INTERVAL_H

#include "waits/costs/interval_map.h"

/* Collects the time from the acquisition of a lock, of a window or of a thread, to its release in the operation at
 * record. The waiting of the interval includes that for the acquisition, because it made the holder late. 0 or -ENOMEM.
 * Context: finish. */
int fathom_waits_held_collect(struct fathom_waits_interval *interval, struct fathom_waits_state *state,
			      const struct fathom_waits_location_state *location, uint32_t record);

#endif
