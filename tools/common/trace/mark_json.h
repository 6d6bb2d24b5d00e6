/*
 * mark_json: the marks of wait states and of the critical path in a time line, as JSON. Context of all functions: tool.
 *
 * The object has the members
 *	begin, ticks	the part of the trace, in ticks from the begin of the trace
 *	patterns	[title]: kinds of waiting
 *	threads		[name]: those that were waited for
 *	waits		[by row: [begin, length, pattern, waiting, number of wait states, index in threads or -1; ...]]
 *	path		[by row: [begin, length; ...]]
 * with times in ticks from the begin of the part.
 */
#ifndef FATHOM_TOOLS_COMMON_MARK_JSON_H
#define FATHOM_TOOLS_COMMON_MARK_JSON_H

#include <jansson.h>

#include "tools/common/trace/trace_picture.h"
#include "tools/common/trace/wait_intervals.h"

/* Returns the marks in [from, to) of the rows of a picture, none shorter than finest unless it stands alone; null if
 * there are no intervals. */
json_t *fathom_mark_json(const struct fathom_wait_intervals *intervals, const struct fathom_trace_picture *picture,
			 const struct fathom_frame_index *index, uint64_t from, uint64_t to, uint64_t finest);

#endif
