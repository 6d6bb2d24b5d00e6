/*
 * png_canvas: a picture in the format PNG, through the library cairo. In a build without cairo, fathom_png_begin says
 * so. Lengths, colours and functions are those of canvas.h. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TIMELINE_PNG_CANVAS_H
#define FATHOM_TOOLS_TIMELINE_PNG_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fathom_png_canvas {
	void *context;		/* of cairo; NULL: the picture is not begun */
	FILE *stream;
};

int fathom_png_begin(struct fathom_png_canvas *canvas, FILE *stream, double width, double height);
void fathom_png_rectangle(struct fathom_png_canvas *canvas, double x, double y, double width, double height,
			  uint32_t colour);
void fathom_png_line(struct fathom_png_canvas *canvas, double x, double y, double to_x, double to_y, double width,
		     uint32_t colour, double opacity);
void fathom_png_text(struct fathom_png_canvas *canvas, double x, double y, double most_width, bool ends_there,
		     const char *text);
int fathom_png_end(struct fathom_png_canvas *canvas);

#endif
