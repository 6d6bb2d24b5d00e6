/*
 * trace_details: what one pass over all events of a trace finds for a time line: single messages, collective
 * operations, curves of counters and samples, and kinds of bursts. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_DETAILS_H
#define FATHOM_TOOLS_COMMON_TRACE_DETAILS_H

#include "tools/common/trace/collective_lines.h"
#include "tools/common/trace/kind_intervals.h"
#include "tools/common/trace/message_lines.h"
#include "tools/common/trace/metric_curves.h"
#include "tools/common/trace/trace_picture.h"

struct fathom_trace_details {
	bool is_known;			/* else the trace is too long, or its events cannot be read, and all is empty */
	struct fathom_otf2_archive *trace;
	bool is_own;			/* the details close the trace */
	struct fathom_message_lines messages;
	struct fathom_collective_lines collectives;
	struct fathom_metric_curves curves;
	struct fathom_kind_intervals kinds;	/* only of fathom_trace_details_read */
	int32_t *rows;			/* by location: its row; -1: none */
};

/* Reads the events of the trace with that anchor file for the rows of a picture. A trace with more than most_events is
 * not read. */
void fathom_trace_details_read(struct fathom_trace_details *details, const char *anchor,
			       const struct fathom_trace_picture *picture, uint64_t most_events);

/* Begins with empty details of an open trace, which the caller closes. */
void fathom_trace_details_begin(struct fathom_trace_details *details, struct fathom_otf2_archive *trace,
				const struct fathom_trace_picture *picture);
void fathom_trace_details_fini(struct fathom_trace_details *details);

#endif
