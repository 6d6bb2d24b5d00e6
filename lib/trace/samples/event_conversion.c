#include "trace/samples/event_conversion.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "define/region.h"
#include "event/sampled_frames.h"
#include "otf2/records.h"
#include "platform/module.h"
#include "platform/write.h"
#include "system/definition_pool.h"
#include "trace/archive.h"
#include "trace/buffer.h"
#include "trace/samples/calling_contexts.h"
#include "trace/samples/raw_samples.h"

/* --- reading events ----------------------------------------------------------------------------------- */

struct event_reader {
	int file;
	uint8_t *chunk;
	const uint8_t *at, *end;	/* of the records that are not read yet */
	uint64_t ticks;			/* time of the last record */
};

/* A record, with the attributes that precede it. */
struct event_record {
	const uint8_t *begin, *number, *end;	/* number: behind the attributes */
	uint64_t ticks;
};

/* Reads the next chunk. Returns its number of bytes; 0: there is none; or -errno. */
static ssize_t read_chunk(struct event_reader *reader)
{
	size_t bytes = 0;

	while (bytes < FATHOM_TRACE_CHUNK_BYTES) {
		ssize_t length = read(reader->file, reader->chunk + bytes, FATHOM_TRACE_CHUNK_BYTES - bytes);

		if (length < 0 && errno != EINTR)
			return -errno;
		if (length == 0)
			break;
		bytes += length > 0 ? (size_t)length : 0;
	}
	if (bytes && bytes < FATHOM_OTF2_CHUNK_HEAD_BYTES)
		return -EIO;
	reader->at = reader->chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES;
	reader->end = reader->chunk + bytes;
	return (ssize_t)bytes;
}

/* Returns whether the chunk has no further record. */
static bool is_chunk_end(const struct event_reader *reader)
{
	return reader->at >= reader->end || *reader->at <= FATHOM_RECORD_END_OF_FILE;
}

/* Reads the next record. 1: there is one; 0: there is none; or -errno. */
static int read_record(struct event_reader *reader, struct event_record *record)
{
	while (is_chunk_end(reader) || *reader->at == FATHOM_RECORD_TIME_MARK) {
		ssize_t bytes;

		if (!is_chunk_end(reader)) {
			memcpy(&reader->ticks, reader->at + 1, sizeof(reader->ticks));
			reader->at += FATHOM_OTF2_TIME_BYTES;
			continue;
		}
		bytes = read_chunk(reader);
		if (bytes <= 0)
			return (int)bytes;
	}
	record->begin = record->number = reader->at;
	if (*reader->at == FATHOM_RECORD_ATTRIBUTES_MARK)
		record->number = fathom_otf2_record_end(reader->at);
	if (record->number >= reader->end || *record->number >= FATHOM_RECORD_COUNT)
		return -EIO;
	record->end = fathom_otf2_record_end(record->number);
	record->ticks = reader->ticks;
	if (record->end > reader->end)
		return -EIO;
	reader->at = record->end;
	return 1;
}

/* Returns a number at *at, and moves *at behind it. */
static uint64_t take_number(const uint8_t **at)
{
	uint64_t value = 0;
	uint8_t bytes = *(*at)++;

	if (bytes == UINT8_MAX)
		return UINT64_MAX;
	memcpy(&value, *at, bytes > sizeof(value) ? sizeof(value) : bytes);
	*at += bytes;
	return value;
}

/* --- writing events ------------------------------------------------------------------------------------ */

/* Without a file, events are only counted. */
struct event_writer {
	int file;			/* -1: none */
	uint8_t *chunk, *at;
	uint64_t ticks;			/* time of the last record */
	uint64_t events;
	int err;
};

enum { FIRST_EVENT_OFFSET = 2, LAST_EVENT_OFFSET = 10, END_BYTES = 2 };

static void begin_chunk(struct event_writer *writer)
{
	uint64_t first = writer->events + 1;

	writer->chunk[0] = FATHOM_RECORD_CHUNK_MARK;
	writer->chunk[1] = FATHOM_RECORD_LITTLE_ENDIAN_MARK;
	memcpy(writer->chunk + FIRST_EVENT_OFFSET, &first, sizeof(first));
	memset(writer->chunk + LAST_EVENT_OFFSET, 0, sizeof(uint64_t));
	writer->at = writer->chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES;
}

/* Writes the chunk; of its bytes only the first ones. */
static void end_chunk(struct event_writer *writer, size_t bytes)
{
	size_t used = (size_t)(writer->at - writer->chunk);

	memcpy(writer->chunk + LAST_EVENT_OFFSET, &writer->events, sizeof(writer->events));
	memset(writer->at, 0, FATHOM_TRACE_CHUNK_BYTES - used);
	if (!writer->err && writer->file >= 0)
		writer->err = fathom_write_all(writer->file, writer->chunk, bytes);
}

static void put_time(struct event_writer *writer, uint64_t ticks)
{
	*writer->at = FATHOM_RECORD_TIME_MARK;
	memcpy(writer->at + 1, &ticks, sizeof(ticks));
	writer->at += FATHOM_OTF2_TIME_BYTES;
	writer->ticks = ticks;
}

/* Makes room for a record at ticks, with that many bytes, and writes its time if that is new. */
static void begin_record(struct event_writer *writer, uint64_t ticks, size_t bytes)
{
	size_t room = FATHOM_TRACE_CHUNK_BYTES - (size_t)(writer->at - writer->chunk);
	bool has_records = writer->at > writer->chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES;

	if (has_records && room < FATHOM_OTF2_TIME_BYTES + bytes + END_BYTES) {
		end_chunk(writer, FATHOM_TRACE_CHUNK_BYTES);
		begin_chunk(writer);
		put_time(writer, ticks);
	} else if (!has_records || ticks != writer->ticks) {
		put_time(writer, ticks);
	}
	writer->events++;
}

static void copy_bytes(struct event_writer *writer, const uint8_t *from, const uint8_t *end)
{
	memcpy(writer->at, from, (size_t)(end - from));
	writer->at += end - from;
}

static void copy_record(struct event_writer *writer, const struct event_record *record)
{
	begin_record(writer, record->ticks, (size_t)(record->end - record->begin));
	copy_bytes(writer, record->begin, record->end);
}

static void close_events(struct event_writer *writer)
{
	writer->at[0] = FATHOM_RECORD_END_OF_FILE;
	writer->at[1] = FATHOM_RECORD_END_OF_BUFFER;
	writer->at += END_BYTES;
	end_chunk(writer, (size_t)(writer->at - writer->chunk));
}

/* --- the contexts of a location ------------------------------------------------------------------------- */

struct task_key {
	uint32_t comm, creator, number;
};

/* The activity in a team, or outside of all teams. */
struct level {
	uint32_t outer;			/* the context in which the team began */
	uint32_t implicit;		/* the context of the implicit task, while an explicit task is executed */
	bool is_in_task;		/* an explicit task is executed, which is: */
	struct task_key task;
};

/* A module of the process, while it was loaded. */
struct loaded_module {
	uint64_t begin, end, bias, entry;
	uint32_t number;
	enum fathom_code_kind kind;
};

enum { MOST_EVENTS = 32 };

struct conversion {
	struct fathom_arena arena;
	bool is_alive;
	const struct fathom_context_numbers *numbers;	/* NULL: contexts are only being found */
	struct event_reader reader;
	struct event_writer writer;
	struct fathom_pool tasks;	/* keys of the tasks that were suspended, in all locations */
	uint32_t *task_contexts;	/* by task: where it was suspended */
	uint32_t task_room;
	/* Of the location that is converted: */
	const struct fathom_trace *trace;
	uint32_t context;		/* of the innermost active region */
	uint32_t previous;		/* of the last event with a context; of a leave, its parent */
	struct level *levels;
	uint32_t level_count, level_room;
	struct loaded_module *modules;	/* oldest first */
	uint32_t module_count, module_room;
	uint32_t generators[MOST_EVENTS];	/* by event: its generator */
	struct fathom_sample_frame *frames;
	uint32_t frame_room;
	int err;
};

static struct level *innermost(struct conversion *conversion)
{
	return &conversion->levels[conversion->level_count - 1];
}

static void begin_level(struct conversion *conversion)
{
	if (!fathom_arena_grow(&conversion->arena, &conversion->levels, &conversion->level_room,
			       conversion->level_count + 1, sizeof(*conversion->levels))) {
		conversion->err = -ENOMEM;
		return;
	}
	conversion->levels[conversion->level_count++] = (struct level){ .outer = conversion->context };
}

static void end_level(struct conversion *conversion)
{
	if (conversion->level_count < 2)
		return;
	conversion->context = innermost(conversion)->outer;
	conversion->level_count--;
}

/* Remembers the context of a task that is suspended. */
static void suspend_task(struct conversion *conversion, const struct task_key *task)
{
	int64_t number = fathom_pool_add(&conversion->tasks, task, sizeof(*task));

	if (number < 0 || !fathom_arena_grow(&conversion->arena, &conversion->task_contexts, &conversion->task_room,
					     (uint32_t)number + 1, sizeof(*conversion->task_contexts)))
		conversion->err = -ENOMEM;
	else
		conversion->task_contexts[number] = conversion->context;
}

/* Returns the context of a task that begins or continues. */
static uint32_t resume_task(const struct conversion *conversion, const struct task_key *task)
{
	int64_t number = fathom_pool_find(&conversion->tasks, task, sizeof(*task));

	return number < 0 ? FATHOM_NO_CONTEXT : conversion->task_contexts[number];
}

static void switch_task(struct conversion *conversion, const struct task_key *task)
{
	struct level *level = innermost(conversion);

	if (level->is_in_task)
		suspend_task(conversion, &level->task);
	else
		level->implicit = conversion->context;
	level->is_in_task = task->number;
	level->task = *task;
	conversion->context = level->is_in_task ? resume_task(conversion, task) : level->implicit;
}

static void complete_task(struct conversion *conversion)
{
	struct level *level = innermost(conversion);

	if (!level->is_in_task)
		return;
	level->is_in_task = false;
	conversion->context = level->implicit;
}

/* --- enters and leaves ------------------------------------------------------------------------------------ */

static const struct fathom_code_place no_place;

/* Writes a record of a calling context in place of another record, whose attributes it gets. generator: of a sample. */
static void put_context(struct conversion *conversion, const struct event_record *record, enum fathom_record kind,
			uint32_t context, uint32_t generator)
{
	enum { MOST_BYTES = 2 + 4 * FATHOM_OTF2_NUMBER_MOST_BYTES };
	const struct fathom_context_numbers *numbers = conversion->numbers;
	struct event_writer *writer = &conversion->writer;
	uint8_t *length;

	if (!numbers) {
		writer->events++;
		return;
	}
	if (context >= numbers->context_count) {
		conversion->err = -EIO;		/* the files have changed */
		return;
	}
	begin_record(writer, record->ticks, (size_t)(record->number - record->begin) + MOST_BYTES);
	copy_bytes(writer, record->begin, record->number);
	writer->at[0] = (uint8_t)kind;
	length = writer->at + 1;
	writer->at = fathom_trace_number(length + 1, numbers->contexts[context]);
	if (kind != FATHOM_RECORD_CALLING_CONTEXT_LEAVE)
		writer->at = fathom_trace_number(writer->at,
						 fathom_calling_context_distance(conversion->previous, context,
										 numbers->contexts));
	if (kind == FATHOM_RECORD_CALLING_CONTEXT_SAMPLE)
		writer->at = fathom_trace_number(writer->at, numbers->generators[generator]);
	*length = (uint8_t)(writer->at - length - 1);
}

static uint32_t find_context(struct conversion *conversion, uint32_t parent, uint32_t region,
			     struct fathom_code_place place)
{
	uint32_t context = fathom_calling_context_find(parent, region, place);

	if (context == FATHOM_NO_CONTEXT)
		conversion->err = -ENOMEM;
	return context;
}

static void take_enter(struct conversion *conversion, const struct event_record *record)
{
	const uint8_t *field = record->number + 1;
	uint32_t context = find_context(conversion, conversion->context, (uint32_t)take_number(&field), no_place);

	if (conversion->err)
		return;
	put_context(conversion, record, FATHOM_RECORD_CALLING_CONTEXT_ENTER, context, UINT32_MAX);
	conversion->context = conversion->previous = context;
}

/* A task may continue on another thread, whose file may be converted before the one in which the task began. Then the
 * context of its region is not known, and the region stands alone. */
static void take_leave(struct conversion *conversion, const struct event_record *record)
{
	const uint8_t *field = record->number + 1;
	uint32_t region = (uint32_t)take_number(&field), context = conversion->context;

	while (context != FATHOM_NO_CONTEXT && fathom_calling_context_at(context)->region != region)
		context = fathom_calling_context_at(context)->parent;
	if (context != FATHOM_NO_CONTEXT)
		conversion->context = fathom_calling_context_at(context)->parent;
	else
		context = find_context(conversion, FATHOM_NO_CONTEXT, region, no_place);
	if (conversion->err)
		return;
	put_context(conversion, record, FATHOM_RECORD_CALLING_CONTEXT_LEAVE, context, UINT32_MAX);
	conversion->previous = fathom_calling_context_at(context)->parent;
}

/* --- samples ------------------------------------------------------------------------------------------------ */

static void add_module(struct conversion *conversion, const struct loaded_module *module, const char *path,
		       size_t length)
{
	struct loaded_module *added;

	if (!fathom_arena_grow(&conversion->arena, &conversion->modules, &conversion->module_room,
			       conversion->module_count + 1, sizeof(*conversion->modules))) {
		conversion->err = -ENOMEM;
		return;
	}
	added = &conversion->modules[conversion->module_count];
	*added = *module;
	added->number = fathom_code_module_number(path, length);
	if (added->number == UINT32_MAX) {
		conversion->err = -ENOMEM;
		return;
	}
	added->kind = fathom_code_kind_of(fathom_code_module_path(added->number));
	conversion->module_count++;
}

/* Returns the module of an address; NULL: it is not known. */
static const struct loaded_module *module_of(struct conversion *conversion, uint64_t address)
{
	static struct fathom_module found;
	struct loaded_module module = { 0 };

	for (uint32_t i = conversion->module_count; i-- > 0;)
		if (address - conversion->modules[i].begin <
		    conversion->modules[i].end - conversion->modules[i].begin)
			return &conversion->modules[i];
	if (!conversion->is_alive || fathom_module_find_is_lock_free() || !address ||
	    fathom_module_find((const void *)(uintptr_t)address, &found))
		return NULL;
	module.begin = found.begin;
	module.end = found.end;
	module.bias = found.bias;
	add_module(conversion, &module, found.path, strlen(found.path));
	return conversion->err ? NULL : &conversion->modules[conversion->module_count - 1];
}

/* A return address is behind the call, which may be in another line. */
static struct fathom_code_place place_of(const struct loaded_module *module, const struct fathom_sample_frame *frame,
					 bool is_innermost)
{
	if (!module)
		return no_place;
	return (struct fathom_code_place){
		.module = 1 + module->number,
		.offset = frame->address - module->bias - !is_innermost,
	};
}

/* Reads the frames of a sample. Returns false if there are none. */
static bool read_frames(struct conversion *conversion, const struct fathom_raw_record *raw, const uint8_t *end)
{
	const uint8_t *at = raw->frames;

	if (!raw->frame_count || raw->frame_count > FATHOM_TRACE_CHUNK_BYTES)
		return false;
	if (!fathom_arena_grow(&conversion->arena, &conversion->frames, &conversion->frame_room,
			       (uint32_t)raw->frame_count, sizeof(*conversion->frames))) {
		conversion->err = -ENOMEM;
		return false;
	}
	for (uint64_t i = 0; i < raw->frame_count; i++)
		if (!fathom_raw_frame_read(&conversion->frames[i], &at, end))
			return false;
	return true;
}

/* The recorded context of a sample, and what is known of its frames so far. */
struct sampled {
	uint32_t recorded;		/* context; FATHOM_NO_CONTEXT: no region is active */
	uint32_t context;		/* of the frames so far */
	const struct fathom_region *region;	/* of recorded; NULL: none */
	bool is_thread_root;
	struct fathom_frame_filter filter;
};

/* Moves the sample's context next to the recorded one: to its region, at a place in the code. */
static void place_recorded(struct conversion *conversion, struct sampled *sampled, struct fathom_code_place place)
{
	const struct fathom_calling_context *recorded;

	if (!sampled->region || sampled->is_thread_root || fathom_region_is_block(sampled->region) || !place.module)
		return;
	recorded = fathom_calling_context_at(sampled->recorded);
	sampled->context = find_context(conversion, recorded->parent, recorded->region, place);
}

/* Adds a frame to the sample's context. */
static void add_frame(struct conversion *conversion, struct sampled *sampled, const struct fathom_sample_frame *frame,
		      bool is_own, bool is_innermost)
{
	uint64_t address = frame->function ? frame->function : frame->address;
	const struct loaded_module *module = module_of(conversion, address);
	struct fathom_code_place place = place_of(module, frame, is_innermost);
	struct fathom_filtered_frame filtered = {
		.recorded = sampled->region,
		.is_thread_root = sampled->is_thread_root,
		.is_entry = module && frame->function && frame->function == module->entry,
		.kind = module ? module->kind : FATHOM_CODE_PROGRAM,
	};
	bool is_edge = sampled->filter.is_edge, is_first = false;
	uint32_t region;

	if (is_own) {
		place_recorded(conversion, sampled, place);
		return;
	}
	if (conversion->err || !fathom_frame_is_shown(&sampled->filter, &filtered, &is_first))
		return;
	if (is_first)
		sampled->context = sampled->recorded;
	region = module && frame->function ?
		 fathom_code_function_region(module->number, frame->function - module->bias) :
		 fathom_code_unknown_region();
	/* The unwinder may end with the frame of the recorded function and not know that it is this one. */
	if (is_edge && sampled->region && sampled->region->id == region && sampled->context == sampled->recorded)
		place_recorded(conversion, sampled, place);
	else
		sampled->context = find_context(conversion, sampled->context, region, place);
}

/* Returns the context of a sample. */
static uint32_t context_of(struct conversion *conversion, const struct fathom_raw_record *raw, const uint8_t *end)
{
	struct sampled sampled = { .recorded = conversion->context, .filter = { .is_edge = true } };

	for (uint64_t i = 0; i < raw->stale && sampled.recorded != FATHOM_NO_CONTEXT; i++)
		sampled.recorded = fathom_calling_context_at(sampled.recorded)->parent;
	sampled.context = sampled.recorded;
	sampled.is_thread_root = true;
	if (sampled.recorded != FATHOM_NO_CONTEXT) {
		const struct fathom_calling_context *recorded = fathom_calling_context_at(sampled.recorded);

		sampled.region = fathom_region_by_id(recorded->region);
		sampled.is_thread_root = recorded->depth == 1 &&
					 conversion->trace->location->kind == FATHOM_KIND_INITIAL;
	}
	if (read_frames(conversion, raw, end)) {
		if (raw->is_partial)
			sampled.context = find_context(conversion, sampled.context, fathom_code_partial_region(),
						       no_place);
		for (uint64_t i = raw->frame_count; i-- > 0 && !conversion->err;)
			add_frame(conversion, &sampled, &conversion->frames[i],
				  raw->has_own && !raw->is_partial && i + 1 == raw->frame_count, i == 0);
	}
	if (sampled.context == FATHOM_NO_CONTEXT && !conversion->err)
		sampled.context = find_context(conversion, FATHOM_NO_CONTEXT, fathom_code_unknown_region(), no_place);
	return sampled.context;
}

static void take_sample(struct conversion *conversion, const struct event_record *record,
			const struct fathom_raw_record *raw)
{
	uint32_t context = context_of(conversion, raw, record->end);
	uint32_t generator = raw->event < MOST_EVENTS ? conversion->generators[raw->event] : UINT32_MAX;

	if (conversion->err)
		return;
	if (generator == UINT32_MAX) {
		conversion->err = -EIO;
		return;
	}
	put_context(conversion, record, FATHOM_RECORD_CALLING_CONTEXT_SAMPLE, context, generator);
	conversion->previous = context;
}

static void take_raw(struct conversion *conversion, const struct event_record *record)
{
	struct fathom_raw_record raw;

	if (!fathom_raw_record_read(&raw, record->number)) {
		conversion->err = -EIO;
		return;
	}
	switch (raw.kind) {
	case FATHOM_RAW_MODULE:
		add_module(conversion, &(struct loaded_module){ .begin = raw.begin, .end = raw.end, .bias = raw.bias,
								.entry = raw.entry }, raw.text, raw.text_bytes);
		break;
	case FATHOM_RAW_EVENT:
		if (raw.event < MOST_EVENTS)
			conversion->generators[raw.event] =
				fathom_trace_generator_find(raw.event == FATHOM_SAMPLE_TIME, raw.period, raw.text,
							    raw.text_bytes);
		break;
	case FATHOM_RAW_SAMPLE:
		take_sample(conversion, record, &raw);
		break;
	}
}

/* --- a file ---------------------------------------------------------------------------------------------------- */

static void take_record(struct conversion *conversion, const struct event_record *record)
{
	const uint8_t *field = record->number + 2;
	struct task_key task;

	switch (*record->number) {
	case FATHOM_RECORD_ENTER:
		take_enter(conversion, record);
		return;
	case FATHOM_RECORD_LEAVE:
		take_leave(conversion, record);
		return;
	case FATHOM_RECORD_RAW:
		take_raw(conversion, record);
		return;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		begin_level(conversion);
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		end_level(conversion);
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
		task.comm = (uint32_t)take_number(&field);
		task.creator = (uint32_t)take_number(&field);
		task.number = (uint32_t)take_number(&field);
		switch_task(conversion, &task);
		break;
	case FATHOM_RECORD_THREAD_TASK_COMPLETE:
		complete_task(conversion);
		break;
	default:
		break;
	}
	if (conversion->numbers)
		copy_record(&conversion->writer, record);
	else
		conversion->writer.events++;
}

/* Converts the events of a location. Its file is open for reading. */
static int convert_events(struct conversion *conversion)
{
	struct event_record record;
	int result = 0;

	conversion->context = conversion->previous = FATHOM_NO_CONTEXT;
	conversion->level_count = conversion->module_count = 0;
	memset(conversion->generators, -1, sizeof(conversion->generators));
	conversion->reader.at = conversion->reader.end = NULL;
	conversion->reader.ticks = conversion->writer.ticks = 0;
	conversion->writer.events = 0;
	begin_chunk(&conversion->writer);
	begin_level(conversion);
	while (!conversion->err && !conversion->writer.err && (result = read_record(&conversion->reader, &record)) > 0)
		take_record(conversion, &record);
	if (conversion->numbers)
		close_events(&conversion->writer);
	if (conversion->err)
		return conversion->err;
	return conversion->writer.err ? conversion->writer.err : result;
}

/* Converts the events of a location; the new ones go to a file with the path to, if contexts have numbers. */
static int convert_location(struct conversion *conversion, struct fathom_trace *trace, const char *to)
{
	char path[4096 + 64];
	int err = 0;

	conversion->trace = trace;
	fathom_trace_event_path(trace, path, sizeof(path));
	conversion->reader.file = open(path, O_RDONLY | O_CLOEXEC);
	if (conversion->reader.file < 0)
		return -errno;
	if (conversion->numbers) {
		conversion->writer.file = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		err = conversion->writer.file < 0 ? -errno : 0;
	}
	if (!err)
		err = convert_events(conversion);
	close(conversion->reader.file);
	if (conversion->writer.file >= 0 && close(conversion->writer.file) && !err)
		err = -errno;
	conversion->writer.file = -1;
	return err;
}

/* Makes room for a chunk of each file, and for what the last number of a record may write behind it. */
static int begin_conversion(struct conversion *conversion)
{
	enum { ROOM = 64 };

	conversion->writer.file = -1;
	conversion->reader.chunk = fathom_arena_alloc(&conversion->arena, FATHOM_TRACE_CHUNK_BYTES + ROOM);
	conversion->writer.chunk = fathom_arena_alloc(&conversion->arena, FATHOM_TRACE_CHUNK_BYTES + ROOM);
	return conversion->reader.chunk && conversion->writer.chunk ? 0 : -ENOMEM;
}

static int end_conversion(struct conversion *conversion, int err)
{
	if (err)
		fathom_trace_fail(err);
	fathom_pool_fini(&conversion->tasks);
	fathom_arena_fini(&conversion->arena);
	return err;
}

/* This process recorded the events; set when their contexts are found. */
static bool has_recorded;

int fathom_trace_find_contexts(bool is_alive)
{
	struct conversion conversion = { .is_alive = is_alive };
	int err = begin_conversion(&conversion);

	has_recorded = is_alive;
	for (struct fathom_trace *trace = fathom_trace_archive_newest(); !err && trace; trace = trace->next) {
		err = convert_location(&conversion, trace, NULL);
		trace->buffer.events = conversion.writer.events;
	}
	return end_conversion(&conversion, err);
}

/* All contexts exist already, because the locations are in the same order as before. */
int fathom_trace_write_contexts(const char *directory, uint32_t rank, const struct fathom_context_numbers *numbers)
{
	struct conversion conversion = { .numbers = numbers, .is_alive = has_recorded };
	int err = begin_conversion(&conversion);
	char path[4096 + 64];

	for (struct fathom_trace *trace = fathom_trace_archive_newest(); !err && trace; trace = trace->next) {
		fathom_trace_archive_moved_path(trace, directory, rank, path, sizeof(path));
		err = convert_location(&conversion, trace, path);
	}
	return end_conversion(&conversion, err);
}
