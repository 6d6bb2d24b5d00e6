#include "tools/timeline/canvas.h"

/* Average width of a character of the font, in pixels: a text in SVG is cut off by it. */
static const double character_width = 6.2;

int fathom_canvas_begin(struct fathom_canvas *canvas, FILE *stream, double width, double height, bool is_png)
{
	int err = 0;

	*canvas = (struct fathom_canvas){ .stream = stream, .is_png = is_png };
	if (is_png)
		err = fathom_png_begin(&canvas->png, stream, width, height);
	else
		fprintf(stream, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
			"viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n",
			width, height, width, height);
	if (!err)
		fathom_canvas_rectangle(canvas, 0, 0, width, height, 0xffffff);
	return err;
}

void fathom_canvas_rectangle(struct fathom_canvas *canvas, double x, double y, double width, double height,
			     uint32_t colour)
{
	if (canvas->is_png)
		fathom_png_rectangle(&canvas->png, x, y, width, height, colour);
	else
		fprintf(canvas->stream, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" fill=\"#%06x\"/>\n",
			x, y, width, height, (unsigned)colour);
}

void fathom_canvas_line(struct fathom_canvas *canvas, double x, double y, double to_x, double to_y, double width,
			uint32_t colour, double opacity)
{
	if (canvas->is_png)
		fathom_png_line(&canvas->png, x, y, to_x, to_y, width, colour, opacity);
	else
		fprintf(canvas->stream, "<line x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\" stroke=\"#%06x\" "
			"stroke-width=\"%.3g\" stroke-opacity=\"%.3g\"/>\n", x, y, to_x, to_y, (unsigned)colour, width,
			opacity);
}

/* Returns the number of bytes of the UTF-8 character at text; 0: there is none. */
static int character_bytes(const char *text)
{
	unsigned char first = (unsigned char)*text;
	int bytes = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : (first & 0xf0) == 0xe0 ? 3 :
		    first >= 0xf0 && first < 0xf5 ? 4 : 0;

	for (int i = 1; i < bytes; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return bytes;
}

/* Copies a text. What is no character of UTF-8, or a control character, becomes a question mark: names in traces may
 * be anything, and neither XML nor cairo takes it. */
static void copy_valid(char *copy, size_t room, const char *text)
{
	size_t count = 0;

	while (*text && count + 5 < room) {
		int bytes = (unsigned char)*text < ' ' || *text == 127 ? 0 : character_bytes(text);

		if (bytes == 0)
			copy[count++] = '?';
		for (int i = 0; i < bytes; i++)
			copy[count++] = text[i];
		text += bytes ? bytes : 1;
	}
	copy[count] = '\0';
}

/* Writes a text with what XML needs, at most so many characters. */
static void write_text(FILE *stream, const char *text, int most)
{
	for (; *text; text++) {
		if ((*text & 0xc0) != 0x80 && most-- <= 0)	/* the first byte of a character */
			return;
		switch (*text) {
		case '<': fputs("&lt;", stream); break;
		case '>': fputs("&gt;", stream); break;
		case '&': fputs("&amp;", stream); break;
		case '"': fputs("&quot;", stream); break;
		default: putc(*text, stream); break;
		}
	}
}

void fathom_canvas_text(struct fathom_canvas *canvas, double x, double y, double most_width,
			enum fathom_text_side side, const char *text)
{
	char copy[1024];

	copy_valid(copy, sizeof(copy), text);
	if (canvas->is_png) {
		fathom_png_text(&canvas->png, x, y, most_width, side == FATHOM_TEXT_RIGHT, copy);
		return;
	}
	fprintf(canvas->stream, "<text x=\"%.6g\" y=\"%.6g\"%s fill=\"#10151c\">", x, y,
		side == FATHOM_TEXT_RIGHT ? " text-anchor=\"end\"" : "");
	write_text(canvas->stream, copy, (int)(most_width / character_width));
	fputs("</text>\n", canvas->stream);
}

int fathom_canvas_end(struct fathom_canvas *canvas)
{
	if (canvas->is_png)
		return fathom_png_end(&canvas->png);
	fputs("</svg>\n", canvas->stream);
	return 0;
}
