#include "tools/timeline/painting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/timeline/canvas.h"

/* Okabe and Ito's palette, which colour-blind readers can tell apart, as in the page of fathom view: for the regions
 * with most cells. All others are grey. */
static const uint32_t palette[] = { 0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7 };
static const uint32_t grey = 0x8a929c, dark = 0x10151c, red = 0xc2001f;

enum { COLOURS = sizeof(palette) / sizeof(*palette), NAMES = FATHOM_PAINTING_NAMES, RIGHT = 10, TOP = 24, AXIS = 34 };
enum { LEGEND_LINE = 18, LEGEND_COLUMNS = 3, PIXELS_OF_ROWS = 480, LINES_MOST = 1500 };

struct region_cells {
	uint32_t region;		/* id */
	uint64_t cells;
};

struct colours {
	struct region_cells *regions;	/* the most cells first */
	size_t count, room;
	uint64_t cells;			/* in all regions */
};

/* --- colours --------------------------------------------------------------------------------------------- */

static int by_cells(const void *a, const void *b)
{
	const struct region_cells *left = a, *right = b;

	if (left->cells != right->cells)
		return left->cells > right->cells ? -1 : 1;
	return left->region < right->region ? -1 : left->region > right->region;
}

static void count_cell(struct colours *colours, uint32_t region)
{
	size_t i;

	for (i = 0; i < colours->count && colours->regions[i].region != region; i++)
		;
	if (i == colours->count) {
		colours->regions = fathom_tool_grow(colours->regions, i, &colours->room, sizeof(*colours->regions));
		colours->regions[colours->count++] = (struct region_cells){ region, 0 };
	}
	colours->regions[i].cells++;
	colours->cells++;
}

static void choose_colours(struct colours *colours, const struct fathom_painting *painting)
{
	const struct fathom_trace_picture *picture = painting->picture;

	for (size_t i = 0; i < (size_t)picture->row_count * picture->columns; i++)
		if (picture->cells[i] != FATHOM_PICTURE_EMPTY && picture->cells[i] != FATHOM_PATH_NOTHING)
			count_cell(colours, painting->index->paths.paths[picture->cells[i]].region);
	if (colours->count)
		qsort(colours->regions, colours->count, sizeof(*colours->regions), by_cells);
}

static uint32_t colour_of(const struct colours *colours, uint32_t region)
{
	for (size_t i = 0; i < colours->count && i < COLOURS; i++)
		if (colours->regions[i].region == region)
			return palette[i];
	return grey;
}

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
		      const struct colours *colours, uint32_t row)
{
	const struct fathom_trace_picture *picture = painting->picture;
	const uint32_t *cells = picture->cells + (size_t)row * picture->columns;
	double step = cell_width(painting), height = row_height(painting);
	uint32_t column, next;

	for (column = 0; column < picture->columns; column = next) {
		uint32_t region = cells[column] == FATHOM_PICTURE_EMPTY ? UINT32_MAX :
				  painting->index->paths.paths[cells[column]].region;

		for (next = column + 1; next < picture->columns; next++)
			if (cells[next] != cells[column] &&
			    (cells[next] == FATHOM_PICTURE_EMPTY || cells[column] == FATHOM_PICTURE_EMPTY ||
			     painting->index->paths.paths[cells[next]].region != region))
				break;
		if (cells[column] == FATHOM_PICTURE_EMPTY || cells[column] == FATHOM_PATH_NOTHING)
			continue;
		fathom_canvas_rectangle(canvas, NAMES + column * step, TOP + row * height, (next - column) * step,
					height - (height > 4), colour_of(colours, region));
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
			 const struct colours *colours, double top)
{
	double width = (painting->width - 8) / LEGEND_COLUMNS;
	char text[300], name[200], share[FATHOM_NUMBER_BYTES];

	for (size_t i = 0; i < colours->count && i <= COLOURS; i++) {
		double x = 4 + width * (double)(i % LEGEND_COLUMNS);
		double y = top + (double)(i / LEGEND_COLUMNS) * LEGEND_LINE;
		uint64_t cells = colours->regions[i].cells;

		snprintf(name, sizeof(name), "several regions");
		if (colours->regions[i].region != UINT32_MAX)
			fathom_otf2_name(&painting->index->trace->defs, FATHOM_OTF2_REGION, colours->regions[i].region,
					 name, sizeof(name));
		if (i == COLOURS) {	/* the last entry is for all others */
			for (size_t other = i + 1; other < colours->count; other++)
				cells += colours->regions[other].cells;
			snprintf(name, sizeof(name), "other regions");
		}
		snprintf(text, sizeof(text), "%s %s", fathom_number_percent(share, (double)cells,
			 (double)colours->cells), name);
		fathom_canvas_rectangle(canvas, x, y, 10, 10, i < COLOURS ? palette[i] : grey);
		fathom_canvas_text(canvas, x + 15, y + 10, width - 20, FATHOM_TEXT_LEFT, text);
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

static void paint_title(struct fathom_canvas *canvas, const struct fathom_painting *painting, size_t lines)
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
	if (lines)
		snprintf(text + length, sizeof(text) - (size_t)length,
			 "; lines: messages of a 40th of the time%s",
			 lines == picture->line_count ? "" : ", only the largest numbers");
	fathom_canvas_text(canvas, 4, 15, painting->width - 8, FATHOM_TEXT_LEFT, text);
}

int fathom_painting_write(const struct fathom_painting *painting, FILE *stream)
{
	double bottom = TOP + painting->picture->row_count * row_height(painting);
	struct colours colours = { .regions = NULL };
	struct fathom_canvas canvas;
	size_t legend_lines, lines;
	int err;

	choose_colours(&colours, painting);
	legend_lines = colours.count > COLOURS ? COLOURS + 1 : colours.count;
	legend_lines = (legend_lines + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
	err = fathom_canvas_begin(&canvas, stream, painting->width,
				  bottom + AXIS + (double)legend_lines * LEGEND_LINE + 4, painting->is_png);
	if (!err) {
		for (uint32_t row = 0; row < painting->picture->row_count; row++)
			paint_row(&canvas, painting, &colours, row);
		if (paint_marks(&canvas, painting))
			paint_mark_legend(&canvas, bottom);
		lines = paint_lines(&canvas, painting);
		paint_names(&canvas, painting);
		paint_axis(&canvas, painting, bottom);
		paint_legend(&canvas, painting, &colours, bottom + AXIS);
		paint_title(&canvas, painting, lines);
		err = fathom_canvas_end(&canvas);
	}
	free(colours.regions);
	return err;
}
