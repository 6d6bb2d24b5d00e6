/*
 * parts: what one process finds out for a request: for its share of the rows and locations of the trace. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_SERVE_PARTS_H
#define FATHOM_TOOLS_SERVE_PARTS_H

#include "tools/common/trace/trace_frames.h"
#include "tools/common/trace/trace_picture.h"

enum { FATHOM_SERVED_ROWS = 64, FATHOM_SERVED_COLUMNS = 1000, FATHOM_SERVED_VISITS = 100, FATHOM_SERVED_TEXT = 1024 };

enum fathom_request_kind {
	FATHOM_REQUEST_END,		/* the processes end */
	FATHOM_REQUEST_WINDOW,
	FATHOM_REQUEST_SUMMARY,
	FATHOM_REQUEST_SEARCH,
};

struct fathom_request {
	uint32_t kind;			/* enum fathom_request_kind */
	uint32_t share, shares;		/* a process works on the rows and locations number share + n * shares */
	uint64_t from, to;		/* in ticks of the global clock */
	char text[FATHOM_SERVED_TEXT];	/* of a search */
};

struct fathom_visit {
	uint32_t row, path;
	uint64_t begin, end;
};

struct fathom_part {
	int64_t err;			/* 0 or -errno */
	struct fathom_preview_counts counts;	/* of a summary and a search */
	uint32_t visit_count;
	struct fathom_visit visits[FATHOM_SERVED_VISITS];	/* the longest, the longest first */
	uint32_t *cells;		/* of a window, by row and column */
	uint64_t *ticks;		/* of a summary, by region; the last one is for several regions */
	size_t cell_count, region_count;
};

/* Fills in the part of a request, which the caller releases with fini. picture: the rows that were chosen. */
void fathom_part_make(struct fathom_part *part, struct fathom_trace_frames *frames,
		      const struct fathom_trace_picture *picture, const struct fathom_request *request);
void fathom_part_fini(struct fathom_part *part);

/* Adds the visits of another part. */
void fathom_part_add_visits(struct fathom_part *part, const struct fathom_visit *visits, uint32_t count);

/* Returns the number of a region in answers: its index; the number of regions stands for several of them. */
int64_t fathom_served_region(const struct fathom_trace_frames *frames, uint32_t path);
const char *fathom_served_region_name(const struct fathom_trace_frames *frames, int64_t region);

#endif
