#include "tools/common/trace/metric_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { POINTS_MOST = 16384 };

void fathom_metric_curves_init(struct fathom_metric_curves *curves, const struct fathom_otf2_defs *defs,
			       uint32_t row_count)
{
	size_t members = fathom_otf2_count(defs, FATHOM_OTF2_MEMBER);

	memset(curves, 0, sizeof(*curves));
	curves->numbers = fathom_tool_alloc(members + 1, sizeof(*curves->numbers));
	memset(curves->numbers, -1, (members + 1) * sizeof(*curves->numbers));
	curves->samples = -1;
	curves->row_count = row_count;
	curves->values = fathom_tool_alloc(row_count + (size_t)1, sizeof(*curves->values));
}

void fathom_metric_curves_fini(struct fathom_metric_curves *curves)
{
	for (size_t c = 0; c < curves->count; c++) {
		for (uint32_t r = 0; r < curves->row_count; r++)
			free(curves->curves[c].rows[r].points);
		free(curves->curves[c].rows);
	}
	free(curves->curves);
	for (uint32_t r = 0; curves->values && r < curves->row_count; r++)
		fathom_metric_values_fini(&curves->values[r]);
	free(curves->values);
	free(curves->numbers);
	memset(curves, 0, sizeof(*curves));
}

/* --- events ---------------------------------------------------------------------------------------------- */

static int32_t add_curve(struct fathom_metric_curves *curves, const char *name, const char *unit, bool is_rate)
{
	curves->curves = fathom_tool_grow(curves->curves, curves->count, &curves->room, sizeof(*curves->curves));
	curves->curves[curves->count] = (struct fathom_metric_curve){
		.name = name,
		.unit = unit,
		.is_rate = is_rate,
		.rows = fathom_tool_alloc(curves->row_count + (size_t)1, sizeof(struct fathom_curve_row)),
	};
	return (int32_t)curves->count++;
}

/* Drops every second point. */
static void thin(struct fathom_curve_row *row)
{
	for (size_t i = 0; 2 * i < row->count; i++)
		row->points[i] = row->points[2 * i];
	row->count = (row->count + 1) / 2;
	row->stride *= 2;
}

static void add_point(struct fathom_curve_row *row, uint64_t time, double value)
{
	if (row->count && ++row->skipped < row->stride)
		return;
	row->skipped = 0;
	row->stride = row->stride ? row->stride : 1;
	row->points = fathom_tool_grow(row->points, row->count, &row->room, sizeof(*row->points));
	row->points[row->count++] = (struct fathom_curve_point){ time, value };
	if (row->count == POINTS_MOST)
		thin(row);
}

/* Returns the curve of a member, or of samples, which is added if there is none. */
static int32_t curve_of(struct fathom_metric_curves *curves, const struct fathom_otf2_defs *defs, uint32_t member)
{
	const struct fathom_otf2_typed *definition;
	uint8_t mode;

	if (member == FATHOM_METRIC_SAMPLES) {
		if (curves->samples < 0) {
			curves->samples = add_curve(curves, "samples", "samples", true);
			curves->curves[curves->samples].counts_samples = true;
		}
		return curves->samples;
	}
	if (curves->numbers[member] < 0) {
		definition = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, member);
		mode = definition->mode & OTF2_METRIC_VALUE_MASK;
		curves->numbers[member] = add_curve(curves, fathom_otf2_text(defs, definition->name),
						    fathom_otf2_text(defs, definition->unit),
						    mode == OTF2_METRIC_VALUE_RELATIVE ||
						    mode == OTF2_METRIC_VALUE_ACCUMULATED);
	}
	return curves->numbers[member];
}

void fathom_metric_curves_add(struct fathom_metric_curves *curves, const struct fathom_otf2_defs *defs, uint32_t row,
			      const struct fathom_metric_value *value)
{
	int32_t number = curve_of(curves, defs, value->member);

	add_point(&curves->curves[number].rows[row], value->time, value->value);
}

struct taken_row {
	struct fathom_metric_curves *curves;
	const struct fathom_otf2_defs *defs;
	uint32_t row;
};

static void take_value(void *taker, const struct fathom_metric_value *value)
{
	struct taken_row *taken = taker;

	fathom_metric_curves_add(taken->curves, taken->defs, taken->row, value);
}

void fathom_metric_curves_take(struct fathom_metric_curves *curves, const struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, uint32_t row)
{
	struct taken_row taken = { curves, defs, row };

	fathom_metric_values_take(&curves->values[row], defs, event, take_value, &taken);
}

/* --- drawing --------------------------------------------------------------------------------------------- */

/* Moves *at, the index of a point that is not later than a time, on to the last such point. */
static void go_to(const struct fathom_curve_row *row, size_t *at, uint64_t time)
{
	while (*at + 1 < row->count && row->points[*at + 1].time <= time)
		(*at)++;
}

/* Returns the value at a time between the first and the last point, on the line between two points. */
static double value_at(const struct fathom_curve_row *row, size_t *at, uint64_t time)
{
	const struct fathom_curve_point *point;

	go_to(row, at, time);
	point = &row->points[*at];
	if (*at + 1 == row->count || time <= point->time)
		return point->value;
	return point->value + (point[1].value - point->value) * (double)(time - point->time) /
	       (double)(point[1].time - point->time);
}

/* Returns the number of samples before a time. */
static double samples_before(const struct fathom_curve_row *row, size_t *at, uint64_t time)
{
	if (!row->count || row->points[0].time >= time)
		return 0;
	go_to(row, at, time - 1);
	return row->points[*at].value;
}

/* Returns the value of the curve in one column, [begin, end). *at: as above, not later than begin. */
static double draw_column(const struct fathom_metric_curve *curve, const struct fathom_curve_row *row, size_t *at,
			  uint64_t begin, uint64_t end, double ticks_a_second)
{
	uint64_t first = row->points[0].time, last = row->points[row->count - 1].time;
	double before;

	if (curve->counts_samples) {
		before = samples_before(row, at, begin);
		return (samples_before(row, at, end) - before) * ticks_a_second / (double)(end - begin);
	}
	if (!curve->is_rate) {
		if (first >= end || last < begin)
			return NAN;
		go_to(row, at, end - 1);
		return row->points[*at].value;
	}
	begin = begin < first ? first : begin;
	end = end > last ? last : end;
	if (end <= begin)
		return NAN;
	before = value_at(row, at, begin);
	return (value_at(row, at, end) - before) * ticks_a_second / (double)(end - begin);
}

bool fathom_metric_curve_draw(const struct fathom_metric_curve *curve, uint32_t row_number, uint64_t from, uint64_t to,
			      uint32_t columns, double ticks_a_second, double *values)
{
	const struct fathom_curve_row *row = &curve->rows[row_number];
	uint64_t begin = from;
	bool has_any = false;
	size_t at = 0;

	for (uint32_t c = 0; c < columns; c++) {
		uint64_t end = from + (uint64_t)((double)(to - from) * (c + 1) / columns);

		values[c] = row->count && end > begin ? draw_column(curve, row, &at, begin, end, ticks_a_second) : NAN;
		has_any |= !isnan(values[c]);
		begin = end;
	}
	return has_any;
}
