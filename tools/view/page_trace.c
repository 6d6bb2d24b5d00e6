#include "tools/view/page_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frames/frame_window.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/json_writer.h"
#include "tools/common/trace/detail_json.h"
#include "tools/common/trace/mark_json.h"
#include "tools/common/trace/trace_frames.h"
#include "tools/common/trace/trace_picture.h"
#include "tools/common/trace/trace_region.h"
#include "tools/common/trace/window_details.h"

/* A window with more events than this is not embedded event by event. Finer pictures are embedded until one would have
 * more cells than this; each is as many times finer than the one before. Together, this keeps a page below 20 MB. */
enum { ROWS_MOST = 64, COLUMNS = 1000, EVENTS_MOST = 500000, CELLS_MOST = 1500000, FINER = 4 };

/* So many marks of wait states fit into the time of all rows together. */
enum { MARKS_MOST = 100000 };

/* Messages, collective operations and curves of traces with at most so many events are read from the whole trace, in
 * about a second; those of longer traces are read from the checkpoints of the index. */
enum { DETAILED_EVENTS_MOST = 5000000 };

/* The paths that the page names, in the order in which they are named. */
struct named_paths {
	const struct fathom_frame_index *index;
	int32_t *numbers;		/* by path of the index: number in the page; -1: not named yet */
	uint32_t *paths;		/* by number */
	uint32_t count;
};

/* --- names ----------------------------------------------------------------------------------------------- */

/* Returns the number of a path in the page; -1: it is no region. Callers get lower numbers. */
static int32_t name_path(struct named_paths *named, uint32_t path)
{
	if (path == FATHOM_PICTURE_EMPTY || path == FATHOM_PATH_NOTHING)
		return -1;
	if (named->numbers[path] < 0) {
		name_path(named, path == FATHOM_PATH_SEVERAL ? FATHOM_PATH_NOTHING :
			  named->index->paths.paths[path].parent);
		named->numbers[path] = (int32_t)named->count;
		named->paths[named->count++] = path;
	}
	return named->numbers[path];
}

static struct fathom_cube_region words_of(const struct named_paths *named, uint32_t region)
{
	struct fathom_otf2_archive *trace = named->index->trace;
	const struct fathom_otf2_region *definition = fathom_otf2_find(&trace->defs, FATHOM_OTF2_REGION, region);

	if (definition)
		return fathom_otf2_region_words(trace, definition);
	return (struct fathom_cube_region){ .name = region == UINT32_MAX ? "several regions" : "?",
					    .paradigm = "unknown" };
}

/* Adds the members regions and nodes. Regions are numbered in the order in which the paths name them. */
static void add_nodes(json_t *object, const struct named_paths *named)
{
	const struct fathom_otf2_defs *defs = &named->index->trace->defs;
	json_t *names = json_array(), *paradigms = json_array(), *regions = json_array(), *parents = json_array();
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_REGION);
	int32_t *numbers = fathom_tool_alloc(count + 1, sizeof(*numbers));

	memset(numbers, -1, (count + 1) * sizeof(*numbers));
	for (uint32_t n = 0; n < named->count; n++) {
		const struct fathom_path *path = &named->index->paths.paths[named->paths[n]];
		int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_REGION, path->region);
		size_t place = index < 0 ? count : (size_t)index;

		if (numbers[place] < 0) {
			struct fathom_cube_region words = words_of(named, path->region);

			numbers[place] = (int32_t)json_array_size(names);
			json_array_append_new(names, fathom_json_text(words.name));
			json_array_append_new(paradigms, fathom_json_text(words.paradigm));
		}
		json_array_append_new(regions, json_integer(numbers[place]));
		json_array_append_new(parents, json_integer(path->depth > 1 ? named->numbers[path->parent] : -1));
	}
	free(numbers);
	json_object_set_new(object, "regions", json_pack("{s:o, s:o}", "name", names, "paradigm", paradigms));
	json_object_set_new(object, "nodes", json_pack("{s:o, s:o}", "region", regions, "parent", parents));
}

/* --- pictures -------------------------------------------------------------------------------------------- */

/* A list of paths and lengths that is being made. Neighbours with one path become one. */
struct runs {
	json_t *list;
	struct named_paths *named;
	int32_t node;
	uint64_t length;		/* of the last run, which is not in the list yet */
	uint64_t at, to;		/* times, where the runs are of events */
};

static void end_run(struct runs *runs)
{
	if (!runs->length)
		return;
	json_array_append_new(runs->list, json_integer(runs->node));
	json_array_append_new(runs->list, json_integer((json_int_t)runs->length));
	runs->length = 0;
}

static void add_run(struct runs *runs, uint32_t path, uint64_t length)
{
	int32_t node = name_path(runs->named, path);

	if (node != runs->node)
		end_run(runs);
	runs->node = node;
	runs->length += length;
}

static void take_interval(void *taker, const struct fathom_preview *preview)
{
	struct runs *runs = taker;
	uint64_t end = preview->end < runs->to ? preview->end : runs->to;

	if (end <= runs->at || !preview->share_count)
		return;
	if (preview->begin > runs->at) {
		add_run(runs, FATHOM_PICTURE_EMPTY, preview->begin - runs->at);
		runs->at = preview->begin;
	}
	add_run(runs, preview->shares[0].path, end - runs->at);
	runs->at = end;
}

/* Returns the runs of all rows by events, whose unit is a tick of the trace; NULL after an error. */
static json_t *describe_events(const struct fathom_trace_picture *picture, struct fathom_frame_index *index,
			       struct named_paths *named)
{
	json_t *rows = json_array();
	int err = 0;

	for (uint32_t r = 0; r < picture->row_count && !err; r++) {
		struct runs runs = { json_array(), named, -1, 0, picture->from, picture->to };

		err = fathom_frame_window_read(index, picture->locations[r], picture->from, picture->to, 0,
					       take_interval, &runs);
		if (runs.at < picture->to)
			add_run(&runs, FATHOM_PICTURE_EMPTY, picture->to - runs.at);
		end_run(&runs);
		json_array_append_new(rows, runs.list);
	}
	if (!err)
		return rows;
	json_decref(rows);
	return NULL;
}

/* Returns the runs of all rows of a picture, whose unit is a cell. */
static json_t *describe_cells(const struct fathom_trace_picture *picture, struct named_paths *named)
{
	json_t *rows = json_array();

	for (uint32_t r = 0; r < picture->row_count; r++) {
		struct runs runs = { json_array(), named, -1, 0, 0, 0 };

		for (uint32_t c = 0; c < picture->columns; c++)
			add_run(&runs, picture->cells[(size_t)r * picture->columns + c], 1);
		end_run(&runs);
		json_array_append_new(rows, runs.list);
	}
	return rows;
}

/* Draws the rows anew in so many columns. */
static int redraw(struct fathom_trace_picture *picture, struct fathom_frame_index *index, uint32_t columns)
{
	free(picture->cells);
	free(picture->counts);
	picture->line_count = 0;
	return fathom_trace_picture_draw(picture, index, picture->from, picture->to, columns, 0);
}

/* Adds the finer pictures, up to one by events if there are few enough. 0 or -errno. */
static int add_finer(json_t *object, struct fathom_trace_picture *picture, struct fathom_frame_index *index,
		     struct named_paths *named)
{
	json_t *finer = json_array();
	uint64_t events = 0;
	uint32_t columns;
	int err = 0;

	json_object_set_new(object, "finer", finer);
	for (uint32_t r = 0; r < picture->row_count; r++)
		events += picture->counts[r].events;
	for (columns = COLUMNS * FINER; events > EVENTS_MOST && !err &&
	     (uint64_t)columns * picture->row_count <= CELLS_MOST; columns *= FINER) {
		err = redraw(picture, index, columns);
		if (!err)
			json_array_append_new(finer, json_pack("{s:I, s:o}", "columns", (json_int_t)columns, "cells",
							       describe_cells(picture, named)));
	}
	if (!err && events <= EVENTS_MOST) {
		json_t *rows = describe_events(picture, index, named);

		if (!rows)
			return -EILSEQ;
		json_array_append_new(finer, json_pack("{s:I, s:o}", "columns",
						       (json_int_t)(picture->to - picture->from), "cells", rows));
	}
	return err;
}

static json_t *describe_marks(const struct fathom_trace_picture *picture, const struct fathom_frame_index *index)
{
	struct fathom_wait_intervals intervals;
	json_t *marks;

	fathom_wait_intervals_read(&intervals, index->trace);
	marks = fathom_mark_json(&intervals, picture, index, picture->from, picture->to,
				 (picture->to - picture->from) / MARKS_MOST * picture->row_count);
	fathom_wait_intervals_fini(&intervals);
	return marks;
}

static json_t *describe_details(const struct fathom_trace_picture *picture, struct fathom_frame_index *index)
{
	struct fathom_detail_limits limits = { .messages = 20000, .members = 30000, .columns = 2000,
					       .numbers = 500000 };
	struct fathom_trace_details details;
	json_t *object;

	limits.kind_columns = 16 * COLUMNS;
	if (picture->row_count > 16) {
		limits.columns = 500;
		limits.kind_columns = 4 * COLUMNS;
	}
	if (fathom_otf2_event_count(index->trace) <= DETAILED_EVENTS_MOST) {
		fathom_trace_details_read(&details, index->trace->anchor, picture, DETAILED_EVENTS_MOST);
	} else {
		struct fathom_window_limits window_limits = { .messages = limits.messages, .members = limits.members,
			.columns = limits.columns, .has_channels = true, .has_curves = true };

		fathom_window_details_read(&details, index, picture, picture->from, picture->to, &window_limits);
	}
	object = fathom_detail_json(&details, picture, picture->from, picture->to, &limits);
	fathom_trace_details_fini(&details);
	return object;
}

static int describe(json_t *object, struct fathom_trace_picture *picture, struct fathom_frame_index *index,
		    struct named_paths *named)
{
	const struct fathom_otf2_defs *defs = &index->trace->defs;
	json_t *rows = json_array();
	double offset = (double)defs->offset;
	char name[520];

	json_object_set_new(object, "begin", json_real(fathom_otf2_seconds(defs, (double)picture->from - offset)));
	json_object_set_new(object, "end", json_real(fathom_otf2_seconds(defs, (double)picture->to - offset)));
	json_object_set_new(object, "length", json_real(fathom_otf2_seconds(defs, (double)defs->length)));
	json_object_set_new(object, "ticks_a_second",
			    json_integer((json_int_t)(defs->resolution ? defs->resolution : 1000000000)));
	json_object_set_new(object, "columns", json_integer(COLUMNS));
	json_object_set_new(object, "threads", json_integer(picture->thread_count));
	for (uint32_t r = 0; r < picture->row_count; r++) {
		fathom_trace_picture_row_name(picture, index, r, name, sizeof(name));
		json_array_append_new(rows, fathom_json_text(name));
	}
	json_object_set_new(object, "rows", rows);
	json_object_set_new(object, "cells", describe_cells(picture, named));
	json_object_set_new(object, "marks", describe_marks(picture, index));
	json_object_set_new(object, "details", describe_details(picture, index));
	return add_finer(object, picture, index, named);
}

/* --- the member ------------------------------------------------------------------------------------------ */

static int make_member(json_t *object, struct fathom_trace_frames *frames, double last_seconds)
{
	const struct fathom_otf2_defs *defs = &frames->trace.defs;
	double per_second = defs->resolution ? (double)defs->resolution : 1e9;
	struct fathom_trace_picture picture = { .row_count = 0 };
	uint32_t paths = frames->index.paths.count;
	struct named_paths named = { .index = &frames->index };
	uint64_t from, to;
	bool is_last;
	int err;

	fathom_frame_index_range(&frames->index, &from, &to);
	is_last = last_seconds > 0 && last_seconds * per_second < (double)(to - from);
	if (is_last)
		from = to - (uint64_t)(last_seconds * per_second);
	json_object_set_new(object, "is_last", json_boolean(is_last));	/* only the last part is in the page */
	named.numbers = fathom_tool_alloc(paths, sizeof(*named.numbers));
	named.paths = fathom_tool_alloc(paths, sizeof(*named.paths));
	memset(named.numbers, -1, paths * sizeof(*named.numbers));
	fathom_trace_picture_choose_rows(&picture, &frames->index, NULL, ROWS_MOST);
	err = fathom_trace_picture_draw(&picture, &frames->index, from, to, COLUMNS, 0);
	if (!err)
		err = describe(object, &picture, &frames->index, &named);
	if (!err)
		add_nodes(object, &named);
	else
		fathom_tool_error("%s: %s", frames->path, *frames->trace.error ? frames->trace.error : strerror(-err));
	fathom_trace_picture_fini(&picture);
	free(named.numbers);
	free(named.paths);
	return err;
}

json_t *fathom_page_trace(const char *profile, double last_seconds)
{
	struct fathom_trace_frames *frames;
	json_t *object;
	char anchor[PATH_MAX];
	int err;

	if (!fathom_experiment_trace_of(profile, anchor))
		return json_null();
	frames = fathom_tool_alloc(1, sizeof(*frames));
	object = json_object();
	err = fathom_trace_frames_open(frames, anchor);
	if (!err) {
		err = make_member(object, frames, last_seconds);
		fathom_trace_frames_close(frames);
	}
	free(frames);
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}
