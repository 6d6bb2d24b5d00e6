/*
 * trace_picture: a part of a trace as a picture: rows of locations, columns of time, and in each cell the call path
 * on which the location was for most of the cell's time. It is drawn from the index of the trace.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_PICTURE_H
#define FATHOM_TOOLS_COMMON_TRACE_PICTURE_H

#include "frames/frame_index.h"

/* A cell in which the location has no events yet, or none any more. */
#define FATHOM_PICTURE_EMPTY UINT32_MAX

/* Messages between two rows that a part of the time sent. */
struct fathom_picture_line {
	uint32_t from_row, to_row;
	uint32_t column;		/* of the middle of the interval in which they were sent */
	uint64_t messages;
	uint64_t bytes;			/* of all messages in the interval, shared out by their number */
};

struct fathom_trace_picture {
	uint64_t from, to;		/* in ticks of the global clock */
	uint32_t columns, row_count, thread_count;
	uint32_t *locations;		/* by row: index */
	uint32_t *cells;		/* by row and column: path of the index */
	struct fathom_preview_counts *counts;	/* by row: events, messages and bytes in the window */
	struct fathom_picture_line *lines;
	size_t line_count, line_room;
};

/* Chooses the rows of a picture: the threads with events of the processes that are true in processes, by index (NULL:
 * all); if there are more than most, as many, spread evenly. Sets thread_count to the number of all of them. */
void fathom_trace_picture_choose_rows(struct fathom_trace_picture *picture, const struct fathom_frame_index *index,
				      const bool *processes, uint32_t most);

/* Draws [from, to) of the rows that were chosen, in so many columns; depth: paths are cut off at so many regions, 0:
 * they are not. Lines of messages are those of intervals as long as a 40th of the picture. 0; -EILSEQ: the index is
 * damaged; -errno with a line in trace->error. */
int fathom_trace_picture_draw(struct fathom_trace_picture *picture, struct fathom_frame_index *index, uint64_t from,
			      uint64_t to, uint32_t columns, uint32_t depth);
void fathom_trace_picture_fini(struct fathom_trace_picture *picture);

/* Write the name of a location, or of a row, with its process and thread, to text. */
void fathom_trace_picture_location_name(const struct fathom_frame_index *index, uint32_t location, char *text,
					size_t bytes);
void fathom_trace_picture_row_name(const struct fathom_trace_picture *picture, const struct fathom_frame_index *index,
				   uint32_t row, char *text, size_t bytes);

#endif
