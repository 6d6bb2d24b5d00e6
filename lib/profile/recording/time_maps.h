/*
 * time_maps: how a thread has spent its time between two operations of its operation log (lib/waits/operation.h).
 *
 * A time map is the difference of the exclusive times of all call paths to those at the map before. Making one means
 * to walk over the tree of the thread. So a map is made only when at least a hundred times its own cost has passed
 * since the last one, and maps take at most as many records as operations do once there are many. The cost is the time
 * that the walk took, but no more than its steps can take: a thread that loses its processor during the walk would make
 * no maps for a long time.
 *
 * A map has the time outside of the operations in the log, so MPI calls are not in it. Calls that test whether
 * something is complete (MPI_Test, MPI_Iprobe) are different: only those are in the log that complete something. The
 * map has the time of the others, because a loop of such calls may be what makes a process late.
 */
#ifndef FATHOM_PROFILE_TIME_MAPS_H
#define FATHOM_PROFILE_TIME_MAPS_H

#include <stdint.h>

#include "event/location.h"

struct fathom_waits_log;

/* A step of the walk takes at most this many ticks: some cache misses, on any processor. */
enum { FATHOM_TIME_MAP_STEP_TICKS = 2000 };

/* Returns when the next map is due after one that was made at begin, in a walk of so many steps that took so many
 * ticks. Context: hook. */
static inline uint64_t fathom_time_map_due(uint64_t begin, uint64_t steps, uint64_t ticks)
{
	uint64_t most = steps * FATHOM_TIME_MAP_STEP_TICKS;

	return begin + 100 * (ticks < most ? ticks : most);
}

/* Notes that the call of the innermost region, which tests, completes something and is in the log. Context: hook; birth
 * for new call paths. */
void fathom_time_map_tested(struct fathom_location *self);

/* Records a time map up to begin, the begin of the operation of the innermost region, and sets the time at which the
 * next map is due. Without memory there is no map. Context: hook; birth for new call paths. */
void fathom_time_map_make(struct fathom_location *self, struct fathom_waits_log *log, uint64_t begin);

#endif
