#include "tools/serve/answers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/trace/detail_json.h"
#include "tools/common/trace/mark_json.h"
#include "tools/common/trace/trace_picture.h"
#include "tools/common/trace/trace_region.h"
#include "tools/common/trace/window_details.h"

enum { COLUMNS = FATHOM_SERVED_COLUMNS, REGIONS_MOST = 50, SUM_COLUMNS = 40 };

/* The messages and curves of traces with at most so many events are kept in memory; those of longer traces are read for
 * each window, and answers about messages are made of so many at most. */
enum { DETAILED_EVENTS_MOST = 500000, MATRIX_MESSAGES_MOST = 100000 };

/* An answer has the same size at most, whatever the length of the trace. */
static const struct fathom_detail_limits limits = { .messages = 1000, .members = 2000, .columns = 200,
						    .kind_columns = COLUMNS, .numbers = 100000 };

static const char damaged[] = "the index or the trace is damaged";

/* --- the trace ------------------------------------------------------------------------------------------- */

int fathom_served_trace_open(struct fathom_served_trace *trace, const char *anchor, struct fathom_comm *comm)
{
	int err = fathom_trace_frames_open(&trace->frames, anchor);

	if (err)
		return err;
	trace->comm = comm;
	fathom_trace_picture_choose_rows(&trace->rows, &trace->frames.index, NULL, FATHOM_SERVED_ROWS);
	if (comm->rank > 0)
		return 0;
	fathom_wait_intervals_read(&trace->waits, &trace->frames.trace);
	fathom_trace_details_read(&trace->details, anchor, &trace->rows, DETAILED_EVENTS_MOST);
	return 0;
}

void fathom_served_trace_close(struct fathom_served_trace *trace)
{
	fathom_trace_details_fini(&trace->details);
	fathom_wait_intervals_fini(&trace->waits);
	fathom_trace_picture_fini(&trace->rows);
	fathom_trace_frames_close(&trace->frames);
}

/* Makes the part of all processes. False: it cannot be made, and *error says why. */
static bool ask(struct fathom_served_trace *trace, const struct fathom_request *request, struct fathom_part *part,
		const char **error)
{
	fathom_workers_ask(trace->comm, &trace->frames, &trace->rows, request, part);
	if (part->err)
		*error = part->err == -E2BIG ? "the window has more than 20 million events; zoom in to search" :
			 damaged;
	return !part->err;
}

/* --- times and names ------------------------------------------------------------------------------------- */

static double seconds_of(const struct fathom_trace_frames *frames, uint64_t time)
{
	const struct fathom_otf2_defs *defs = &frames->trace.defs;

	return fathom_otf2_seconds(defs, (double)time - (double)defs->offset);
}

/* Sets the window in ticks. False: it is empty. */
static bool find_window(const struct fathom_trace_frames *frames, double from, double to, uint64_t *begin,
			uint64_t *end)
{
	const struct fathom_otf2_defs *defs = &frames->trace.defs;
	double per_second = defs->resolution ? (double)defs->resolution : 1e9, length = (double)defs->length;

	from = fmax(0, fmin(from * per_second, length));
	to = fmax(0, fmin(to * per_second, length));
	*begin = defs->offset + (uint64_t)from;
	*end = defs->offset + (uint64_t)ceil(to);
	return *begin < *end;
}

/* Returns the number of a path in answers: those of the index from the first region on. */
static int64_t node_of(uint32_t path)
{
	return path == FATHOM_PICTURE_EMPTY || path == FATHOM_PATH_NOTHING ? -1 : (int64_t)path - FATHOM_PATH_SEVERAL;
}

/* --- pictures -------------------------------------------------------------------------------------------- */

static json_t *describe_cells(const struct fathom_part *part)
{
	json_t *rows = json_array();

	for (size_t first = 0; first < part->cell_count; first += COLUMNS) {
		const uint32_t *cells = part->cells + first;
		json_t *runs = json_array();

		for (uint32_t column = 0, next; column < COLUMNS; column = next) {
			for (next = column + 1; next < COLUMNS && cells[next] == cells[column]; next++)
				;
			json_array_append_new(runs, json_integer(node_of(cells[column])));
			json_array_append_new(runs, json_integer(next - column));
		}
		json_array_append_new(rows, runs);
	}
	return rows;
}

/* Returns the details of a window: those in memory, or what is read into own, which the caller releases. */
static const struct fathom_trace_details *details_of(struct fathom_served_trace *trace, uint64_t from, uint64_t to,
						     const struct fathom_window_limits *window_limits,
						     struct fathom_trace_details *own)
{
	memset(own, 0, sizeof(*own));
	if (trace->details.is_known)
		return &trace->details;
	fathom_window_details_read(own, &trace->frames.index, &trace->rows, from, to, window_limits);
	return own;
}

static json_t *describe_details(struct fathom_served_trace *trace, uint64_t from, uint64_t to)
{
	struct fathom_window_limits window_limits = { .messages = limits.messages, .members = limits.members,
		.columns = limits.columns, .has_channels = true, .has_curves = true };
	struct fathom_trace_details own;
	const struct fathom_trace_details *details = details_of(trace, from, to, &window_limits, &own);
	struct fathom_trace_picture sums = { .row_count = trace->rows.row_count };
	bool has_sums;
	json_t *object;

	/* The lines of a coarse picture say how many messages there were. */
	sums.locations = fathom_tool_alloc(sums.row_count + (size_t)1, sizeof(*sums.locations));
	memcpy(sums.locations, trace->rows.locations, sums.row_count * sizeof(*sums.locations));
	has_sums = !fathom_trace_picture_draw(&sums, &trace->frames.index, from, to, SUM_COLUMNS, 0);
	object = fathom_detail_json(details, has_sums ? &sums : NULL, from, to, &limits);
	fathom_trace_picture_fini(&sums);
	fathom_trace_details_fini(&own);
	return object;
}

/* Returns the answer about a window; the caller adds more for the whole trace. */
static json_t *draw_window(struct fathom_served_trace *trace, uint64_t from, uint64_t to, const char **error)
{
	struct fathom_request request = { .kind = FATHOM_REQUEST_WINDOW, .from = from, .to = to };
	struct fathom_trace_frames *frames = &trace->frames;
	struct fathom_part part;
	json_t *answer = NULL;

	if (ask(trace, &request, &part, error))
		answer = json_pack("{s:f, s:f, s:o, s:o, s:o}", "begin", seconds_of(frames, from), "end",
				   seconds_of(frames, to), "cells", describe_cells(&part), "marks",
				   fathom_mark_json(&trace->waits, &trace->rows, &frames->index, from, to,
						    (to - from) / COLUMNS),
				   "details", describe_details(trace, from, to));
	fathom_part_fini(&part);
	return answer;
}

json_t *fathom_answer_window(struct fathom_served_trace *trace, double from, double to, const char **error)
{
	uint64_t begin, end;

	if (find_window(&trace->frames, from, to, &begin, &end))
		return draw_window(trace, begin, end, error);
	*error = "nothing is between these times";
	return NULL;
}

static void add_names(json_t *answer, const struct fathom_trace_frames *frames)
{
	const struct fathom_otf2_defs *defs = &frames->trace.defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_REGION);
	json_t *names = json_array(), *paradigms = json_array(), *regions = json_array(), *parents = json_array();

	for (size_t r = 0; r < count; r++) {
		struct fathom_cube_region words =
			fathom_otf2_region_words(&frames->trace, fathom_otf2_at(defs, FATHOM_OTF2_REGION, r));

		json_array_append_new(names, fathom_json_text(words.name));
		json_array_append_new(paradigms, fathom_json_text(words.paradigm));
	}
	json_array_append_new(names, json_string("several regions"));
	json_array_append_new(paradigms, json_string("unknown"));
	for (uint32_t p = FATHOM_PATH_SEVERAL; p < frames->index.paths.count; p++) {
		const struct fathom_path *path = &frames->index.paths.paths[p];

		json_array_append_new(regions, json_integer(fathom_served_region(frames, p)));
		json_array_append_new(parents, json_integer(path->depth > 1 ? node_of(path->parent) : -1));
	}
	json_object_set_new(answer, "regions", json_pack("{s:o, s:o}", "name", names, "paradigm", paradigms));
	json_object_set_new(answer, "nodes", json_pack("{s:o, s:o}", "region", regions, "parent", parents));
}

json_t *fathom_answer_trace(struct fathom_served_trace *trace, const char **error)
{
	struct fathom_trace_frames *frames = &trace->frames;
	const struct fathom_otf2_defs *defs = &frames->trace.defs;
	uint64_t ticks = defs->length ? defs->length : 1;
	const struct fathom_trace_picture *picture = &trace->rows;
	uint64_t from, to;
	json_t *answer;
	json_t *rows = json_array();
	char name[520];

	fathom_frame_index_range(&frames->index, &from, &to);
	answer = draw_window(trace, from, to, error);
	for (uint32_t r = 0; answer && r < picture->row_count; r++) {
		fathom_trace_picture_row_name(picture, &frames->index, r, name, sizeof(name));
		json_array_append_new(rows, fathom_json_text(name));
	}
	if (answer) {
		fathom_json_set_text(answer, "name", frames->trace.anchor);
		json_object_set_new(answer, "length", json_real(fathom_otf2_seconds(defs, (double)ticks)));
		json_object_set_new(answer, "ticks", json_integer((json_int_t)ticks));
		json_object_set_new(answer, "ticks_a_second",
				    json_integer((json_int_t)(defs->resolution ? defs->resolution : 1000000000)));
		json_object_set_new(answer, "columns", json_integer(COLUMNS));
		json_object_set_new(answer, "threads", json_integer(picture->thread_count));
		json_object_set(answer, "rows", rows);
		add_names(answer, frames);
	}
	json_decref(rows);
	return answer;
}

/* --- summary --------------------------------------------------------------------------------------------- */

struct region_ticks {
	int64_t region;
	uint64_t ticks;
};

static int by_ticks(const void *a, const void *b)
{
	const struct region_ticks *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks > right->ticks ? -1 : 1;
	return left->region < right->region ? -1 : left->region > right->region;
}

static json_t *describe_regions(const struct fathom_trace_frames *frames, const struct fathom_part *part)
{
	struct region_ticks *regions = fathom_tool_alloc(part->region_count, sizeof(*regions));
	json_t *list = json_array();

	for (size_t r = 0; r < part->region_count; r++)
		regions[r] = (struct region_ticks){ (int64_t)r, part->ticks[r] };
	qsort(regions, part->region_count, sizeof(*regions), by_ticks);
	for (size_t r = 0; r < part->region_count && r < REGIONS_MOST && regions[r].ticks; r++) {
		json_t *region = json_object();

		fathom_json_set_text(region, "name", fathom_served_region_name(frames, regions[r].region));
		json_object_set_new(region, "seconds",
				    json_real(fathom_otf2_seconds(&frames->trace.defs, (double)regions[r].ticks)));
		json_array_append_new(list, region);
	}
	free(regions);
	return list;
}

json_t *fathom_answer_summary(struct fathom_served_trace *trace, double from, double to, const char **error)
{
	struct fathom_request request = { .kind = FATHOM_REQUEST_SUMMARY };
	struct fathom_part part;
	json_t *answer = NULL;

	if (!find_window(&trace->frames, from, to, &request.from, &request.to)) {
		*error = "nothing is between these times";
		return NULL;
	}
	if (ask(trace, &request, &part, error))
		answer = json_pack("{s:I, s:I, s:I, s:I, s:o}", "events", (json_int_t)part.counts.events, "messages",
				   (json_int_t)part.counts.sends, "bytes", (json_int_t)part.counts.bytes_sent,
				   "collectives", (json_int_t)part.counts.collectives, "regions",
				   describe_regions(&trace->frames, &part));
	fathom_part_fini(&part);
	return answer;
}

/* --- search ---------------------------------------------------------------------------------------------- */

json_t *fathom_answer_search(struct fathom_served_trace *trace, double from, double to, const char *text,
			     const char **error)
{
	struct fathom_request request = { .kind = FATHOM_REQUEST_SEARCH };
	struct fathom_part part;
	json_t *list;

	if (!find_window(&trace->frames, from, to, &request.from, &request.to)) {
		*error = "nothing is between these times";
		return NULL;
	}
	if (strlen(text) >= sizeof(request.text)) {
		*error = "region is longer than 1023 bytes";
		return NULL;
	}
	strcpy(request.text, text);
	if (!ask(trace, &request, &part, error)) {
		fathom_part_fini(&part);
		return NULL;
	}
	list = json_array();
	for (uint32_t i = 0; i < part.visit_count; i++)
		json_array_append_new(list, json_pack("{s:i, s:I, s:f, s:f}", "row", (int)part.visits[i].row,
			"region", (json_int_t)fathom_served_region(&trace->frames, part.visits[i].path),
			"begin", seconds_of(&trace->frames, part.visits[i].begin),
			"end", seconds_of(&trace->frames, part.visits[i].end)));
	fathom_part_fini(&part);
	return json_pack("{s:o}", "visits", list);
}

/* --- messages -------------------------------------------------------------------------------------------- */

/* Returns the messages of a window; own is what was read for them, which the caller releases. NULL, and *error is set:
 * the window has too many. */
static const struct fathom_message_lines *find_messages(struct fathom_served_trace *trace, const uint64_t window[2],
							struct fathom_trace_details *own, const char **error)
{
	static const struct fathom_window_limits window_limits = { .messages = MATRIX_MESSAGES_MOST,
								    .has_channels = true };
	const struct fathom_trace_details *details = details_of(trace, window[0], window[1], &window_limits, own);

	if (details->is_known && !details->messages.has_too_many)
		return &details->messages;
	*error = details->is_known ? "the window has too many messages; zoom in" : damaged;
	fathom_trace_details_fini(own);
	return NULL;
}

json_t *fathom_answer_messages(struct fathom_served_trace *trace, double from, double to, const char **error)
{
	const struct fathom_message_lines *messages = NULL;
	struct fathom_trace_details own;
	uint64_t window[2], count = 0;
	json_t *list;

	if (!find_window(&trace->frames, from, to, &window[0], &window[1]))
		*error = "nothing is between these times";
	else
		messages = find_messages(trace, window, &own, error);
	if (!messages)
		return NULL;
	list = json_array();
	for (size_t i = 0; i < messages->count && messages->lines[i].send < window[1]; i++) {
		const struct fathom_message_line *line = &messages->lines[i];

		if (line->send >= window[0] && count++ < limits.messages)
			json_array_append_new(list, json_pack("{s:I, s:I, s:f, s:f, s:I}", "from",
				(json_int_t)line->from_row, "to", (json_int_t)line->to_row,
				"send", seconds_of(&trace->frames, line->send),
				"receive", seconds_of(&trace->frames, line->receive),
				"bytes", (json_int_t)line->bytes));
	}
	fathom_trace_details_fini(&own);
	return json_pack("{s:I, s:o}", "count", (json_int_t)count, "messages", list);
}

json_t *fathom_answer_matrix(struct fathom_served_trace *trace, double from, double to, const char **error)
{
	const struct fathom_message_lines *messages = NULL;
	uint32_t rows = trace->rows.row_count;
	struct fathom_trace_details own;
	uint64_t window[2], (*sums)[2];	/* by sender and receiver: messages, bytes */
	json_t *pairs;

	if (!find_window(&trace->frames, from, to, &window[0], &window[1]))
		*error = "nothing is between these times";
	else
		messages = find_messages(trace, window, &own, error);
	if (!messages)
		return NULL;
	sums = fathom_tool_alloc((size_t)rows * rows + 1, sizeof(*sums));
	for (size_t i = 0; i < messages->count && messages->lines[i].send < window[1]; i++) {
		const struct fathom_message_line *line = &messages->lines[i];
		uint64_t *sum = sums[(size_t)line->from_row * rows + line->to_row];

		sum[0] += line->send >= window[0];
		sum[1] += line->send >= window[0] ? line->bytes : 0;
	}
	pairs = json_array();
	for (size_t i = 0; i < (size_t)rows * rows; i++)
		if (sums[i][0])
			json_array_append_new(pairs, json_pack("{s:I, s:I, s:I, s:I}", "from", (json_int_t)(i / rows),
				"to", (json_int_t)(i % rows), "messages", (json_int_t)sums[i][0],
				"bytes", (json_int_t)sums[i][1]));
	free(sums);
	fathom_trace_details_fini(&own);
	return json_pack("{s:o}", "pairs", pairs);
}
