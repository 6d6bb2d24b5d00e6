/*
 * window_details: the messages, collective operations and curves of a part of the time, read from the checkpoints of
 * the index. The work depends on what is in the window, not on the length of the trace. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_WINDOW_DETAILS_H
#define FATHOM_TOOLS_COMMON_WINDOW_DETAILS_H

#include "tools/common/trace/trace_details.h"

/* What is read of a window at most. */
struct fathom_window_limits {
	size_t messages, members;	/* with more messages, or members of collective operations, none are found */
	uint32_t columns;		/* in which curves are drawn */
	bool has_channels, has_curves;	/* false: messages and operations, or curves, are not wanted */
};

/* Finds what trace_details has, for [from, to): all messages and collective operations that overlap it, and curves that
 * can be drawn in it. Where too much is in the window, has_too_many is set. Curves of windows with more than three
 * million events go through the values at checkpoints, which are about 33,000 events apart. Errors leave the details
 * unknown.
 * The trace of the index must stay open as long as the details are used. */
void fathom_window_details_read(struct fathom_trace_details *details, struct fathom_frame_index *index,
				const struct fathom_trace_picture *picture, uint64_t from, uint64_t to,
				const struct fathom_window_limits *limits);

#endif
