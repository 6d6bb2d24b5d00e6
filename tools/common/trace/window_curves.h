/*
 * window_curves: the curves of counters and samples in a part of the time, read from the checkpoints of the index.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_WINDOW_CURVES_H
#define FATHOM_TOOLS_COMMON_WINDOW_CURVES_H

#include "tools/common/trace/metric_curves.h"
#include "tools/common/trace/trace_picture.h"

/* Fills in empty curves with the values of the rows that are needed to draw [from, to) in so many columns. If the
 * window has many events, these are the values at checkpoints. 0; -EILSEQ: the index is damaged; -errno with a line in
 * trace->error. */
int fathom_window_curves_read(struct fathom_metric_curves *curves, struct fathom_frame_index *index,
			      const struct fathom_trace_picture *picture, uint64_t from, uint64_t to, uint32_t columns);

#endif
