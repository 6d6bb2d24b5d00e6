#include "tools/common/trace/kind_intervals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/trace/kind_palette.h"

/* --- reading --------------------------------------------------------------------------------------------- */

static bool has_kinds(const struct fathom_otf2_defs *defs, const struct fathom_otf2_typed *member)
{
	return strcmp(fathom_otf2_text(defs, member->name), FATHOM_KIND_METRIC) == 0 &&
	       member->type == OTF2_TYPE_INT64 && member->description != OTF2_UNDEFINED_STRING &&
	       strncmp(fathom_otf2_text(defs, member->description), FATHOM_KIND_DESCRIPTION,
		       strlen(FATHOM_KIND_DESCRIPTION)) == 0;
}

void fathom_kind_intervals_init(struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs,
				uint32_t row_count)
{
	memset(kinds, 0, sizeof(*kinds));
	kinds->row_count = row_count;
	kinds->rows = fathom_tool_alloc(row_count + (size_t)1, sizeof(*kinds->rows));
	/* The last one counts: of a copy of a copy, it has the newer kinds. */
	for (size_t i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_MEMBER); i++) {
		if (!has_kinds(defs, fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, i)))
			continue;
		kinds->is_known = true;
		kinds->member = i;
	}
}

void fathom_kind_intervals_fini(struct fathom_kind_intervals *kinds)
{
	for (uint32_t r = 0; r < kinds->row_count; r++)
		free(kinds->rows[r].intervals);
	free(kinds->rows);
	memset(kinds, 0, sizeof(*kinds));
}

static void take_mark(struct fathom_kind_intervals *kinds, uint64_t time, int64_t mark, uint32_t row_number)
{
	struct fathom_kind_row *row = &kinds->rows[row_number];
	struct fathom_kind_interval *last = row->count ? &row->intervals[row->count - 1] : NULL;

	if (last && !last->end)
		last->end = time;
	if (mark == FATHOM_MARK_NONE || mark < FATHOM_MARK_MISSING || mark > FATHOM_MOST_KINDS)
		return;
	row->intervals = fathom_tool_grow(row->intervals, row->count, &row->room, sizeof(*row->intervals));
	row->intervals[row->count++] = (struct fathom_kind_interval){ .begin = time, .kind = (int32_t)mark };
	if (mark > kinds->most)
		kinds->most = (int32_t)mark;
}

void fathom_kind_intervals_take(struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs,
				const struct fathom_otf2_event *event, uint32_t row)
{
	const struct fathom_otf2_metric *metric;
	const OTF2_Type *types = event->types;

	if (!kinds->is_known || event->kind != FATHOM_RECORD_METRIC)
		return;
	metric = fathom_otf2_find(defs, FATHOM_OTF2_METRIC, event->ref);
	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	for (uint32_t m = 0; metric && m < metric->count && m < event->count; m++)
		if (types[m] == OTF2_TYPE_INT64 &&
		    fathom_otf2_index(defs, FATHOM_OTF2_MEMBER, metric->members[m]) == (int64_t)kinds->member)
			take_mark(kinds, event->time, event->values[m].signed_int, row);
}

/* --- drawing --------------------------------------------------------------------------------------------- */

/* Returns the end of a burst; one that did not end takes until the end of what is drawn. */
static uint64_t end_of(const struct fathom_kind_interval *interval, uint64_t to)
{
	return interval->end && interval->end < to ? interval->end : to;
}

/* Returns the index of the first interval that ends behind a time. */
static size_t first_behind(const struct fathom_kind_row *row, uint64_t time)
{
	size_t low = 0, high = row->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end_of(&row->intervals[middle], UINT64_MAX) > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Returns the kind with the most time in [begin, end), from interval number first on. times: by kind - the least mark,
 * all 0, and so again afterwards. */
static int32_t draw_column(const struct fathom_kind_row *row, size_t first, uint64_t begin, uint64_t end,
			   uint64_t *times)
{
	int32_t best = FATHOM_MARK_NONE;
	size_t next;

	for (next = first; next < row->count && row->intervals[next].begin < end; next++) {
		const struct fathom_kind_interval *interval = &row->intervals[next];
		uint64_t from = interval->begin > begin ? interval->begin : begin, to = end_of(interval, end);
		uint64_t *time = &times[interval->kind - FATHOM_MARK_MISSING];

		*time += to > from ? to - from : 0;
		if (*time > times[best - FATHOM_MARK_MISSING])
			best = interval->kind;
	}
	while (next-- > first)
		times[row->intervals[next].kind - FATHOM_MARK_MISSING] = 0;
	return best;
}

void fathom_kind_intervals_draw(const struct fathom_kind_intervals *kinds, uint32_t row_number, uint64_t from,
				uint64_t to, uint32_t columns, int32_t *cells)
{
	const struct fathom_kind_row *row = &kinds->rows[row_number];
	size_t first = first_behind(row, from), marks = (size_t)kinds->most - FATHOM_MARK_MISSING + 1;
	uint64_t *times = fathom_tool_alloc(marks, sizeof(*times)), begin = from;

	for (uint32_t c = 0; c < columns; c++) {
		uint64_t end = from + (uint64_t)((double)(to - from) * (c + 1) / columns);

		while (first < row->count && end_of(&row->intervals[first], UINT64_MAX) <= begin)
			first++;
		cells[c] = draw_column(row, first, begin, end, times);
		begin = end;
	}
	free(times);
}

uint64_t *fathom_kind_intervals_sum(const struct fathom_kind_intervals *kinds, uint64_t from, uint64_t to)
{
	uint64_t *sums = fathom_tool_alloc((size_t)kinds->most + 1, sizeof(*sums));

	for (uint32_t r = 0; r < kinds->row_count; r++) {
		const struct fathom_kind_row *row = &kinds->rows[r];

		for (size_t i = first_behind(row, from); i < row->count && row->intervals[i].begin < to; i++) {
			const struct fathom_kind_interval *interval = &row->intervals[i];
			uint64_t begin = interval->begin > from ? interval->begin : from;

			sums[interval->kind > 0 ? interval->kind : 0] += end_of(interval, to) - begin;
		}
	}
	return sums;
}

/* --- names and colours ----------------------------------------------------------------------------------- */

void fathom_kind_name(const struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs, int32_t kind,
		      char *text, size_t bytes)
{
	const struct fathom_otf2_typed *member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, kinds->member);
	const char *begin, *end;
	char mark[32];

	if (kind <= 0) {
		snprintf(text, bytes, "%s", kind == FATHOM_MARK_NOISE ? "noise" : kind == FATHOM_MARK_SHORT ?
			 "too short" : kind == FATHOM_MARK_MISSING ? "not measured" : "no kind");
		return;
	}
	snprintf(text, bytes, "%d", kind);
	snprintf(mark, sizeof(mark), "; %d: ", kind);
	begin = strstr(fathom_otf2_text(defs, member->description), mark);
	if (!begin)
		return;
	begin += 2;
	snprintf(mark, sizeof(mark), "; %d: ", kind + 1);
	end = strstr(begin, mark);
	snprintf(text, bytes, "%.*s", end ? (int)(end - begin) : (int)strlen(begin), begin);
}

uint32_t fathom_kind_colour(int32_t kind)
{
#define COLOUR(number, colour) [number] = 0x##colour,
#define VALUE(colour) 0x##colour
#define EXPANDED(colour) VALUE(colour)
	static const uint32_t colours[] = { FATHOM_KIND_COLOURS(COLOUR) };

	if (kind <= 0)
		return EXPANDED(FATHOM_KIND_COLOUR_NONE);
	return kind <= FATHOM_COLOURED_KINDS ? colours[kind] : EXPANDED(FATHOM_KIND_COLOUR_OTHERS);
}
