/* The canvas for PNG of a fathom that was built without cairo. Nothing but fathom_png_begin is called. */
#include "tools/timeline/png_canvas.h"

#include <errno.h>

#include "tools/common/command.h"

int fathom_png_begin(struct fathom_png_canvas *canvas, FILE *stream, double width, double height)
{
	(void)canvas, (void)stream, (void)width, (void)height;
	fathom_tool_error("--png: this fathom was built without cairo (Debian: libcairo2-dev); use --svg");
	return -ENOTSUP;
}

void fathom_png_rectangle(struct fathom_png_canvas *canvas, double x, double y, double width, double height,
			  uint32_t colour)
{
	(void)canvas, (void)x, (void)y, (void)width, (void)height, (void)colour;
}

void fathom_png_line(struct fathom_png_canvas *canvas, double x, double y, double to_x, double to_y, double width,
		     uint32_t colour, double opacity)
{
	(void)canvas, (void)x, (void)y, (void)to_x, (void)to_y, (void)width, (void)colour, (void)opacity;
}

void fathom_png_text(struct fathom_png_canvas *canvas, double x, double y, double most_width, bool ends_there,
		     const char *text)
{
	(void)canvas, (void)x, (void)y, (void)most_width, (void)ends_there, (void)text;
}

int fathom_png_end(struct fathom_png_canvas *canvas)
{
	(void)canvas;
	return 0;
}
