#include "tools/timeline/painting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/timeline/canvas.h"
#include "tools/timeline/cell_colours.h"

static const uint32_t dark = 0x10151c, red = 0xc2001f, purple = 0x6f2da8;

enum { NAMES = FATHOM_PAINTING_NAMES, RIGHT = 10, TOP = 24, AXIS = 34 };
enum { CURVE_COLUMNS = FATHOM_PAINTING_CURVE_COLUMNS };
enum { LEGEND_LINE = 18, LEGEND_COLUMNS = 3, PIXELS_OF_ROWS = 480, LINES_MOST = 1500 };

/* --- parts of the picture -------------------------------------------------------------------------------- */

static double cell_width(const struct fathom_painting *painting)
{
	return (painting->width - NAMES - RIGHT) / painting->picture->columns;
}

static double row_height(const struct fathom_painting *painting)
{
	double height = PIXELS_OF_ROWS / (double)(painting->picture->row_count ? painting->picture->row_count : 1);

	return height < 3 ? 3 : height > 24 ? 24 : floor(height);
}

static void paint_row(struct fathom_canvas *canvas, const struct fathom_painting *painting,
		      const struct fathom_cell_colours *colours, uint32_t row)
{
	const struct fathom_trace_picture *picture = painting->picture;
	const uint32_t *cells = colours->cells + (size_t)row * picture->columns;
	double step = cell_width(painting), height = row_height(painting);
	uint32_t column, next;

	for (column = 0; column < picture->columns; column = next) {
		for (next = column + 1; next < picture->columns && cells[next] == cells[column]; next++)
			;
		if (cells[column] != FATHOM_NO_COLOUR)
			fathom_canvas_rectangle(canvas, NAMES + column * step, TOP + row * height,
						(next - column) * step, height - (height > 4), cells[column]);
	}
}

static void paint_names(struct fathom_canvas *canvas, const struct fathom_painting *painting)
{
	double height = row_height(painting);
	uint32_t every = (uint32_t)ceil(13 / height);
	char text[520];

	for (uint32_t row = 0; row < painting->picture->row_count; row += every) {
		fathom_trace_picture_row_name(painting->picture, painting->index, row, text, sizeof(text));
		fathom_canvas_text(canvas, 4, TOP + row * height + (height < 13 ? 11 : height / 2 + 4), NAMES - 10,
				   FATHOM_TEXT_LEFT, text);
	}
}

/* --- marks ----------------------------------------------------------------------------------------------- */

/* A row whose marks are being painted. */
struct marked_row {
	struct fathom_canvas *canvas;
	const struct fathom_painting *painting;
	double top, height;
	size_t count;			/* of marks */
};

static double place_of(const struct fathom_painting *painting, uint64_t time)
{
	const struct fathom_trace_picture *picture = painting->picture;

	return NAMES + cell_width(painting) * picture->columns * (double)(time - picture->from) /
	       (double)(picture->to - picture->from);
}

/* Paints waiting as a red strip in the lower part of the row. */
static void paint_wait(void *taker, const struct fathom_wait_mark *mark)
{
	struct marked_row *row = taker;
	double begin = place_of(row->painting, mark->longest.begin), end = place_of(row->painting, mark->longest.end);

	fathom_canvas_rectangle(row->canvas, begin, row->top + row->height * 0.65,
				end - begin > 0.5 ? end - begin : 0.5, row->height * 0.35, red);
	row->count++;
}

/* Paints the critical path as a dark line at the upper edge of the row. */
static void paint_path(void *taker, const struct fathom_wait_mark *mark)
{
	struct marked_row *row = taker;
	double begin = place_of(row->painting, mark->longest.begin), end = place_of(row->painting, mark->longest.end);

	fathom_canvas_rectangle(row->canvas, begin, row->top, end - begin > 0.5 ? end - begin : 0.5,
				row->height > 8 ? 2 : 1, dark);
	row->count++;
}

/* Paints the marks of all rows. Returns their number. */
static size_t paint_marks(struct fathom_canvas *canvas, const struct fathom_painting *painting)
{
	const struct fathom_trace_picture *picture = painting->picture;
	uint64_t finest = (picture->to - picture->from) / picture->columns;
	struct marked_row marked = { .canvas = canvas, .painting = painting };

	if (!painting->waits)
		return 0;
	marked.height = row_height(painting) - (row_height(painting) > 4);
	for (uint32_t row = 0; row < picture->row_count; row++) {
		marked.top = TOP + row * row_height(painting);
		fathom_wait_intervals_mark(painting->waits, picture->locations[row], false, picture->from, picture->to,
					   finest, paint_wait, &marked);
		fathom_wait_intervals_mark(painting->waits, picture->locations[row], true, picture->from, picture->to,
					   finest, paint_path, &marked);
	}
	return marked.count;
}

/* --- details --------------------------------------------------------------------------------------------- */

static bool is_in_picture(const struct fathom_painting *painting, uint64_t begin, uint64_t end)
{
	return begin < painting->picture->to && end >= painting->picture->from;
}

/* Returns the place of a time, which may be outside of the picture: then the nearest end. */
static double place_inside(const struct fathom_painting *painting, uint64_t time)
{
	const struct fathom_trace_picture *picture = painting->picture;

	return place_of(painting, time < picture->from ? picture->from : time > picture->to ? picture->to : time);
}

/* Paints a line for each message of the picture. Returns their number; 0: there are none, or too many. */
static size_t paint_messages(struct fathom_canvas *canvas, const struct fathom_painting *painting)
{
	const struct fathom_message_lines *messages = &painting->details->messages;
	double height = row_height(painting);
	size_t count = 0;

	for (size_t i = 0; i < messages->count; i++)
		count += is_in_picture(painting, messages->lines[i].send, messages->lines[i].receive);
	if (count > FATHOM_PAINTING_MESSAGES)
		return 0;
	for (size_t i = 0; i < messages->count; i++) {
		const struct fathom_message_line *line = &messages->lines[i];

		if (is_in_picture(painting, line->send, line->receive))
			fathom_canvas_line(canvas, place_inside(painting, line->send),
					   TOP + (line->from_row + 0.5) * height,
					   place_inside(painting, line->receive), TOP + (line->to_row + 0.5) * height,
					   1, dark, 0.75);
	}
	return count;
}

/* Paints each collective operation of the picture as a line through the rows of its members, where they began. */
static void paint_collectives(struct fathom_canvas *canvas, const struct fathom_painting *painting)
{
	const struct fathom_collective_lines *lines = &painting->details->collectives;
	const struct fathom_collective_member *members = lines->members;
	double height = row_height(painting);
	size_t count = 0;

	for (size_t i = 0; i < lines->count; i++)
		count += is_in_picture(painting, members[i].begin, members[i].end);
	for (size_t i = 1; i < lines->count && count <= FATHOM_PAINTING_MEMBERS; i++) {
		uint64_t first = members[i].begin < members[i - 1].begin ? members[i].begin : members[i - 1].begin;
		uint64_t last = members[i].begin < members[i - 1].begin ? members[i - 1].begin : members[i].begin;

		if (members[i].comm != members[i - 1].comm || members[i].number != members[i - 1].number ||
		    !is_in_picture(painting, first, last))
			continue;
		fathom_canvas_line(canvas, place_inside(painting, members[i - 1].begin),
				   TOP + (members[i - 1].row + 0.5) * height, place_inside(painting, members[i].begin),
				   TOP + (members[i].row + 0.5) * height, 2, purple, 0.8);
	}
}

/* Paints the curve of one row: least is at its lower edge, most at the upper one. */
static void paint_curve_row(struct fathom_canvas *canvas, const struct fathom_painting *painting, uint32_t row,
			    const double *values, double most)
{
	double height = row_height(painting), bottom = TOP + (row + 1) * height - 2, before = NAN;
	double step = (painting->width - NAMES - RIGHT) / CURVE_COLUMNS;

	for (uint32_t c = 0; c < CURVE_COLUMNS; c++) {
		double y = bottom - (most > 0 ? fmax(0, values[c]) / most : 0) * (height - 4);

		if (isnan(values[c])) {
			before = NAN;
			continue;
		}
		if (!isnan(before))
			fathom_canvas_line(canvas, NAMES + c * step, before, NAMES + c * step, y, 1.5, dark, 1);
		fathom_canvas_line(canvas, NAMES + c * step, y, NAMES + (c + 1) * step, y, 1.5, dark, 1);
		before = y;
	}
}

/* Paints the chosen curve over all rows, with one scale. Returns its largest value. */
static double paint_curve(struct fathom_canvas *canvas, const struct fathom_painting *painting)
{
	const struct fathom_trace_picture *picture = painting->picture;
	uint64_t resolution = painting->index->trace->defs.resolution;
	double *values = fathom_tool_alloc((size_t)picture->row_count * CURVE_COLUMNS + 1, sizeof(*values));
	double most = 0;

	for (uint32_t row = 0; row < picture->row_count; row++)
		if (!fathom_metric_curve_draw(painting->curve, row, picture->from, picture->to, CURVE_COLUMNS,
					      resolution ? (double)resolution : 1e9, values + row * CURVE_COLUMNS))
			values[row * CURVE_COLUMNS] = NAN;
	for (size_t i = 0; i < (size_t)picture->row_count * CURVE_COLUMNS; i++)
		if (values[i] > most)
			most = values[i];
	for (uint32_t row = 0; row < picture->row_count; row++)
		paint_curve_row(canvas, painting, row, values + row * CURVE_COLUMNS, most);
	free(values);
	return most;
}

/* Paints what the marks mean, to the left of the axis. */
static void paint_mark_legend(struct fathom_canvas *canvas, double bottom)
{
	fathom_canvas_rectangle(canvas, 4, bottom + 10, 14, 5, red);
	fathom_canvas_text(canvas, 22, bottom + 17, 50, FATHOM_TEXT_LEFT, "waits");
	fathom_canvas_rectangle(canvas, 62, bottom + 11, 14, 2, dark);
	fathom_canvas_text(canvas, 80, bottom + 17, 76, FATHOM_TEXT_LEFT, "critical path");
}

/* --- axis, legend, lines --------------------------------------------------------------------------------- */

static double seconds_at(const struct fathom_painting *painting, double part)
{
	const struct fathom_otf2_defs *defs = &painting->index->trace->defs;
	const struct fathom_trace_picture *picture = painting->picture;

	return fathom_otf2_seconds(defs, (double)picture->from - (double)defs->offset +
				   part * (double)(picture->to - picture->from));
}

static void paint_axis(struct fathom_canvas *canvas, const struct fathom_painting *painting, double bottom)
{
	double width = painting->width - NAMES - RIGHT;
	char text[64];

	for (int i = 0; i <= 4; i++) {
		double x = NAMES + width * i / 4;

		fathom_canvas_line(canvas, x, bottom, x, bottom + 5, 1, dark, 1);
		snprintf(text, sizeof(text), "%.6g s", seconds_at(painting, i / 4.0));
		fathom_canvas_text(canvas, x, bottom + 18, 120, i == 4 ? FATHOM_TEXT_RIGHT : FATHOM_TEXT_LEFT, text);
	}
	fathom_canvas_line(canvas, NAMES, bottom, NAMES + width, bottom, 1, dark, 1);
}

static void paint_legend(struct fathom_canvas *canvas, const struct fathom_painting *painting,
			 const struct fathom_cell_colours *colours, double top)
{
	double width = (painting->width - 8) / LEGEND_COLUMNS;

	for (size_t i = 0; i < colours->legend_count; i++) {
		double x = 4 + width * (double)(i % LEGEND_COLUMNS);
		double y = top + (double)(i / LEGEND_COLUMNS) * LEGEND_LINE;

		fathom_canvas_rectangle(canvas, x, y, 10, 10, colours->legend[i].colour);
		fathom_canvas_text(canvas, x + 15, y + 10, width - 20, FATHOM_TEXT_LEFT, colours->legend[i].text);
	}
}

static int by_messages(const void *a, const void *b)
{
	const struct fathom_picture_line *left = a, *right = b;

	return left->messages > right->messages ? -1 : left->messages < right->messages;
}

/* Paints lines of messages; of very many, those with the most messages. A line leads from the sender at the time of
 * sending to the receiver, a little to the right. Returns the number of lines. */
static size_t paint_lines(struct fathom_canvas *canvas, const struct fathom_painting *painting)
{
	const struct fathom_trace_picture *picture = painting->picture;
	size_t count = picture->line_count < LINES_MOST ? picture->line_count : LINES_MOST;
	double height = row_height(painting), step = cell_width(painting), lean = step * picture->columns / 80;

	if (!painting->has_messages || !picture->line_count)
		return 0;
	qsort(picture->lines, picture->line_count, sizeof(*picture->lines), by_messages);
	for (size_t i = 0; i < count; i++) {
		const struct fathom_picture_line *line = &picture->lines[i];
		double x = NAMES + (line->column + 0.5) * step;

		fathom_canvas_line(canvas, x, TOP + (line->from_row + 0.5) * height, x + lean,
				   TOP + (line->to_row + 0.5) * height, 0.6 + 0.2 * log2((double)line->messages + 1),
				   dark, 0.55);
	}
	return count;
}

/* What a picture has. */
struct painted {
	size_t lines, messages;		/* lines of several messages; single messages */
	double curve_most;
};

static void paint_title(struct fathom_canvas *canvas, const struct fathom_painting *painting,
			const struct painted *painted)
{
	const struct fathom_trace_picture *picture = painting->picture;
	struct fathom_preview_counts sum = { 0 };
	char text[600], bytes[FATHOM_NUMBER_BYTES];
	int length;

	for (uint32_t row = 0; row < picture->row_count; row++) {
		sum.events += picture->counts[row].events;
		sum.sends += picture->counts[row].sends;
		sum.bytes_sent += picture->counts[row].bytes_sent;
		sum.collectives += picture->counts[row].collectives;
	}
	length = snprintf(text, sizeof(text), "%" PRIu64 " events of %u thread%s", sum.events, picture->row_count,
			  picture->row_count == 1 ? "" : "s");
	if (picture->row_count < picture->thread_count)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " (of %u, evenly spread)",
				   picture->thread_count);
	if (sum.sends)
		length += snprintf(text + length, sizeof(text) - (size_t)length, "; %" PRIu64 " messages sent, %s",
				   sum.sends, fathom_number_bytes(bytes, (double)sum.bytes_sent));
	if (sum.collectives)
		length += snprintf(text + length, sizeof(text) - (size_t)length, "; %" PRIu64
				   " ends of collective operations", sum.collectives);
	if (painted->lines)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "; lines: messages of a 40th of the time%s",
				   painted->lines == picture->line_count ? "" : ", only the largest numbers");
	if (painting->kinds)
		length += snprintf(text + length, sizeof(text) - (size_t)length, "; colours: kinds of bursts");
	if (painting->curve)
		snprintf(text + length, sizeof(text) - (size_t)length, "; curve: %.60s, up to %.4g %.20s%s",
			 painting->curve->name, painted->curve_most, painting->curve->unit,
			 painting->curve->is_rate ? "/s" : "");
	fathom_canvas_text(canvas, 4, 15, painting->width - 8, FATHOM_TEXT_LEFT, text);
}

/* Paints collective operations, messages and the curve. Sets the numbers of lines and of single messages. */
static void paint_details(struct fathom_canvas *canvas, const struct fathom_painting *painting, struct painted *painted)
{
	bool is_known = painting->details && painting->details->is_known;

	if (is_known && painting->has_messages) {
		paint_collectives(canvas, painting);
		painted->messages = paint_messages(canvas, painting);
	}
	if (!painted->messages)
		painted->lines = paint_lines(canvas, painting);
	if (painting->curve)
		painted->curve_most = paint_curve(canvas, painting);
}

int fathom_painting_write(const struct fathom_painting *painting, FILE *stream)
{
	double bottom = TOP + painting->picture->row_count * row_height(painting);
	struct fathom_cell_colours colours;
	struct fathom_canvas canvas;
	struct painted painted = { .lines = 0 };
	size_t legend_lines;
	int err;

	if (painting->kinds)
		fathom_cell_colours_by_kind(&colours, painting->picture, &painting->kinds->kinds,
					    &painting->kinds->trace->defs);
	else
		fathom_cell_colours_by_region(&colours, painting->picture, painting->index);
	legend_lines = (colours.legend_count + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
	err = fathom_canvas_begin(&canvas, stream, painting->width,
				  bottom + AXIS + (double)legend_lines * LEGEND_LINE + 4, painting->is_png);
	if (!err) {
		for (uint32_t row = 0; row < painting->picture->row_count; row++)
			paint_row(&canvas, painting, &colours, row);
		if (paint_marks(&canvas, painting))
			paint_mark_legend(&canvas, bottom);
		paint_details(&canvas, painting, &painted);
		paint_names(&canvas, painting);
		paint_axis(&canvas, painting, bottom);
		paint_legend(&canvas, painting, &colours, bottom + AXIS);
		paint_title(&canvas, painting, &painted);
		err = fathom_canvas_end(&canvas);
	}
	fathom_cell_colours_fini(&colours);
	return err;
}
