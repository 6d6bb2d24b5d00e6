/*
 * visit_window: finds the time of one iteration of a phase, or of one visit of a region, over all ranks.
 */
#ifndef FATHOM_TOOLS_TRACE_VISIT_WINDOW_H
#define FATHOM_TOOLS_TRACE_VISIT_WINDOW_H

#include "otf2/archive_reader.h"
#include "tools/trace/copy_plan.h"

/*
 * Sets the window from the first enter to the last leave of the visit that visit ("REGION#N") names. If the region is a
 * phase, whose visits have the parameter iteration, N is the value of that parameter; otherwise N counts the visits of
 * each location from 1. Reads the events of the trace. 0, or -errno after an error message. Context: tool.
 */
int fathom_visit_window_find(struct fathom_time_window *window, const char *visit, struct fathom_otf2_archive *trace);

#endif
