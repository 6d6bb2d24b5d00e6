/*
 * cell_colours: the colours of the cells of a picture, by region or by kind of burst, and what they mean.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TIMELINE_CELL_COLOURS_H
#define FATHOM_TOOLS_TIMELINE_CELL_COLOURS_H

#include "tools/common/trace/kind_intervals.h"
#include "tools/common/trace/trace_picture.h"

#define FATHOM_NO_COLOUR UINT32_MAX	/* nothing is drawn */

enum { FATHOM_LEGEND_MOST = 12 };

struct fathom_legend_entry {
	uint32_t colour;		/* 0xrrggbb */
	char text[300];			/* share of the picture, and name */
};

struct fathom_cell_colours {
	uint32_t *cells;		/* by row and column: 0xrrggbb, or FATHOM_NO_COLOUR */
	struct fathom_legend_entry legend[FATHOM_LEGEND_MOST];
	size_t legend_count;
};

/* Colours cells by region: those with most cells have colours of their own. Shares are those of the cells. */
void fathom_cell_colours_by_region(struct fathom_cell_colours *colours, const struct fathom_trace_picture *picture,
				   const struct fathom_frame_index *index);

/* Colours cells by kind of burst; the kinds have the rows of the picture. Shares are those of the time of all bursts in
 * the picture. */
void fathom_cell_colours_by_kind(struct fathom_cell_colours *colours, const struct fathom_trace_picture *picture,
				 const struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs);
void fathom_cell_colours_fini(struct fathom_cell_colours *colours);

#endif
