/*
 * time_windows: the bursts of equal windows of time of one trace, each as if it were a trace of its own.
 */
#ifndef FATHOM_TOOLS_TRACK_TIME_WINDOWS_H
#define FATHOM_TOOLS_TRACK_TIME_WINDOWS_H

#include "tools/clusters/burst_data.h"

/* Returns the bursts that begin in a window; number from 0 to count - 1. The result shares the trace with whole, and
 * has its own list and histogram. Writes the window's name, "1.2 s to 1.5 s", into name. Context: tool. */
struct fathom_burst_data *fathom_time_window_make(const struct fathom_burst_data *whole, uint32_t number,
						  uint32_t count, char *name, size_t bytes);

/* Frees the list of a window, but not the window itself. Context: tool. */
void fathom_time_window_fini(struct fathom_burst_data *window);

#endif
