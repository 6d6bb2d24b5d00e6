/*
 * painting: a picture of a trace on a canvas: rows with their names, an axis of time, lines of messages, and a legend.
 */
#ifndef FATHOM_TOOLS_TIMELINE_PAINTING_H
#define FATHOM_TOOLS_TIMELINE_PAINTING_H

#include <stdbool.h>

#include "tools/common/trace/trace_details.h"
#include "tools/common/trace/trace_picture.h"
#include "tools/common/trace/wait_intervals.h"

struct fathom_painting {
	const struct fathom_trace_picture *picture;
	const struct fathom_frame_index *index;
	const struct fathom_wait_intervals *waits;	/* NULL: they are not marked */
	const struct fathom_trace_details *details;	/* NULL, or not known: the picture has none */
	const struct fathom_trace_details *kinds;	/* has the kinds of bursts that cells show; NULL: regions */
	const struct fathom_metric_curve *curve;	/* NULL: no curve is drawn */
	double width;			/* of the whole, in pixels */
	bool is_png, has_messages;
};

enum {
	FATHOM_PAINTING_NAMES = 160,		/* pixels to the left of the cells */
	FATHOM_PAINTING_MESSAGES = 1000,	/* more single messages, or members of collective operations, are not */
	FATHOM_PAINTING_MEMBERS = 2000,		/* painted */
	FATHOM_PAINTING_CURVE_COLUMNS = 200,
};

/* Writes the picture to a stream. 0, or -errno after an error message. Context: tool. */
int fathom_painting_write(const struct fathom_painting *painting, FILE *stream);

#endif
