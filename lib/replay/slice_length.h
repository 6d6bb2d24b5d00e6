/*
 * slice_length: how long the time slices were in which the tasks of a measured run shared processors
 * (processor_slices.h).
 *
 * A trace does not say when the scheduler of the operating system gave the processor to another task. Therefore the
 * length is the one with which the replay takes the measured time of the run. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_SLICE_LENGTH_H
#define FATHOM_REPLAY_SLICE_LENGTH_H

#include "replay/replay.h"

/* Sets slice_seconds of the machine of the run, whose other parameters and cpus are known, so that the replay without
 * calls that start MPI takes the seconds. 0 or -errno of a replay. */
int fathom_slice_length_fit(const struct fathom_replay_program *program, struct fathom_machine *machine,
			   double seconds);

#endif
