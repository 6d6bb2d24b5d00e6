/*
 * trace_frames: a trace and its index of frames, which is made if there is none. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_FRAMES_H
#define FATHOM_TOOLS_COMMON_TRACE_FRAMES_H

#include "frames/frame_index.h"
#include "otf2/archive_reader.h"

struct fathom_trace_frames {
	struct fathom_otf2_archive trace;
	struct fathom_frame_index index;
	char path[PATH_MAX + 8];	/* of the index */
	bool is_new;			/* the index was made now */
};

/* Opens the trace with that anchor file, and its index. An index that is missing, of an older state of the trace, or
 * damaged is made anew, next to the trace; if that place cannot be written, in TMPDIR, for this command alone. 0, or
 * -errno after an error message; then nothing is open. */
int fathom_trace_frames_open(struct fathom_trace_frames *frames, const char *anchor);
void fathom_trace_frames_close(struct fathom_trace_frames *frames);

#endif
