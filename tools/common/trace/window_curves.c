#include "tools/common/trace/window_curves.h"

#include <errno.h>
#include <string.h>

#include "frames/detail_events.h"
#include "frames/frame_window.h"

/* Windows with more events are drawn from the values at checkpoints. Behind a window, so many records are read to find
 * the next values. */
enum { EVENTS_MOST = 3000000, LATER_MOST = 4096 };

/* A row whose values are read. */
struct curve_row {
	struct fathom_metric_curves *curves;
	const struct fathom_otf2_defs *defs;
	uint32_t row;
	uint64_t to;
	uint32_t later;			/* records behind the window */
};

/* Returns whether the row has counters or samples. */
static bool has_metrics(const struct fathom_frame_index *index, uint32_t location)
{
	struct fathom_byte_cursor cursor = index->locations[location].preview;
	struct fathom_preview preview = { .begin = 0 };

	return index->locations[location].level && fathom_preview_read(&preview, &cursor, index->paths.count) &&
	       (preview.marks & FATHOM_DETAIL_METRICS);
}

/* Adds the values of a state that are later than those that are known. */
static void add_state(const struct curve_row *row, const struct fathom_checkpoint *state)
{
	struct fathom_metric_values *known = &row->curves->values[row->row];

	for (size_t i = 0; i < state->metrics.count; i++) {
		const struct fathom_metric_value *value = &state->metrics.values[i];
		bool is_known = false;

		for (size_t k = 0; k < known->count; k++)
			is_known |= known->values[k].member == value->member && known->values[k].time >= value->time;
		if (is_known)
			continue;
		fathom_metric_curves_add(row->curves, row->defs, row->row, value);
		fathom_metric_values_set(known, value);
	}
}

static int add_checkpoint(const struct curve_row *row, const struct fathom_frame_index *index, uint32_t location,
			  uint32_t number)
{
	struct fathom_checkpoint state;
	int err;

	fathom_checkpoint_init(&state, &index->trace->defs, location, SIZE_MAX);
	err = fathom_detail_state(index, location, number, &state);
	if (!err)
		add_state(row, &state);
	fathom_checkpoint_fini(&state);
	return err;
}

static void take(void *taker, const struct fathom_otf2_event *event)
{
	struct curve_row *row = taker;

	fathom_metric_curves_take(row->curves, row->defs, event, row->row);
}

/* Returns whether a curve of the row ends before the end of the window. */
static bool is_short(const struct curve_row *row)
{
	const struct fathom_metric_values *known = &row->curves->values[row->row];

	for (size_t k = 0; k < known->count; k++)
		if (known->values[k].time < row->to)
			return true;
	return false;
}

static bool goes_on(void *taker, uint64_t time)
{
	struct curve_row *row = taker;

	return time < row->to || (row->later++ < LATER_MOST && is_short(row));
}

/* Reads all values of a row, and the next ones behind the window. 0 or -errno. */
static int read_values(struct curve_row *row, struct fathom_frame_index *index, uint32_t location, uint64_t from)
{
	struct fathom_detail_reading reading = {
		.index = index, .location = location, .kinds = FATHOM_DETAIL_METRICS, .events_left = UINT64_MAX,
		.taker = row, .take = take, .goes_on = goes_on,
	};
	uint32_t number = fathom_detail_checkpoint(index, location, from);
	uint32_t next = fathom_detail_checkpoint(index, location, row->to) + 1;
	uint32_t count = index->locations[location].checkpoint_count;
	int err = add_checkpoint(row, index, location, number);

	if (!err)
		err = fathom_detail_events_read(&reading, number);
	if (!err && is_short(row) && next < count)
		err = add_checkpoint(row, index, location, next);
	if (!err && is_short(row) && count)
		err = add_checkpoint(row, index, location, count);
	return err;
}

/* Takes the values of a row at checkpoints: about two for a column. 0 or -errno. */
static int read_checkpoints(struct curve_row *row, struct fathom_frame_index *index, uint32_t location, uint64_t from,
			    uint32_t columns)
{
	uint32_t first = fathom_detail_checkpoint(index, location, from);
	uint32_t last = fathom_detail_checkpoint(index, location, row->to) + 1;
	uint32_t count = index->locations[location].checkpoint_count, step;
	int err = 0;

	last = last < count ? last : count;
	step = (last - first) / (2 * columns + 1) + 1;
	for (uint32_t number = first; number < last && !err; number += step)
		err = add_checkpoint(row, index, location, number);
	return err ? err : add_checkpoint(row, index, location, last);
}

int fathom_window_curves_read(struct fathom_metric_curves *curves, struct fathom_frame_index *index,
			      const struct fathom_trace_picture *picture, uint64_t from, uint64_t to, uint32_t columns)
{
	struct curve_row row = { .curves = curves, .defs = &index->trace->defs, .to = to };
	struct fathom_tally sum = { 0 };
	int err = 0;

	for (uint32_t r = 0; r < picture->row_count && !err; r++)
		if (has_metrics(index, picture->locations[r]))
			err = fathom_frame_window_sum(index, picture->locations[r], from, to, &sum);
	for (row.row = 0; row.row < picture->row_count && !err; row.row++) {
		uint32_t location = picture->locations[row.row];

		row.later = 0;
		if (!has_metrics(index, location))
			continue;
		/* A short location has no checkpoints. */
		err = sum.counts.events <= EVENTS_MOST || !index->locations[location].checkpoint_count ?
		      read_values(&row, index, location, from) :
		      read_checkpoints(&row, index, location, from, columns);
	}
	/* Between checkpoints, samples are taken as evenly spread. */
	if (sum.counts.events > EVENTS_MOST && curves->samples >= 0)
		curves->curves[curves->samples].counts_samples = false;
	fathom_tally_fini(&sum);
	return err;
}
