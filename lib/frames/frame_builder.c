#include "frames/frame_builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frames/checkpoint.h"
#include "frames/frame_file.h"
#include "frames/location_events.h"
#include "frames/preview.h"
#include "otf2/event_decoder.h"
#include "otf2/memory.h"

/* The number of call paths in a preview: of a cell, of a block of cells, of a larger block. */
enum { CELL_SHARES = 3, BLOCK_SHARES = 16, LARGE_SHARES = FATHOM_PREVIEW_SHARES };

/* Progress is noted, and memory of the event file given back, after so many events. */
enum { NOTE_EVENTS = 1 << 16 };

/* Checkpoints are so many events apart, and so many times as many bytes of the event file as the last one has. So they
 * need at most about 0.05 % of the trace. */
enum { CHECKPOINT_EVENTS = 1 << 15, CHECKPOINT_SHARE = 2048 };

/* A block that is not complete. Level 0 is a cell: only its sums are used. */
struct open_block {
	uint64_t begin;
	struct fathom_tally tally;
	struct fathom_preview children[FATHOM_FRAME_FAN_OUT];
	uint64_t child_at[FATHOM_FRAME_FAN_OUT];	/* offsets of the children's records; not of cells */
	uint32_t count;			/* of children */
	struct fathom_stream_position position;	/* of the first event; in blocks of cells */
	struct fathom_byte_buffer state;	/* before the first event; in blocks of cells */
};

/* The checkpoints of the present location. */
struct checkpoints {
	struct fathom_checkpoint state;
	struct fathom_event_decoder decoder;
	struct fathom_byte_buffer record;
	struct fathom_byte_buffer list;		/* where they are, as in the table of locations */
	uint64_t count, events, time, at;	/* at: offset of the last one; where the next one in the list begins */
	uint64_t least_offset;			/* in the event file, of the next one */
};

struct builder {
	struct fathom_otf2_archive *trace;
	struct checkpoints checkpoints;
	struct fathom_frame_writer writer;
	struct fathom_path_table paths;
	struct open_block *blocks;	/* by level */
	uint32_t top;			/* the highest level with a child in this location */
	struct fathom_byte_buffer record, locations;
	uint64_t events, noted;
	void (*note_progress)(uint64_t events);
};

static uint32_t shares_at(uint32_t level)
{
	return level == 0 ? CELL_SHARES : level == 1 ? BLOCK_SHARES : LARGE_SHARES;
}

/* Adds a complete child to the open block of a level. */
static void add_child(struct builder *builder, uint32_t level, const struct fathom_preview *child, uint64_t child_at)
{
	struct open_block *block = &builder->blocks[level];

	if (!block->count)
		block->begin = child->begin;
	block->children[block->count] = *child;
	block->child_at[block->count++] = child_at;
	if (level > builder->top)
		builder->top = level;
}

/* Writes the record of a block. Returns its offset. */
static uint64_t write_block(struct builder *builder, uint32_t level)
{
	struct open_block *block = &builder->blocks[level];
	struct fathom_byte_buffer *record = &builder->record;

	record->count = 0;
	fathom_byte_buffer_number(record, block->count);
	if (level == 1) {
		fathom_byte_buffer_number(record, block->position.offset);
		fathom_byte_buffer_number(record, block->position.ticks);
		fathom_byte_buffer_bytes(record, block->state.bytes, block->state.count);
	}
	for (uint32_t i = 0; i < block->count; i++) {
		if (level > 1)
			fathom_byte_buffer_number(record, builder->writer.at - block->child_at[i]);
		fathom_preview_write(&block->children[i], record);
	}
	return fathom_frame_writer_put(&builder->writer, record);
}

/* Completes the open block of a level at a time, and sets preview. Its sums go to the next level. */
static void close_sums(struct builder *builder, uint32_t level, uint64_t end, struct fathom_preview *preview)
{
	struct open_block *block = &builder->blocks[level];

	preview->begin = block->begin;
	preview->end = end;
	fathom_preview_make(preview, &block->tally, &builder->paths, shares_at(level));
	if (level + 1 < FATHOM_FRAME_LEVELS)
		fathom_tally_add(&builder->blocks[level + 1].tally, &block->tally);
	fathom_tally_clear(&block->tally);
}

/* Completes a block, and all blocks that it fills. */
static void close_block(struct builder *builder, uint32_t level, uint64_t end)
{
	struct fathom_preview preview;
	uint64_t offset = write_block(builder, level);

	close_sums(builder, level, end, &preview);
	builder->blocks[level].count = 0;
	add_child(builder, level + 1, &preview, offset);
	if (builder->blocks[level + 1].count == FATHOM_FRAME_FAN_OUT)
		close_block(builder, level + 1, end);
}

static void close_cell(struct builder *builder, uint64_t end)
{
	struct fathom_preview preview;

	close_sums(builder, 0, end, &preview);
	add_child(builder, 1, &preview, 0);
	if (builder->blocks[1].count == FATHOM_FRAME_FAN_OUT)
		close_block(builder, 1, end);
}

/* --- checkpoints ------------------------------------------------------------------------------------------- */

static void begin_checkpoints(struct builder *builder, uint32_t location)
{
	struct checkpoints *checkpoints = &builder->checkpoints;

	fathom_checkpoint_init(&checkpoints->state, &builder->trace->defs, location, FATHOM_CHANNELS_MOST);
	checkpoints->list.count = 0;
	checkpoints->count = checkpoints->events = checkpoints->time = checkpoints->at = 0;
	checkpoints->least_offset = 0;
}

/* Writes a checkpoint in front of an event with that number and time. */
static void put_checkpoint(struct builder *builder, uint64_t event, uint64_t time, uint64_t file_offset)
{
	struct checkpoints *checkpoints = &builder->checkpoints;
	uint64_t at;

	checkpoints->record.count = 0;
	fathom_checkpoint_write(&checkpoints->state, time, &checkpoints->record);
	at = fathom_frame_writer_put(&builder->writer, &checkpoints->record);
	fathom_byte_buffer_number(&checkpoints->list, event - checkpoints->events);
	fathom_byte_buffer_number(&checkpoints->list, time - checkpoints->time);
	fathom_byte_buffer_number(&checkpoints->list, at - checkpoints->at);
	checkpoints->count++;
	checkpoints->events = event;
	checkpoints->time = time;
	checkpoints->at = at;
	checkpoints->least_offset = file_offset + checkpoints->record.count * CHECKPOINT_SHARE;
}

/* Keeps the state of the checkpoints up to date. 0 or -errno. */
static int follow_event(struct builder *builder, struct fathom_location_events *events)
{
	struct checkpoints *checkpoints = &builder->checkpoints;
	uint8_t kind = events->record.kind;
	bool is_metric = kind == FATHOM_RECORD_METRIC || kind == FATHOM_RECORD_CALLING_CONTEXT_SAMPLE;
	struct fathom_channel_end end;
	struct fathom_otf2_event event;
	int err;

	if (!is_metric && !fathom_checkpoint_needs(kind))
		return 0;
	err = fathom_location_events_decode(events, &checkpoints->decoder, &event);
	if (err)
		return err;
	if (is_metric)
		fathom_metric_values_take(&checkpoints->state.metrics, &builder->trace->defs, &event, NULL, NULL);
	else
		fathom_checkpoint_apply(&checkpoints->state, &event, &end);
	return 0;
}

/* Writes a last checkpoint behind the last event if there are others, and adds the list of them to the table of
 * locations. */
static void finish_checkpoints(struct builder *builder, uint64_t events, uint64_t end)
{
	struct checkpoints *checkpoints = &builder->checkpoints;

	if (checkpoints->count)
		put_checkpoint(builder, events, end, 0);
	fathom_byte_buffer_number(&builder->locations, checkpoints->count);
	fathom_byte_buffer_bytes(&builder->locations, checkpoints->list.bytes, checkpoints->list.count);
}

/* --- events ------------------------------------------------------------------------------------------------ */

/* Notes where a block of cells begins. */
static void begin_block(struct builder *builder, const struct fathom_location_events *events,
			struct fathom_stream_position position)
{
	struct open_block *block = &builder->blocks[1];

	block->position = position;
	block->state.count = 0;
	fathom_location_state_write(&events->state, &block->state);
}

static void note(struct builder *builder, struct fathom_location_events *events)
{
	if (builder->events - builder->noted < NOTE_EVENTS)
		return;
	builder->noted = builder->events;
	if (!builder->trace->source)
		fathom_record_stream_release(&events->stream);
	if (builder->note_progress)
		builder->note_progress(builder->events);
}

/* Reads the events of a location into blocks. Returns the number of events, or -errno. */
static int64_t read_events(struct builder *builder, struct fathom_location_events *events)
{
	struct open_block *cell = &builder->blocks[0];
	int64_t count = 0;
	int result;

	for (;; count++) {
		struct fathom_stream_position position = fathom_location_events_position(events);
		uint64_t before = events->time;

		result = fathom_location_events_next(events);
		if (result <= 0)
			return result < 0 ? result : count;
		if (count)
			fathom_tally_add_time(&cell->tally, fathom_location_state_path(&events->state),
					      events->time - before);
		if (count % FATHOM_FRAME_CELL_EVENTS == 0) {
			if (count)
				close_cell(builder, events->time);
			cell->begin = events->time;
			if (!builder->blocks[1].count) {
				begin_block(builder, events, position);
				if ((uint64_t)count >= builder->checkpoints.events + CHECKPOINT_EVENTS &&
				    position.offset >= builder->checkpoints.least_offset)
					put_checkpoint(builder, (uint64_t)count, events->time, position.offset);
			}
			note(builder, events);
		}
		fathom_location_events_count(events, &cell->tally);
		result = follow_event(builder, events);
		if (result)
			return result;
		fathom_location_state_apply(&events->state, &events->record);
		builder->events++;
	}
}

/* Closes the blocks of a location, and describes the highest one in the table of locations. */
static void finish_location(struct builder *builder, uint64_t events, uint64_t end)
{
	struct fathom_preview preview;
	struct open_block *top;
	uint64_t offset;

	close_cell(builder, end);
	for (uint32_t level = 1; level < builder->top; level++)
		if (builder->blocks[level].count)
			close_block(builder, level, end);
	top = &builder->blocks[builder->top];
	offset = write_block(builder, builder->top);
	close_sums(builder, builder->top, end, &preview);
	top->count = 0;
	fathom_byte_buffer_number(&builder->locations, builder->top);
	fathom_byte_buffer_number(&builder->locations, offset);
	fathom_byte_buffer_number(&builder->locations, preview.begin);
	fathom_preview_write(&preview, &builder->locations);
	finish_checkpoints(builder, events, end);
	for (uint32_t level = 0; level < FATHOM_FRAME_LEVELS; level++)
		fathom_tally_clear(&builder->blocks[level].tally);
}

static int add_location(struct builder *builder, uint32_t index)
{
	const struct fathom_otf2_location *location =
		fathom_otf2_at(&builder->trace->defs, FATHOM_OTF2_LOCATION, index);
	struct fathom_location_events events;
	int64_t count;
	int err;

	builder->top = 0;
	if (!fathom_otf2_is_read(builder->trace, location) || (!location->event_bytes && !builder->trace->source)) {
		fathom_byte_buffer_number(&builder->locations, 0);
		return 0;
	}
	err = fathom_location_events_open(&events, builder->trace, index, &builder->paths);
	if (err)
		return err;
	begin_checkpoints(builder, index);
	count = read_events(builder, &events);
	if (count > 0)
		finish_location(builder, (uint64_t)count, events.time);
	else if (count == 0)
		fathom_byte_buffer_number(&builder->locations, 0);
	fathom_location_events_close(&events);
	fathom_checkpoint_fini(&builder->checkpoints.state);
	return count < 0 ? (int)count : 0;
}

/* Writes the call paths and the locations. Returns the offset of the record. */
static uint64_t write_tables(struct builder *builder)
{
	struct fathom_byte_buffer *record = &builder->record;

	record->count = 0;
	fathom_byte_buffer_number(record, builder->paths.count);
	for (uint32_t i = FATHOM_PATH_SEVERAL + 1; i < builder->paths.count; i++) {
		fathom_byte_buffer_number(record, builder->paths.paths[i].region);
		fathom_byte_buffer_number(record, builder->paths.paths[i].parent);
	}
	fathom_byte_buffer_bytes(record, builder->locations.bytes, builder->locations.count);
	return fathom_frame_writer_put(&builder->writer, record);
}

static void free_builder(struct builder *builder)
{
	for (uint32_t level = 0; level < FATHOM_FRAME_LEVELS; level++) {
		fathom_tally_fini(&builder->blocks[level].tally);
		free(builder->blocks[level].state.bytes);
	}
	free(builder->blocks);
	fathom_event_decoder_fini(&builder->checkpoints.decoder);
	free(builder->checkpoints.record.bytes);
	free(builder->checkpoints.list.bytes);
	free(builder->record.bytes);
	free(builder->locations.bytes);
	fathom_path_table_fini(&builder->paths);
}

int fathom_frames_build(struct fathom_otf2_archive *trace, const char *path, void (*note_progress)(uint64_t events))
{
	struct builder builder = { .trace = trace, .note_progress = note_progress };
	size_t count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);
	struct fathom_frame_head head = { .location_count = (uint32_t)count };
	int err = fathom_frame_writer_open(&builder.writer, path);

	if (err) {
		snprintf(trace->error, sizeof(trace->error), "%.1800s: %s", builder.writer.path, strerror(-err));
		return err;
	}
	head.fingerprint = fathom_frame_fingerprint(trace);
	builder.blocks = fathom_otf2_memory_alloc(FATHOM_FRAME_LEVELS, sizeof(*builder.blocks));
	fathom_path_table_init(&builder.paths);
	for (size_t i = 0; i < count && !err; i++)
		err = add_location(&builder, (uint32_t)i);
	if (err) {
		fathom_frame_writer_abandon(&builder.writer);
	} else {
		head.tables_at = write_tables(&builder);
		head.events = builder.events;
		err = fathom_frame_writer_close(&builder.writer, path, &head);
		if (err)
			snprintf(trace->error, sizeof(trace->error), "%.1800s: %s", path, strerror(-err));
	}
	free_builder(&builder);
	return err;
}
