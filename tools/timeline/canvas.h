/*
 * canvas: where a picture is painted: a file in the format SVG or PNG. Lengths are in pixels, from the upper left
 * corner. A colour is 0xrrggbb. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TIMELINE_CANVAS_H
#define FATHOM_TOOLS_TIMELINE_CANVAS_H

#include "tools/timeline/png_canvas.h"

enum fathom_text_side { FATHOM_TEXT_LEFT, FATHOM_TEXT_RIGHT };	/* where a text stands: it begins or ends there */

struct fathom_canvas {
	FILE *stream;
	bool is_png;
	struct fathom_png_canvas png;
};

/* Begins a picture of that size in a format; is_png: PNG instead of SVG. 0, or -errno after an error message. */
int fathom_canvas_begin(struct fathom_canvas *canvas, FILE *stream, double width, double height, bool is_png);

/* Paint a rectangle; a line with an opacity from 0 to 1; a text, whose font is 11 pixels high, in at most so many
 * pixels. */
void fathom_canvas_rectangle(struct fathom_canvas *canvas, double x, double y, double width, double height,
			     uint32_t colour);
void fathom_canvas_line(struct fathom_canvas *canvas, double x, double y, double to_x, double to_y, double width,
			uint32_t colour, double opacity);
void fathom_canvas_text(struct fathom_canvas *canvas, double x, double y, double most_width,
			enum fathom_text_side side, const char *text);

/* Completes the picture. 0, or -errno after an error message. */
int fathom_canvas_end(struct fathom_canvas *canvas);

#endif
