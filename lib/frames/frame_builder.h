/*
 * frame_builder: makes the index of frames of a trace, in one pass over the events of each location.
 *
 * The memory does not depend on the length of the trace: for each level of blocks, the sums of the block that is not
 * complete. Context: tool.
 */
#ifndef FATHOM_FRAMES_FRAME_BUILDER_H
#define FATHOM_FRAMES_FRAME_BUILDER_H

#include "otf2/archive_reader.h"

/* Makes the index of a trace, whose definitions were read with keeps_translations, in the file path. note_progress is
 * called with the number of events that are done; it may be NULL. 0, or -errno with a line in trace->error; then path
 * is as it was. */
int fathom_frames_build(struct fathom_otf2_archive *trace, const char *path, void (*note_progress)(uint64_t events));

#endif
