/*
 * predicted_trace: writes the trace of a replayed run: the events of the measured trace at the times of the replay.
 */
#ifndef FATHOM_TOOLS_WHATIF_PREDICTED_TRACE_H
#define FATHOM_TOOLS_WHATIF_PREDICTED_TRACE_H

#include "tools/whatif/study.h"

/* Writes the archive into a directory, which must not exist. result must have the points of the replay. 0, or -errno
 * after an error message; after an error nothing is left behind. Context: tool. */
int fathom_predicted_trace_write(const struct fathom_trace_program *made, const struct fathom_replay_result *result,
				 const char *directory);

#endif
