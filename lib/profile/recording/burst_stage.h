/*
 * burst_stage: the stage of FATHOM_BURSTS=on, which records the bursts of each location: the stretches of computation
 * between the calls of parallel runtimes (MPI, OpenMP, threads, files).
 *
 * A burst ends when such a call, or an OpenMP construct, is entered or left, and when a team, its threads' part in it,
 * or an explicit task begins or ends; the next one begins there if the thread then computes. So the bursts are those
 * that bursts/burst_extraction.h finds in a trace of the same run. In a burst, functions may begin and end.
 */
#ifndef FATHOM_PROFILE_BURST_STAGE_H
#define FATHOM_PROFILE_BURST_STAGE_H

#include <stdbool.h>

#include "event/substrate.h"

/* Returns the stage. It follows the stages that give frames their nodes and read the counters. Only one can exist.
 * Context: start; the stage: hook, birth for a new chunk of the log. */
struct fathom_stage fathom_burst_stage_before(struct fathom_stage after);

/* The function on_off of the substrate's table (event/substrate.h): the burst in which the location pauses, or goes on,
 * is not recorded. Context: hook. */
void fathom_burst_stage_on_off(struct fathom_location *self, bool is_on, uint64_t now);

#endif
