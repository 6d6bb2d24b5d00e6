#include "tools/serve/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frames/frame_window.h"
#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/trace/detail_json.h"
#include "tools/common/trace/mark_json.h"
#include "tools/common/trace/trace_picture.h"
#include "tools/common/trace/trace_region.h"

/* A search in more events than this is refused: it would take more than about a second. */
enum { ROWS_MOST = 64, COLUMNS = 1000, SEARCHED_MOST = 20000000, VISITS_MOST = 100, REGIONS_MOST = 50 };

/* The messages and curves of traces with at most so many events are kept in memory. */
enum { DETAILED_EVENTS_MOST = 10000000 };

/* An answer has the same size at most, whatever the length of the trace. */
static const struct fathom_detail_limits limits = { .messages = 1000, .members = 2000, .columns = 200,
						    .numbers = 100000 };

static const char damaged[] = "the index or the trace is damaged";

/* --- the trace ------------------------------------------------------------------------------------------- */

int fathom_served_trace_open(struct fathom_served_trace *trace, const char *anchor)
{
	struct fathom_trace_picture picture = { .row_count = 0 };
	int err = fathom_trace_frames_open(&trace->frames, anchor);

	if (err)
		return err;
	fathom_wait_intervals_read(&trace->waits, &trace->frames.trace);
	fathom_trace_picture_choose_rows(&picture, &trace->frames.index, NULL, ROWS_MOST);
	fathom_trace_details_read(&trace->details, anchor, &picture, DETAILED_EVENTS_MOST);
	fathom_trace_picture_fini(&picture);
	return 0;
}

void fathom_served_trace_close(struct fathom_served_trace *trace)
{
	fathom_trace_details_fini(&trace->details);
	fathom_wait_intervals_fini(&trace->waits);
	fathom_trace_frames_close(&trace->frames);
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

/* Returns the number of a region in answers: its index; the number of regions stands for several of them. */
static int64_t region_of(const struct fathom_trace_frames *frames, uint32_t path)
{
	const struct fathom_otf2_defs *defs = &frames->trace.defs;
	int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_REGION, frames->index.paths.paths[path].region);

	return index < 0 ? (int64_t)fathom_otf2_count(defs, FATHOM_OTF2_REGION) : index;
}

static const char *region_name(const struct fathom_trace_frames *frames, int64_t region)
{
	const struct fathom_otf2_region *definition = fathom_otf2_at(&frames->trace.defs, FATHOM_OTF2_REGION,
								     (uint64_t)region);

	return definition ? fathom_otf2_text(&frames->trace.defs, definition->name) : "several regions";
}

/* --- pictures -------------------------------------------------------------------------------------------- */

static json_t *describe_cells(const struct fathom_trace_picture *picture)
{
	json_t *rows = json_array();

	for (uint32_t r = 0; r < picture->row_count; r++) {
		const uint32_t *cells = picture->cells + (size_t)r * picture->columns;
		json_t *runs = json_array();

		for (uint32_t column = 0, next; column < picture->columns; column = next) {
			for (next = column + 1; next < picture->columns && cells[next] == cells[column]; next++)
				;
			json_array_append_new(runs, json_integer(node_of(cells[column])));
			json_array_append_new(runs, json_integer(next - column));
		}
		json_array_append_new(rows, runs);
	}
	return rows;
}

/* Returns the answer about a window; the caller adds more for the whole trace. */
static json_t *draw_window(struct fathom_served_trace *trace, struct fathom_trace_picture *picture, uint64_t from,
			   uint64_t to, const char **error)
{
	struct fathom_trace_frames *frames = &trace->frames;

	fathom_trace_picture_choose_rows(picture, &frames->index, NULL, ROWS_MOST);
	if (fathom_trace_picture_draw(picture, &frames->index, from, to, COLUMNS, 0)) {
		*error = damaged;
		return NULL;
	}
	return json_pack("{s:f, s:f, s:o, s:o, s:o}", "begin", seconds_of(frames, from), "end", seconds_of(frames, to),
			 "cells", describe_cells(picture), "marks",
			 fathom_mark_json(&trace->waits, picture, &frames->index, from, to, (to - from) / COLUMNS),
			 "details", fathom_detail_json(&trace->details, from, to, &limits));
}

json_t *fathom_answer_window(struct fathom_served_trace *trace, double from, double to, const char **error)
{
	struct fathom_trace_picture picture = { .row_count = 0 };
	json_t *answer = NULL;
	uint64_t begin, end;

	if (find_window(&trace->frames, from, to, &begin, &end))
		answer = draw_window(trace, &picture, begin, end, error);
	else
		*error = "nothing is between these times";
	fathom_trace_picture_fini(&picture);
	return answer;
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

		json_array_append_new(regions, json_integer(region_of(frames, p)));
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
	struct fathom_trace_picture picture = { .row_count = 0 };
	json_t *answer = draw_window(trace, &picture, defs->offset, defs->offset + ticks, error);
	json_t *rows = json_array();
	char name[520];

	for (uint32_t r = 0; answer && r < picture.row_count; r++) {
		fathom_trace_picture_row_name(&picture, &frames->index, r, name, sizeof(name));
		json_array_append_new(rows, fathom_json_text(name));
	}
	if (answer) {
		fathom_json_set_text(answer, "name", frames->trace.anchor);
		json_object_set_new(answer, "length", json_real(fathom_otf2_seconds(defs, (double)ticks)));
		json_object_set_new(answer, "ticks", json_integer((json_int_t)ticks));
		json_object_set_new(answer, "ticks_a_second",
				    json_integer((json_int_t)(defs->resolution ? defs->resolution : 1000000000)));
		json_object_set_new(answer, "columns", json_integer(COLUMNS));
		json_object_set_new(answer, "threads", json_integer(picture.thread_count));
		json_object_set(answer, "rows", rows);
		add_names(answer, frames);
	}
	json_decref(rows);
	fathom_trace_picture_fini(&picture);
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

static json_t *describe_regions(const struct fathom_trace_frames *frames, const struct fathom_tally *tally)
{
	size_t count = fathom_otf2_count(&frames->trace.defs, FATHOM_OTF2_REGION) + 1;
	struct region_ticks *regions = fathom_tool_alloc(count, sizeof(*regions));
	json_t *list = json_array();

	for (size_t r = 0; r < count; r++)
		regions[r].region = (int64_t)r;
	for (uint32_t i = 0; i < tally->touched_count; i++)
		if (tally->touched[i] != FATHOM_PATH_NOTHING)
			regions[region_of(frames, tally->touched[i])].ticks += tally->ticks[tally->touched[i]];
	qsort(regions, count, sizeof(*regions), by_ticks);
	for (size_t r = 0; r < count && r < REGIONS_MOST && regions[r].ticks; r++) {
		json_t *region = json_object();

		fathom_json_set_text(region, "name", region_name(frames, regions[r].region));
		json_object_set_new(region, "seconds",
				    json_real(fathom_otf2_seconds(&frames->trace.defs, (double)regions[r].ticks)));
		json_array_append_new(list, region);
	}
	free(regions);
	return list;
}

json_t *fathom_answer_summary(struct fathom_trace_frames *frames, double from, double to, const char **error)
{
	struct fathom_tally tally = { 0 };
	json_t *answer = NULL;
	uint64_t begin, end;

	*error = find_window(frames, from, to, &begin, &end) ? NULL : "nothing is between these times";
	for (uint32_t l = 0; l < frames->index.location_count && !*error; l++)
		if (fathom_frame_window_sum(&frames->index, l, begin, end, &tally))
			*error = damaged;
	if (!*error)
		answer = json_pack("{s:I, s:I, s:I, s:I, s:o}", "events", (json_int_t)tally.counts.events, "messages",
				   (json_int_t)tally.counts.sends, "bytes", (json_int_t)tally.counts.bytes_sent,
				   "collectives", (json_int_t)tally.counts.collectives, "regions",
				   describe_regions(frames, &tally));
	fathom_tally_fini(&tally);
	return answer;
}

/* --- search ---------------------------------------------------------------------------------------------- */

struct visit {
	uint32_t row;
	int64_t region;
	uint64_t begin, end;
};

struct search {
	const struct fathom_trace_frames *frames;
	uint32_t *visited;		/* by path: its part down to the region; 0: the region is not on the path */
	uint32_t row, open;		/* path of the visit that has begun; 0: none */
	uint64_t begin, end;		/* of that visit */
	struct visit visits[VISITS_MOST];	/* the longest so far, the longest first */
	uint32_t count;
};

static void end_visit(struct search *search)
{
	struct visit visit = { search->row, 0, search->begin, search->end };
	uint32_t at;

	if (!search->open)
		return;
	visit.region = region_of(search->frames, search->open);
	for (at = search->count; at > 0 && search->visits[at - 1].end - search->visits[at - 1].begin < visit.end -
	     visit.begin; at--)
		if (at < VISITS_MOST)
			search->visits[at] = search->visits[at - 1];
	if (at < VISITS_MOST)
		search->visits[at] = visit;
	search->count += search->count < VISITS_MOST;
	search->open = 0;
}

static void take_interval(void *taker, const struct fathom_preview *preview)
{
	struct search *search = taker;
	uint32_t path = preview->share_count ? search->visited[preview->shares[0].path] : search->open;

	if (preview->end == preview->begin)
		return;
	if (path != search->open) {
		end_visit(search);
		search->open = path;
		search->begin = preview->begin;
	}
	search->end = preview->end;
}

/* Finds for each path its part down to the outermost region whose name has the text. */
static uint32_t *find_paths(const struct fathom_trace_frames *frames, const char *text)
{
	const struct fathom_path_table *paths = &frames->index.paths;
	uint32_t *visited = fathom_tool_alloc(paths->count, sizeof(*visited));

	for (uint32_t p = FATHOM_PATH_SEVERAL + 1; p < paths->count; p++) {
		visited[p] = visited[paths->paths[p].parent];
		if (!visited[p] && strcasestr(region_name(frames, region_of(frames, p)), text))
			visited[p] = p;
	}
	return visited;
}

static json_t *describe_visits(const struct search *search)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < search->count; i++)
		json_array_append_new(list, json_pack("{s:i, s:I, s:f, s:f}", "row", (int)search->visits[i].row,
			"region", (json_int_t)search->visits[i].region,
			"begin", seconds_of(search->frames, search->visits[i].begin),
			"end", seconds_of(search->frames, search->visits[i].end)));
	return json_pack("{s:o}", "visits", list);
}

json_t *fathom_answer_search(struct fathom_trace_frames *frames, double from, double to, const char *text,
			     const char **error)
{
	struct fathom_trace_picture picture = { .row_count = 0 };
	struct search search = { .frames = frames };
	struct fathom_tally tally = { 0 };
	json_t *answer = NULL;
	uint64_t begin, end;

	*error = find_window(frames, from, to, &begin, &end) ? NULL : "nothing is between these times";
	fathom_trace_picture_choose_rows(&picture, &frames->index, NULL, ROWS_MOST);
	for (uint32_t r = 0; r < picture.row_count && !*error; r++)
		if (fathom_frame_window_sum(&frames->index, picture.locations[r], begin, end, &tally))
			*error = damaged;
	if (!*error && tally.counts.events > SEARCHED_MOST)
		*error = "the window has more than 20 million events; zoom in to search";
	search.visited = find_paths(frames, text);
	for (search.row = 0; search.row < picture.row_count && !*error; search.row++) {
		if (fathom_frame_window_read(&frames->index, picture.locations[search.row], begin, end, 0,
					     take_interval, &search))
			*error = damaged;
		end_visit(&search);
	}
	if (!*error)
		answer = describe_visits(&search);
	free(search.visited);
	fathom_tally_fini(&tally);
	fathom_trace_picture_fini(&picture);
	return answer;
}
