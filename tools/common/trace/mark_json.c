#include "tools/common/trace/mark_json.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"

/* A row whose marks are being listed. */
struct row {
	json_t *list, *threads;
	const struct fathom_frame_index *index;
	uint64_t from;
	int32_t *thread_numbers;	/* by location: index in threads; -1: it has none yet */
};

static void add_number(json_t *list, uint64_t number)
{
	json_array_append_new(list, json_integer((json_int_t)number));
}

/* Returns the index of a location among the threads that were waited for. */
static int32_t thread_number(struct row *row, uint32_t location)
{
	char name[520];

	if (location >= row->index->location_count)
		return -1;
	if (row->thread_numbers[location] < 0) {
		row->thread_numbers[location] = (int32_t)json_array_size(row->threads);
		fathom_trace_picture_location_name(row->index, location, name, sizeof(name));
		json_array_append_new(row->threads, fathom_json_text(name));
	}
	return row->thread_numbers[location];
}

static void take_wait(void *taker, const struct fathom_wait_mark *mark)
{
	struct row *row = taker;

	add_number(row->list, mark->longest.begin - row->from);
	add_number(row->list, mark->longest.end - mark->longest.begin);
	add_number(row->list, mark->longest.pattern);
	add_number(row->list, mark->ticks);
	add_number(row->list, mark->count);
	json_array_append_new(row->list, json_integer(thread_number(row, mark->longest.cause)));
}

static void take_path(void *taker, const struct fathom_wait_mark *mark)
{
	struct row *row = taker;

	add_number(row->list, mark->longest.begin - row->from);
	add_number(row->list, mark->longest.end - mark->longest.begin);
}

json_t *fathom_mark_json(const struct fathom_wait_intervals *intervals, const struct fathom_trace_picture *picture,
			 const struct fathom_frame_index *index, uint64_t from, uint64_t to, uint64_t finest)
{
	json_t *waits, *paths, *patterns;
	struct row row = { .index = index, .from = from };

	if (!intervals->count)
		return json_null();
	waits = json_array();
	paths = json_array();
	patterns = json_array();
	row.threads = json_array();
	row.thread_numbers = fathom_tool_alloc(index->location_count + (size_t)1, sizeof(*row.thread_numbers));
	memset(row.thread_numbers, -1, index->location_count * sizeof(*row.thread_numbers));
	for (uint32_t p = 0; p < intervals->pattern_count; p++)
		json_array_append_new(patterns, fathom_json_text(intervals->titles[p]));
	for (uint32_t r = 0; r < picture->row_count; r++) {
		row.list = json_array();
		fathom_wait_intervals_mark(intervals, picture->locations[r], false, from, to, finest, take_wait, &row);
		json_array_append_new(waits, row.list);
		row.list = json_array();
		fathom_wait_intervals_mark(intervals, picture->locations[r], true, from, to, finest, take_path, &row);
		json_array_append_new(paths, row.list);
	}
	free(row.thread_numbers);
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "begin", (json_int_t)(from - index->trace->defs.offset),
			 "ticks", (json_int_t)(to - from), "patterns", patterns, "threads", row.threads, "waits", waits,
			 "path", paths);
}
