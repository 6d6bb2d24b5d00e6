#include "tools/common/trace/trace_picture.h"

#include <stdlib.h>
#include <string.h>

#include "frames/frame_window.h"
#include "tools/common/command.h"

/* Messages are counted for lines by intervals of a 40th of the picture. */
enum { LINE_INTERVALS = 40 };

/* A row with at most so many events for each of its cells is drawn from the events. Other cells are drawn from
 * intervals that are so many times shorter. */
enum { EXACT_EVENTS = 16, INTERVALS_OF_CELL = 4 };

/* The cell that is being filled. */
struct cell {
	uint32_t column, count;
	uint32_t paths[32];		/* further paths of a cell are not counted */
	double ticks[32];
};

struct drawing {
	struct fathom_trace_picture *picture;
	const struct fathom_frame_index *index;
	uint32_t row, depth;
	double column_ticks;
	struct cell cell;
	int64_t *row_of_process;	/* first row; -1: it has none */
	struct fathom_tally line_tally;	/* messages of the present interval of lines */
	uint32_t line_interval;
};

/* --- rows ------------------------------------------------------------------------------------------------ */

void fathom_trace_picture_choose_rows(struct fathom_trace_picture *picture, const struct fathom_frame_index *index,
				      const bool *processes, uint32_t most)
{
	const struct fathom_otf2_defs *defs = &index->trace->defs;
	uint32_t *threads = fathom_tool_alloc(index->location_count + (size_t)1, sizeof(*threads));

	for (uint32_t l = 0; l < index->location_count; l++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l);
		bool is_chosen = !processes || (location->process != UINT32_MAX && processes[location->process]);

		if (is_chosen && index->locations[l].level && location->type == OTF2_LOCATION_TYPE_CPU_THREAD)
			threads[picture->thread_count++] = l;
	}
	picture->row_count = picture->thread_count < most ? picture->thread_count : most;
	picture->locations = fathom_tool_alloc(picture->row_count + (size_t)1, sizeof(*picture->locations));
	for (uint32_t r = 0; r < picture->row_count; r++)
		picture->locations[r] = threads[(uint64_t)r * picture->thread_count / picture->row_count];
	free(threads);
}

void fathom_trace_picture_location_name(const struct fathom_frame_index *index, uint32_t location, char *text,
					size_t bytes)
{
	const struct fathom_otf2_defs *defs = &index->trace->defs;
	const struct fathom_otf2_location *thread =
		fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, location);
	const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, thread->process);
	char of_process[256] = "", of_thread[256];

	if (process)
		fathom_otf2_name(defs, FATHOM_OTF2_PROCESS, process->id, of_process, sizeof(of_process));
	fathom_otf2_name(defs, FATHOM_OTF2_LOCATION, thread->id, of_thread, sizeof(of_thread));
	snprintf(text, bytes, "%s%s%s", of_process, *of_process ? " " : "", of_thread);
}

void fathom_trace_picture_row_name(const struct fathom_trace_picture *picture, const struct fathom_frame_index *index,
				   uint32_t row, char *text, size_t bytes)
{
	fathom_trace_picture_location_name(index, picture->locations[row], text, bytes);
}

/* --- cells ----------------------------------------------------------------------------------------------- */

/* Completes the present cell, and begins one at a column. */
static void begin_cell(struct drawing *drawing, uint32_t column)
{
	struct fathom_trace_picture *picture = drawing->picture;
	struct cell *cell = &drawing->cell;
	uint32_t best = 0;

	for (uint32_t i = 1; i < cell->count; i++)
		if (cell->ticks[i] > cell->ticks[best])
			best = i;
	if (cell->count)
		picture->cells[(size_t)drawing->row * picture->columns + cell->column] = cell->paths[best];
	cell->column = column;
	cell->count = 0;
}

static void add_to_cell(struct cell *cell, uint32_t path, double ticks)
{
	const uint32_t most = sizeof(cell->paths) / sizeof(*cell->paths);
	uint32_t i;

	for (i = 0; i < cell->count && cell->paths[i] != path; i++)
		;
	if (i == most)
		return;
	if (i == cell->count) {
		cell->paths[cell->count++] = path;
		cell->ticks[i] = 0;
	}
	cell->ticks[i] += ticks;
}

/* Adds the shares of an interval to one column, of which it takes that part of its time. */
static void add_shares(struct drawing *drawing, const struct fathom_preview *preview, double part)
{
	for (uint32_t i = 0; i < preview->share_count; i++) {
		uint32_t path = preview->shares[i].path;

		if (drawing->depth)
			path = fathom_path_at_depth(&drawing->index->paths, path, drawing->depth);
		add_to_cell(&drawing->cell, path, part * (double)preview->shares[i].ticks);
	}
}

static void fill_cells(struct drawing *drawing, const struct fathom_preview *preview)
{
	const struct fathom_trace_picture *picture = drawing->picture;
	double begin = preview->begin > picture->from ? (double)(preview->begin - picture->from) : 0;
	double end = (double)((preview->end < picture->to ? preview->end : picture->to) - picture->from);
	double length = (double)(preview->end - preview->begin);
	uint32_t column = (uint32_t)(begin / drawing->column_ticks);

	for (; column < picture->columns && begin < end; column++) {
		double next = (column + 1) * drawing->column_ticks;

		if (column != drawing->cell.column)
			begin_cell(drawing, column);
		if (next > end)
			next = end;
		if (next > begin)
			add_shares(drawing, preview, (next - begin) / length);
		begin = next > begin ? next : begin;
	}
}

/* --- messages -------------------------------------------------------------------------------------------- */

static void add_lines(struct drawing *drawing)
{
	struct fathom_trace_picture *picture = drawing->picture;
	const struct fathom_tally *tally = &drawing->line_tally;

	for (uint32_t i = 0; i < tally->partner_count; i++) {
		int64_t row = drawing->row_of_process[tally->partners[i].process];

		if (row < 0 || row == drawing->row)
			continue;
		picture->lines = fathom_tool_grow(picture->lines, picture->line_count, &picture->line_room,
						  sizeof(*picture->lines));
		picture->lines[picture->line_count++] = (struct fathom_picture_line){
			drawing->row, (uint32_t)row,
			(uint32_t)((drawing->line_interval + 0.5) * picture->columns / LINE_INTERVALS),
			tally->partners[i].messages,
			(uint64_t)((double)tally->counts.bytes_sent * (double)tally->partners[i].messages /
				   (double)tally->counts.sends) };
	}
	fathom_tally_clear(&drawing->line_tally);
}

static void count_messages(struct drawing *drawing, const struct fathom_preview *preview)
{
	const struct fathom_trace_picture *picture = drawing->picture;
	uint64_t middle = preview->begin + (preview->end - preview->begin) / 2;
	uint32_t interval;

	if (middle < picture->from || middle >= picture->to)
		return;
	interval = (uint32_t)(LINE_INTERVALS * (double)(middle - picture->from) /
			      (double)(picture->to - picture->from));
	if (interval != drawing->line_interval)
		add_lines(drawing);
	drawing->line_interval = interval;
	drawing->line_tally.counts.sends += preview->counts.sends;
	drawing->line_tally.counts.bytes_sent += preview->counts.bytes_sent;
	for (uint32_t i = 0; i < preview->partner_count; i++)
		fathom_tally_add_partner(&drawing->line_tally, preview->partners[i].process,
					 preview->partners[i].messages);
}

/* --- drawing --------------------------------------------------------------------------------------------- */

static void take_interval(void *taker, const struct fathom_preview *preview)
{
	struct drawing *drawing = taker;

	count_messages(drawing, preview);
	if (preview->end > drawing->picture->from && preview->end > preview->begin)
		fill_cells(drawing, preview);
}

static int draw_row(struct drawing *drawing, struct fathom_frame_index *index)
{
	struct fathom_trace_picture *picture = drawing->picture;
	uint32_t location = picture->locations[drawing->row];
	uint64_t finest = (uint64_t)(drawing->column_ticks / INTERVALS_OF_CELL);
	struct fathom_tally tally = { 0 };
	int err = fathom_frame_window_sum(index, location, picture->from, picture->to, &tally);

	picture->counts[drawing->row] = tally.counts;
	if (tally.counts.events <= (uint64_t)EXACT_EVENTS * picture->columns)
		finest = 0;
	fathom_tally_fini(&tally);
	if (!err)
		err = fathom_frame_window_read(index, location, picture->from, picture->to, finest, take_interval,
					       drawing);
	begin_cell(drawing, 0);
	add_lines(drawing);
	return err;
}

int fathom_trace_picture_draw(struct fathom_trace_picture *picture, struct fathom_frame_index *index, uint64_t from,
			      uint64_t to, uint32_t columns, uint32_t depth)
{
	struct drawing drawing = { .picture = picture, .index = index, .depth = depth,
				   .column_ticks = (double)(to - from) / columns };
	size_t cells = (size_t)picture->row_count * columns;
	size_t processes = fathom_otf2_count(&index->trace->defs, FATHOM_OTF2_PROCESS);
	int err = 0;

	picture->from = from;
	picture->to = to;
	picture->columns = columns;
	picture->cells = fathom_tool_alloc(cells + 1, sizeof(*picture->cells));
	memset(picture->cells, -1, cells * sizeof(*picture->cells));
	picture->counts = fathom_tool_alloc(picture->row_count + (size_t)1, sizeof(*picture->counts));
	drawing.row_of_process = fathom_tool_alloc(processes + 1, sizeof(*drawing.row_of_process));
	memset(drawing.row_of_process, -1, processes * sizeof(*drawing.row_of_process));
	for (uint32_t r = picture->row_count; r-- > 0; ) {
		const struct fathom_otf2_location *location =
			fathom_otf2_at(&index->trace->defs, FATHOM_OTF2_LOCATION, picture->locations[r]);

		if (location->process != UINT32_MAX)
			drawing.row_of_process[location->process] = r;
	}
	for (drawing.row = 0; drawing.row < picture->row_count && !err; drawing.row++)
		err = draw_row(&drawing, index);
	free(drawing.row_of_process);
	fathom_tally_fini(&drawing.line_tally);
	return err;
}

void fathom_trace_picture_fini(struct fathom_trace_picture *picture)
{
	free(picture->locations);
	free(picture->cells);
	free(picture->counts);
	free(picture->lines);
	memset(picture, 0, sizeof(*picture));
}
