#include "frames/detail_events.h"

#include <errno.h>

#include "frames/location_events.h"
#include "otf2/event_decoder.h"

/* The state of a reading. */
struct walk {
	struct fathom_detail_reading *reading;
	struct fathom_location_events events;
	struct fathom_event_decoder decoder;
	uint64_t first_event;		/* events with lower numbers are not read */
	bool is_over;
};

uint32_t fathom_detail_checkpoint(const struct fathom_frame_index *index, uint32_t location, uint64_t time)
{
	const struct fathom_frame_location *frame = &index->locations[location];
	uint32_t low = 0, high = frame->checkpoint_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (frame->checkpoints[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int fathom_detail_state(const struct fathom_frame_index *index, uint32_t location, uint32_t number,
			struct fathom_checkpoint *state)
{
	const struct fathom_frame_checkpoint *checkpoint;
	struct fathom_byte_cursor cursor;

	if (!number)
		return 0;
	checkpoint = &index->locations[location].checkpoints[number - 1];
	cursor = fathom_frame_file_record(&index->file, checkpoint->at);
	return cursor.at && fathom_checkpoint_read(state, checkpoint->time, &cursor) ? 0 : -EILSEQ;
}

static bool is_wanted(const struct fathom_detail_reading *reading, uint8_t kind)
{
	if (reading->kinds & FATHOM_DETAIL_METRICS)
		return kind == FATHOM_RECORD_METRIC || kind == FATHOM_RECORD_CALLING_CONTEXT_SAMPLE;
	return fathom_checkpoint_needs(kind);
}

/* Reads the events of a block of cells, which begins at a time with the event of that number. */
static int read_events(struct walk *walk, struct fathom_stream_position position, uint64_t begin, uint64_t number,
		       uint64_t count)
{
	struct fathom_detail_reading *reading = walk->reading;
	struct fathom_otf2_event event;
	int result;

	result = fathom_location_events_seek(&walk->events, position, begin);
	if (result)
		return result;
	for (uint64_t i = 0; i < count && !walk->is_over; i++, number++) {
		if (!reading->events_left--) {
			reading->events_left = 0;
			return -E2BIG;
		}
		result = fathom_location_events_next(&walk->events);
		if (result <= 0)
			return result < 0 ? result : -EILSEQ;
		if (number < walk->first_event || !is_wanted(reading, walk->events.record.kind))
			continue;
		if (!reading->goes_on(reading->taker, walk->events.time)) {
			walk->is_over = true;
			break;
		}
		result = fathom_location_events_decode(&walk->events, &walk->decoder, &event);
		if (result)
			return result;
		event.location = reading->location;
		reading->take(reading->taker, &event);
	}
	return 0;
}

/* Reads the block of cells at the cursor, which is behind the number of cells. */
static int read_cells(struct walk *walk, struct fathom_byte_cursor *cursor, const struct fathom_preview *block,
		      uint64_t number)
{
	struct fathom_stream_position position;

	position.offset = fathom_byte_cursor_number(cursor);
	position.ticks = fathom_byte_cursor_number(cursor);
	return cursor->at ? read_events(walk, position, block->begin, number, block->counts.events) : -EILSEQ;
}

/* Reads a block, whose preview is given and whose first event has that number. */
static int read_block(struct walk *walk, uint32_t level, uint64_t at, const struct fathom_preview *block,
		      uint64_t number)
{
	struct fathom_frame_index *index = walk->reading->index;
	struct fathom_byte_cursor cursor = fathom_frame_file_record(&index->file, at);
	uint64_t count = cursor.at ? fathom_byte_cursor_number(&cursor) : 0, begin = block->begin;
	int err = 0;

	if (count == 0 || count > FATHOM_FRAME_FAN_OUT)
		return -EILSEQ;
	if (level == 1)
		return read_cells(walk, &cursor, block, number);
	for (uint64_t i = 0; i < count && !err && !walk->is_over; i++) {
		uint64_t distance = fathom_byte_cursor_number(&cursor);
		struct fathom_preview child = { .begin = begin };

		if (!fathom_preview_read(&child, &cursor, index->paths.count) || distance == 0 || distance > at)
			return -EILSEQ;
		begin = child.end;
		if (number + child.counts.events > walk->first_event) {
			if (!walk->reading->goes_on(walk->reading->taker, child.begin))
				walk->is_over = true;
			else if (child.marks & walk->reading->kinds)
				err = read_block(walk, level - 1, at - distance, &child, number);
		}
		number += child.counts.events;
	}
	return err;
}

int fathom_detail_events_read(struct fathom_detail_reading *reading, uint32_t number)
{
	struct fathom_frame_index *index = reading->index;
	const struct fathom_frame_location *location = &index->locations[reading->location];
	struct fathom_byte_cursor cursor = location->preview;
	struct fathom_preview preview = { .begin = location->begin };
	struct walk walk = { .reading = reading };
	int err;

	if (!location->level)
		return 0;
	if (!fathom_preview_read(&preview, &cursor, index->paths.count))
		return -EILSEQ;
	if (!(preview.marks & reading->kinds))
		return 0;
	if (number)
		walk.first_event = location->checkpoints[number - 1].event;
	err = fathom_location_events_open(&walk.events, index->trace, reading->location, &index->paths);
	if (err)
		return err;
	err = read_block(&walk, location->level, location->block_at, &preview, 0);
	fathom_location_events_close(&walk.events);
	fathom_event_decoder_fini(&walk.decoder);
	return err;
}
