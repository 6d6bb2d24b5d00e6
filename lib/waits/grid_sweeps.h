/*
 * grid_sweeps: the late senders of processes that have positions in a grid, by the direction that the messages take.
 *
 * A message goes along a dimension of the grid, upward or downward. A sweep of a location is a series of received
 * messages of which no two go in opposite directions of a dimension, without a collective operation in between. The
 * first message of a sweep along each dimension fills the pipeline: waiting for it is a pipeline refill. Waiting for
 * the messages behind it is waiting inside the sweep. (In a wavefront over a 2-dimensional grid, a sweep receives
 * messages along both dimensions.)
 */
#ifndef FATHOM_WAITS_GRID_SWEEPS_H
#define FATHOM_WAITS_GRID_SWEEPS_H

#include "waits/search_state.h"

/* Charges the waiting for late senders in all hosted processes that have a grid. Called when the causes are known.
 * 0 or -ENOMEM. Context: finish. */
int fathom_waits_sweeps_find(struct fathom_waits_state *state);

#endif
