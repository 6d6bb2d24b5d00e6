/*
 * frame_index: the index of frames next to a trace, from which any part of it can be drawn without reading all events.
 *
 * The events of each location are divided into cells of 192 events; 16 cells are a block, 16 blocks a larger block, and
 * so on up to one block of the whole location. Each block has a preview of each of its children. A window is drawn from
 * the previews of the largest intervals that are still short enough; where a cell is too long, from the events
 * themselves, at the position that the block of the cell has noted. So the work depends on the number of intervals that
 * are asked for, not on the length of the trace. Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_FRAME_INDEX_H
#define FATHOM_FRAMES_FRAME_INDEX_H

#include "frames/frame_file.h"
#include "frames/path_table.h"
#include "frames/preview.h"
#include "otf2/archive_reader.h"

struct fathom_frame_checkpoint {
	uint64_t event;			/* number of the event that it is in front of */
	uint64_t time;			/* of this event; of the last one: of the last event, which it is behind */
	uint64_t at;			/* offset of the record */
};

struct fathom_frame_location {
	uint32_t level;			/* of the block of the whole location; 0: the location has no events */
	uint64_t block_at;		/* offset of this block */
	struct fathom_byte_cursor preview;	/* of the whole location */
	uint64_t begin, end;		/* times of its first and last event */
	struct fathom_frame_checkpoint *checkpoints;	/* none in a short trace; the last one is behind all events */
	uint32_t checkpoint_count;
};

struct fathom_frame_index {
	struct fathom_otf2_archive *trace;
	struct fathom_frame_file file;
	struct fathom_path_table paths;
	struct fathom_frame_location *locations;	/* by index of the trace */
	uint32_t location_count;
};

/* Sets path (PATH_MAX + 8 bytes) to that of the index of a trace: next to the anchor file, called traces.frames; of a
 * compressed trace, traces.graphs.frames. */
void fathom_frame_index_path(const struct fathom_otf2_archive *trace, char *path);

/* Sets [*from, *to) to the time from the first to the last event, in ticks of the global clock. The definitions may
 * state a longer time. Without events, it is the time of the definitions. */
void fathom_frame_index_range(const struct fathom_frame_index *index, uint64_t *from, uint64_t *to);

/* Opens the index of a trace, whose definitions were read with keeps_translations. 0, or -errno: -ENOENT: there is
 * none; -ESTALE: the trace has changed since; -EILSEQ: it is damaged or of another version of fathom. */
int fathom_frame_index_open(struct fathom_frame_index *index, struct fathom_otf2_archive *trace, const char *path);
void fathom_frame_index_close(struct fathom_frame_index *index);

#endif
