#include "tools/common/trace/detail_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"

static void add_time(json_t *list, uint64_t time, uint64_t from)
{
	json_array_append_new(list, json_integer((json_int_t)(int64_t)(time - from)));
}

static json_t *describe_messages(const struct fathom_trace_details *details, uint64_t from, uint64_t to, size_t most)
{
	json_t *list = json_array();
	size_t count = details->messages.has_too_many ? most + 1 : 0;

	for (size_t i = 0; i < details->messages.count && count <= most; i++) {
		const struct fathom_message_line *line = &details->messages.lines[i];
		uint64_t last = line->receive > line->send ? line->receive : line->send;
		uint64_t first = line->receive < line->send ? line->receive : line->send;

		if (first >= to || last < from)
			continue;
		json_array_append_new(list, json_integer(line->from_row));
		json_array_append_new(list, json_integer(line->to_row));
		add_time(list, line->send, from);
		add_time(list, line->receive, from);
		json_array_append_new(list, json_integer((json_int_t)line->bytes));
		count++;
	}
	if (count <= most)
		return list;
	json_decref(list);
	return json_null();
}

/* Returns whether a member of the operation, whose members are given, is in the window. */
static bool overlaps(const struct fathom_collective_member *members, size_t count, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < count; i++)
		if (members[i].begin < to && members[i].end >= from)
			return true;
	return false;
}

static json_t *describe_collectives(const struct fathom_trace_details *details, uint64_t from, uint64_t to, size_t most)
{
	const struct fathom_collective_lines *lines = &details->collectives;
	json_t *list = json_array();
	size_t count = lines->has_too_many ? most + 1 : 0;

	for (size_t first = 0, next; first < lines->count && count <= most; first = next) {
		json_t *members;

		next = fathom_collective_lines_next(lines, first);
		if (next - first < 2 || !overlaps(lines->members + first, next - first, from, to))
			continue;
		members = json_array();
		for (size_t i = first; i < next; i++) {
			json_array_append_new(members, json_integer(lines->members[i].row));
			add_time(members, lines->members[i].begin, from);
			add_time(members, lines->members[i].end, from);
		}
		json_array_append_new(list, members);
		count += next - first;
	}
	if (count <= most)
		return list;
	json_decref(list);
	return json_null();
}

/* Returns numbers with at most six digits, which a picture does not need more of. */
static json_t *describe_numbers(const double *values, uint32_t columns)
{
	json_t *numbers = json_array();

	for (uint32_t c = 0; c < columns; c++) {
		double scale = isnan(values[c]) || values[c] == 0 ? 1 : pow(10, 5 - floor(log10(fabs(values[c]))));

		json_array_append_new(numbers, isnan(values[c]) ? json_null() : !isfinite(scale) || scale == 0 ?
				      json_real(0) : json_real(round(values[c] * scale) / scale));
	}
	return numbers;
}

static json_t *describe_curves(const struct fathom_trace_details *details, uint64_t from, uint64_t to,
			       const struct fathom_detail_limits *limits)
{
	const struct fathom_metric_curves *curves = &details->curves;
	uint64_t resolution = details->trace->defs.resolution;
	double *values = fathom_tool_alloc(limits->columns, sizeof(*values));
	size_t count = (size_t)curves->row_count * limits->columns, most = limits->numbers / (count ? count : 1);
	json_t *list = json_array();

	for (size_t c = 0; c < curves->count && c < most; c++) {
		json_t *curve = json_object(), *rows = json_array();

		for (uint32_t r = 0; r < curves->row_count; r++)
			json_array_append_new(rows, fathom_metric_curve_draw(&curves->curves[c], r, from, to,
					      limits->columns, resolution ? (double)resolution : 1e9, values) ?
					      describe_numbers(values, limits->columns) : json_null());
		fathom_json_set_text(curve, "name", curves->curves[c].name);
		fathom_json_set_text(curve, "unit", curves->curves[c].unit);
		json_object_set_new(curve, "is_rate", json_boolean(curves->curves[c].is_rate));
		json_object_set_new(curve, "rows", rows);
		json_array_append_new(list, curve);
	}
	free(values);
	return list;
}

/* Returns the sums of the messages of each two rows and part of the time. */
static json_t *describe_sums(const struct fathom_trace_picture *sums, uint64_t from)
{
	json_t *list = json_array();

	for (size_t i = 0; i < sums->line_count; i++) {
		const struct fathom_picture_line *line = &sums->lines[i];

		json_array_append_new(list, json_integer(line->from_row));
		json_array_append_new(list, json_integer(line->to_row));
		add_time(list, sums->from + (uint64_t)((line->column + 0.5) * (double)(sums->to - sums->from) /
						       sums->columns), from);
		json_array_append_new(list, json_integer((json_int_t)line->messages));
		json_array_append_new(list, json_integer((json_int_t)line->bytes));
	}
	return list;
}

/* Adds the runs of a row, and marks the kinds in them in is_used, whose index is the kind - FATHOM_MARK_MISSING. */
static json_t *describe_runs(const int32_t *cells, uint32_t columns, bool *is_used)
{
	json_t *runs = json_array();

	for (uint32_t column = 0, next; column < columns; column = next) {
		for (next = column + 1; next < columns && cells[next] == cells[column]; next++)
			;
		json_array_append_new(runs, json_integer(cells[column]));
		json_array_append_new(runs, json_integer(next - column));
		is_used[cells[column] - FATHOM_MARK_MISSING] = true;
	}
	return runs;
}

static json_t *describe_kinds(const struct fathom_trace_details *details, uint64_t from, uint64_t to, uint32_t columns)
{
	enum { NAMES_MOST = 60, NAME_BYTES = 300 };
	const struct fathom_kind_intervals *kinds = &details->kinds;
	bool *is_used = fathom_tool_alloc((size_t)kinds->most - FATHOM_MARK_MISSING + 1, sizeof(*is_used));
	int32_t *cells = fathom_tool_alloc(columns + (size_t)1, sizeof(*cells));
	json_t *rows = json_array(), *names = json_array();

	for (uint32_t row = 0; row < kinds->row_count; row++) {
		fathom_kind_intervals_draw(kinds, row, from, to, columns, cells);
		json_array_append_new(rows, describe_runs(cells, columns, is_used));
	}
	for (int32_t kind = FATHOM_MARK_MISSING; kind <= kinds->most && json_array_size(names) < NAMES_MOST; kind++) {
		char name[NAME_BYTES], colour[16];
		json_t *object;

		if (kind == FATHOM_MARK_NONE || !is_used[kind - FATHOM_MARK_MISSING])
			continue;
		fathom_kind_name(kinds, &details->trace->defs, kind, name, sizeof(name));
		snprintf(colour, sizeof(colour), "#%06x", fathom_kind_colour(kind));
		object = json_pack("{s:i, s:s}", "kind", kind, "colour", colour);
		fathom_json_set_text(object, "name", name);
		json_array_append_new(names, object);
	}
	free(is_used);
	free(cells);
	return json_pack("{s:i, s:o, s:o}", "columns", (int)columns, "cells", rows, "names", names);
}

json_t *fathom_detail_json(const struct fathom_trace_details *details, const struct fathom_trace_picture *sums,
			   uint64_t from, uint64_t to, const struct fathom_detail_limits *limits)
{
	json_t *messages;

	if (!details->is_known)
		return json_null();
	messages = describe_messages(details, from, to, limits->messages);
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}",
			 "begin", (json_int_t)(from - details->trace->defs.offset), "ticks", (json_int_t)(to - from),
			 "messages", messages,
			 "message_sums", json_is_null(messages) && sums ? describe_sums(sums, from) : json_null(),
			 "collectives", describe_collectives(details, from, to, limits->members),
			 "curves", describe_curves(details, from, to, limits),
			 "kinds", details->kinds.is_known ?
				  describe_kinds(details, from, to, limits->kind_columns) : json_null());
}
