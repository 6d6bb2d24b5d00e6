#include "tools/common/trace/trace_frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgraphs/graph_trace.h"
#include "frames/frame_builder.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

static int open_trace(struct fathom_otf2_archive *trace, const char *anchor)
{
	int err = fathom_trace_open(trace, anchor);

	trace->keeps_translations = true;
	if (!err)
		err = fathom_otf2_read_definitions(trace, NULL);
	return err;
}

static int build(struct fathom_trace_frames *frames)
{
	int err;

	fathom_progress_begin("indexing events", fathom_otf2_event_count(&frames->trace));
	err = fathom_frames_build(&frames->trace, frames->path, fathom_progress_set);
	fathom_progress_end();
	return err;
}

/* Makes the index in TMPDIR, and opens it. Its file has no name any more then. */
static int build_elsewhere(struct fathom_trace_frames *frames)
{
	const char *directory = getenv("TMPDIR");
	int err, fd;

	snprintf(frames->path, sizeof(frames->path), "%s/fathom-frames-XXXXXX",
		 directory && *directory ? directory : "/tmp");
	fd = mkstemp(frames->path);
	if (fd < 0) {
		err = -errno;
		fathom_tool_error("%s: %s", frames->path, strerror(errno));
		return err;
	}
	close(fd);
	err = build(frames);
	if (!err)
		err = fathom_frame_index_open(&frames->index, &frames->trace, frames->path);
	unlink(frames->path);
	if (err)
		fathom_tool_error("%s: %s", frames->path, *frames->trace.error ? frames->trace.error : strerror(-err));
	return err;
}

static int open_index(struct fathom_trace_frames *frames)
{
	int err = fathom_frame_index_open(&frames->index, &frames->trace, frames->path);

	if (err == 0)
		return 0;
	frames->is_new = true;
	err = build(frames);
	if (err == -EACCES || err == -EROFS || err == -EPERM)
		return build_elsewhere(frames);
	if (!err)
		err = fathom_frame_index_open(&frames->index, &frames->trace, frames->path);
	if (err)
		fathom_tool_error("%s", *frames->trace.error ? frames->trace.error : strerror(-err));
	return err;
}

int fathom_trace_frames_open(struct fathom_trace_frames *frames, const char *anchor)
{
	int err;

	memset(frames, 0, sizeof(*frames));
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	err = open_trace(&frames->trace, anchor);
	if (err) {
		fathom_tool_error("%s", frames->trace.error);
	} else {
		fathom_frame_index_path(&frames->trace, frames->path);
		err = open_index(frames);
	}
	if (err)
		fathom_otf2_close(&frames->trace);
	return err;
}

void fathom_trace_frames_close(struct fathom_trace_frames *frames)
{
	fathom_frame_index_close(&frames->index);
	fathom_otf2_close(&frames->trace);
}
