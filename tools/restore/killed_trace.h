/* killed_trace: restores the state of lib/trace of a killed process, from the copy of its memory and from its files of
 * events, and writes the trace. */
#ifndef FATHOM_TOOLS_RESTORE_KILLED_TRACE_H
#define FATHOM_TOOLS_RESTORE_KILLED_TRACE_H

#include <stdbool.h>

#include "comm/comm.h"
#include "copy.h"
#include "event/substrate.h"

struct fathom_settings;

/* Returns whether the copy has a trace that this program can read. */
bool killed_trace_is_there(const struct copy *copy);

/* Writes the trace of the processes of comm to result->trace_directory. The regions, metrics and locations of this
 * process must have been restored (rebuild.h); path is its snapshot. While the trace is incomplete, its files are in
 * directory. settings are changed. 0, or -errno without a message. */
int killed_trace_write(const struct copy *copy, const char *path, struct fathom_comm *comm,
		       struct fathom_settings *settings, const struct fathom_result *result,
		       const char *directory);

#endif
