#include "frames/frame_window.h"

#include <errno.h>
#include <string.h>

#include "frames/location_events.h"

struct window {
	struct fathom_frame_index *index;
	uint32_t location;
	uint64_t from, to;
	uint64_t finest;		/* 0: sums */
	fathom_frame_take *take;
	void *taker;
	struct fathom_tally *sum;	/* NULL: intervals are wanted */
	struct fathom_location_events events;
	bool has_events;		/* events are open */
	struct fathom_tally joined;	/* short parts that are not passed on yet */
	bool has_joined;
	uint64_t joined_begin, joined_end;
};

/* A block as it is read. */
struct block {
	uint32_t count;
	uint64_t at, begin, end;
	struct fathom_stream_position position;
	struct fathom_byte_cursor cursor;	/* at the state, in blocks of cells; then at the next child */
};

/* Returns whether the preview of a child is all that is needed of the child. */
static bool suffices(const struct window *window, const struct fathom_preview *child)
{
	if (!window->sum)
		return child->end - child->begin <= window->finest;
	/* An event at the very end of the window does not count, so a child that ends there is looked into. */
	return child->begin >= window->from && child->end < window->to;
}

/* Passes the parts on that were joined. */
static void pass_joined(struct window *window)
{
	struct fathom_preview preview = { .begin = window->joined_begin, .end = window->joined_end };

	if (window->has_joined) {
		fathom_preview_make(&preview, &window->joined, &window->index->paths, FATHOM_PREVIEW_SHARES);
		window->take(window->taker, &preview);
	}
	fathom_tally_clear(&window->joined);
	window->has_joined = false;
}

/* Makes room for a part among those that are joined: passes these on if they would become too long with it. */
static void join(struct window *window, uint64_t begin, uint64_t end)
{
	if (window->has_joined && end - window->joined_begin > window->finest)
		pass_joined(window);
	if (!window->has_joined)
		window->joined_begin = begin;
	window->joined_end = end;
	window->has_joined = true;
}

/* Takes the preview of a child that suffices. */
static void take_preview(struct window *window, const struct fathom_preview *preview)
{
	if (window->sum) {
		fathom_tally_add_preview(window->sum, preview);
	} else if (preview->end - preview->begin > window->finest / 2) {
		/* Joined to others, it would soon be too long. */
		pass_joined(window);
		window->take(window->taker, preview);
	} else {
		join(window, preview->begin, preview->end);
		fathom_tally_add_preview(&window->joined, preview);
	}
}

/* --- events ---------------------------------------------------------------------------------------------- */

/* Takes the part of a block between two events, on one path. */
static void take_part(struct window *window, uint32_t path, uint64_t begin, uint64_t end)
{
	if (begin < window->from)
		begin = window->from;
	if (end > window->to)
		end = window->to;
	if (end <= begin)
		return;
	if (window->sum) {
		fathom_tally_add_time(window->sum, path, end - begin);
		return;
	}
	join(window, begin, end);
	fathom_tally_add_time(&window->joined, path, end - begin);
}

static void take_event(struct window *window)
{
	if (window->events.time < window->from || window->events.time >= window->to)
		return;
	if (!window->sum && !window->has_joined)
		join(window, window->events.time, window->events.time);
	fathom_location_events_count(&window->events, window->sum ? window->sum : &window->joined);
}

/* Stands before the first event of a block of cells, whose record is read up to the state. 0 or -errno. */
static int begin_events(struct window *window, struct block *block)
{
	int err = 0;

	if (!window->has_events)
		err = fathom_location_events_open(&window->events, window->index->trace, window->location,
						  &window->index->paths);
	if (err)
		return err;
	window->has_events = true;
	err = fathom_location_events_seek(&window->events, block->position, block->begin);
	if (err)
		return err;
	return fathom_location_state_read(&window->events.state, &block->cursor) ? 0 : -EILSEQ;
}

/* Reads the events of one child of a block of cells, which the stream stands before. If the child is not wanted, its
 * events only change the state. */
static int read_cell(struct window *window, const struct fathom_preview *cell, bool is_wanted)
{
	struct fathom_location_events *events = &window->events;
	uint64_t before = cell->begin;

	for (uint64_t i = 0; i < cell->counts.events; i++) {
		uint32_t path = fathom_location_state_path(&events->state);
		int result = fathom_location_events_next(events);

		if (result <= 0)
			return result < 0 ? result : -EILSEQ;
		if (is_wanted) {
			if (i)
				take_part(window, path, before, events->time);
			take_event(window);
			before = events->time;
		}
		fathom_location_state_apply(&events->state, &events->record);
	}
	if (is_wanted)
		take_part(window, fathom_location_state_path(&events->state), before, cell->end);
	return 0;
}

/* --- blocks ---------------------------------------------------------------------------------------------- */

static int read_block(struct window *window, uint32_t level, uint64_t at, uint64_t begin, uint64_t end);

/* Begins to read the record of a block. False: it is damaged. */
static bool open_block(struct window *window, uint32_t level, struct block *block)
{
	block->cursor = fathom_frame_file_record(&window->index->file, block->at);
	block->count = block->cursor.at ? (uint32_t)fathom_byte_cursor_number(&block->cursor) : 0;
	if (block->count == 0 || block->count > FATHOM_FRAME_FAN_OUT)
		return false;
	if (level == 1) {
		block->position.offset = fathom_byte_cursor_number(&block->cursor);
		block->position.ticks = fathom_byte_cursor_number(&block->cursor);
	}
	return block->cursor.at;
}

/* Reads the children of a block of cells. The events before those of the cells that are wanted are read, too. */
static int read_cells(struct window *window, struct block *block)
{
	struct fathom_preview cells[FATHOM_FRAME_FAN_OUT];
	uint64_t begin = block->begin;
	uint32_t last = 0;		/* 1 + the last cell whose events are needed */
	int err = begin_events(window, block);

	for (uint32_t i = 0; i < block->count && !err; i++) {
		cells[i].begin = begin;
		if (!fathom_preview_read(&cells[i], &block->cursor, window->index->paths.count))
			return -EILSEQ;
		begin = cells[i].end;
		if (cells[i].end >= window->from && cells[i].begin < window->to && !suffices(window, &cells[i]))
			last = i + 1;
	}
	for (uint32_t i = 0; i < block->count && !err; i++) {
		bool is_inside = cells[i].end >= window->from && cells[i].begin < window->to;
		bool is_enough = suffices(window, &cells[i]);

		if (is_inside && is_enough)
			take_preview(window, &cells[i]);
		if (i < last)
			err = read_cell(window, &cells[i], is_inside && !is_enough);
	}
	return err;
}

/* Reads the children of a larger block. */
static int read_blocks(struct window *window, uint32_t level, struct block *block)
{
	uint64_t begin = block->begin;
	int err = 0;

	for (uint32_t i = 0; i < block->count && !err; i++) {
		uint64_t distance = fathom_byte_cursor_number(&block->cursor);
		struct fathom_preview child = { .begin = begin };

		if (!fathom_preview_read(&child, &block->cursor, window->index->paths.count) || distance == 0 ||
		    distance > block->at)
			return -EILSEQ;
		begin = child.end;
		if (child.end < window->from || child.begin >= window->to)
			continue;
		if (suffices(window, &child))
			take_preview(window, &child);
		else
			err = read_block(window, level - 1, block->at - distance, child.begin, child.end);
	}
	return err;
}

static int read_block(struct window *window, uint32_t level, uint64_t at, uint64_t begin, uint64_t end)
{
	struct block block = { .at = at, .begin = begin, .end = end };

	if (!open_block(window, level, &block))
		return -EILSEQ;
	return level == 1 ? read_cells(window, &block) : read_blocks(window, level, &block);
}

static int read_window(struct window *window)
{
	const struct fathom_frame_location *location = &window->index->locations[window->location];
	struct fathom_byte_cursor cursor = location->preview;
	struct fathom_preview preview = { .begin = location->begin };
	int err = 0;

	if (!location->level || location->end < window->from || location->begin >= window->to)
		return 0;
	if (!fathom_preview_read(&preview, &cursor, window->index->paths.count))
		return -EILSEQ;
	if (suffices(window, &preview))
		take_preview(window, &preview);
	else
		err = read_block(window, location->level, location->block_at, location->begin, location->end);
	if (!window->sum)
		pass_joined(window);
	if (window->has_events)
		fathom_location_events_close(&window->events);
	fathom_tally_fini(&window->joined);
	return err;
}

int fathom_frame_window_read(struct fathom_frame_index *index, uint32_t location, uint64_t from, uint64_t to,
			     uint64_t finest, fathom_frame_take *take, void *taker)
{
	struct window window = { .index = index, .location = location, .from = from, .to = to, .finest = finest,
				 .take = take, .taker = taker };

	return read_window(&window);
}

int fathom_frame_window_sum(struct fathom_frame_index *index, uint32_t location, uint64_t from, uint64_t to,
			    struct fathom_tally *tally)
{
	struct window window = { .index = index, .location = location, .from = from, .to = to, .sum = tally };

	return read_window(&window);
}
