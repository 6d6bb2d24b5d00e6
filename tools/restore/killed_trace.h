/*
 * killed_trace: makes what lib/trace knew of a killed process anew, from the copy of its memory and from its files of
 * events, and writes the trace.
 */
#ifndef FATHOM_TOOLS_RESTORE_KILLED_TRACE_H
#define FATHOM_TOOLS_RESTORE_KILLED_TRACE_H

#include <stdbool.h>

#include "comm/comm.h"
#include "copy.h"
#include "event/substrate.h"

struct fathom_settings;

/* Returns whether the copy has a trace that this program can read. */
bool killed_trace_is_there(const struct copy *copy);

/*
 * Writes the trace of the processes of comm to result->trace_directory. The regions, metrics and locations of this one
 * have been made anew already (rebuild.h); path is its snapshot. Until it is complete, its files are in
 * directory. settings are changed. 0, or -errno, of which nothing was said.
 */
int killed_trace_write(const struct copy *copy, const char *path, struct fathom_comm *comm,
		       struct fathom_settings *settings, const struct fathom_result *result,
		       const char *directory);

#endif
