#include "tools/timeline/png_canvas.h"

#include <cairo.h>
#include <errno.h>

#include "tools/common/command.h"

/* Cairo's limit for the sides of a picture. */
enum { MOST_PIXELS = 32767 };

int fathom_png_begin(struct fathom_png_canvas *canvas, FILE *stream, double width, double height)
{
	cairo_surface_t *surface;

	*canvas = (struct fathom_png_canvas){ .stream = stream };
	if (width > MOST_PIXELS || height > MOST_PIXELS) {
		fathom_tool_error("--png: a picture of %.0f x %.0f pixels is larger than %d (fewer --ranks, or --svg)",
				  width, height, MOST_PIXELS);
		return -EINVAL;
	}
	surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
	canvas->context = cairo_create(surface);
	cairo_surface_destroy(surface);		/* the context keeps it */
	if (cairo_status(canvas->context) != CAIRO_STATUS_SUCCESS) {
		fathom_tool_error("--png: %s", cairo_status_to_string(cairo_status(canvas->context)));
		cairo_destroy(canvas->context);
		canvas->context = NULL;
		return -ENOMEM;
	}
	cairo_select_font_face(canvas->context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(canvas->context, 11);
	return 0;
}

static void set_colour(cairo_t *context, uint32_t colour, double opacity)
{
	cairo_set_source_rgba(context, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
			      (colour & 255) / 255.0, opacity);
}

void fathom_png_rectangle(struct fathom_png_canvas *canvas, double x, double y, double width, double height,
			  uint32_t colour)
{
	set_colour(canvas->context, colour, 1);
	cairo_rectangle(canvas->context, x, y, width, height);
	cairo_fill(canvas->context);
}

void fathom_png_line(struct fathom_png_canvas *canvas, double x, double y, double to_x, double to_y, double width,
		     uint32_t colour, double opacity)
{
	set_colour(canvas->context, colour, opacity);
	cairo_set_line_width(canvas->context, width);
	cairo_move_to(canvas->context, x, y);
	cairo_line_to(canvas->context, to_x, to_y);
	cairo_stroke(canvas->context);
}

void fathom_png_text(struct fathom_png_canvas *canvas, double x, double y, double most_width, bool ends_there,
		     const char *text)
{
	cairo_text_extents_t extents;

	set_colour(canvas->context, 0x10151c, 1);
	cairo_text_extents(canvas->context, text, &extents);
	if (ends_there)
		x -= extents.x_advance < most_width ? extents.x_advance : most_width;
	cairo_save(canvas->context);
	cairo_rectangle(canvas->context, x, y - 12, most_width, 18);
	cairo_clip(canvas->context);
	cairo_move_to(canvas->context, x, y);
	cairo_show_text(canvas->context, text);
	cairo_restore(canvas->context);
}

static cairo_status_t write_bytes(void *stream, const unsigned char *bytes, unsigned count)
{
	return fwrite(bytes, 1, count, stream) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

int fathom_png_end(struct fathom_png_canvas *canvas)
{
	cairo_status_t status = cairo_surface_write_to_png_stream(cairo_get_target(canvas->context), write_bytes,
								  canvas->stream);

	cairo_destroy(canvas->context);
	if (status == CAIRO_STATUS_SUCCESS)
		return 0;
	fathom_tool_error("--png: %s", cairo_status_to_string(status));
	return -EIO;
}
