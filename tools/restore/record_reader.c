#include "record_reader.h"

#include <otf2/otf2.h>
#include <string.h>

#include "otf2/records.h"
#include "trace/mpi_objects.h"

/* At the position of a record, this byte means that the rest of the chunk is empty. */
enum { NOTHING = 0 };

/* A position in a chunk. at is NULL after a read beyond the end. */
struct place {
	const uint8_t *at, *end;
};

static uint8_t take_byte(struct place *place)
{
	if (!place->at || place->at == place->end) {
		place->at = NULL;
		return 0;
	}
	return *place->at++;
}

static uint64_t take_raw(struct place *place, size_t bytes)
{
	uint64_t value = 0;

	if (!place->at || (size_t)(place->end - place->at) < bytes) {
		place->at = NULL;
		return 0;
	}
	memcpy(&value, place->at, bytes);
	place->at += bytes;
	return value;
}

/* Reads a number of at most `most` bytes. */
static uint64_t take_number(struct place *place, size_t most)
{
	uint8_t bytes = take_byte(place);

	if (bytes == UINT8_MAX)
		return most == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;
	if (bytes > most)
		place->at = NULL;
	return take_raw(place, bytes);
}

static uint64_t take_field(struct place *place, char type)
{
	if (type == 'b')
		return take_byte(place);
	return take_number(place, type == 'i' ? sizeof(uint32_t) : sizeof(uint64_t));
}

/* Skips attributes. fathom writes one for a record at most: a number, or a text that lists neighbours. */
static void take_attributes(struct place *place)
{
	uint8_t bytes = take_byte(place);
	struct place inner = { place->at, NULL };
	uint64_t attribute;

	if (!place->at || bytes > place->end - place->at) {
		place->at = NULL;
		return;
	}
	inner.end = place->at + bytes;
	place->at += bytes;
	if (take_number(&inner, sizeof(uint32_t)) != 1)
		place->at = NULL;
	attribute = take_number(&inner, sizeof(uint32_t));
	if (attribute > FATHOM_TRACE_ATTRIBUTE_OFFSET ||
	    take_byte(&inner) != (attribute == FATHOM_TRACE_ATTRIBUTE_NEIGHBORS ? OTF2_TYPE_STRING : OTF2_TYPE_UINT64))
		place->at = NULL;
	take_number(&inner, attribute == FATHOM_TRACE_ATTRIBUTE_NEIGHBORS ? sizeof(uint32_t) : sizeof(uint64_t));
	if (inner.at != inner.end)
		place->at = NULL;
}

/* Reads the length of the fields of the next record, and sets inner to these fields. */
static void take_length(struct place *place, struct place *inner)
{
	uint64_t bytes = take_byte(place);

	if (bytes == FATHOM_RECORD_LONG_LENGTH)
		bytes = take_raw(place, sizeof(bytes));
	*inner = *place;
	if (!place->at || bytes > (uint64_t)(place->end - place->at)) {
		place->at = inner->at = NULL;
		return;
	}
	inner->end = place->at + bytes;
	place->at += bytes;
}

static void take_metric(struct place *place, struct event *event)
{
	struct place inner;

	take_length(place, &inner);
	event->fields[0] = take_number(&inner, sizeof(uint32_t));
	event->value_count = take_byte(&inner);
	for (uint32_t i = 0; inner.at && i < event->value_count; i++) {
		event->types[i] = take_byte(&inner);
		event->values[i] = take_number(&inner, sizeof(uint64_t));
		if (event->types[i] != OTF2_TYPE_UINT64 && event->types[i] != OTF2_TYPE_INT64 &&
		    event->types[i] != OTF2_TYPE_DOUBLE)
			inner.at = NULL;
	}
	if (inner.at != inner.end)
		place->at = NULL;
}

static void take_fields(struct place *place, const char *fields, struct event *event)
{
	bool has_length = *fields != '-';
	struct place inner = *place;

	if (has_length)
		take_length(place, &inner);
	for (size_t i = !has_length; inner.at && fields[i]; i++)
		event->fields[i - !has_length] = take_field(&inner, fields[i]);
	if (!inner.at || (has_length && inner.at != inner.end))
		place->at = NULL;
	else if (!has_length)
		place->at = inner.at;
}

/* Returns the fields of a record. NULL: fathom writes no record of this kind, or writes it in another form. Records
 * without fields are brackets. */
static const char *fields_of(uint8_t record)
{
	if (record >= FATHOM_RECORD_COUNT)
		return NULL;
	if (!*fathom_otf2_fields[record] && record != FATHOM_RECORD_MPI_COLLECTIVE_BEGIN &&
	    record != FATHOM_RECORD_RMA_COLLECTIVE_BEGIN)
		return NULL;
	return fathom_otf2_fields[record];
}

/* Skips the fields of a raw sample. */
static void take_raw_sample(struct place *place)
{
	struct place inner;

	if (place->at && place->at < place->end && *place->at != FATHOM_RECORD_LONG_LENGTH)
		place->at = NULL;
	take_length(place, &inner);
}

static void take_record(struct place *place, struct event *event)
{
	const char *fields;

	event->record = take_byte(place);
	event->value_count = 0;
	fields = fields_of(event->record);
	if (!place->at)
		return;
	if (event->record == FATHOM_RECORD_METRIC) {
		take_metric(place, event);
	} else if (event->record == FATHOM_RECORD_BUFFER_FLUSH) {
		if (take_byte(place) != sizeof(uint64_t))
			place->at = NULL;
		event->fields[0] = take_raw(place, sizeof(uint64_t));
	} else if (event->record == FATHOM_RECORD_RAW) {
		take_raw_sample(place);
	} else if (fields) {
		take_fields(place, fields, event);
	} else {
		place->at = NULL;
	}
}

uint64_t record_reader_begin(struct record_reader *reader, const uint8_t *chunk, size_t bytes)
{
	uint64_t first = 0;

	if (bytes < FATHOM_OTF2_CHUNK_HEAD_BYTES || chunk[0] != FATHOM_RECORD_CHUNK_MARK ||
	    chunk[1] != FATHOM_RECORD_LITTLE_ENDIAN_MARK)
		return 0;
	memcpy(&first, chunk + 2, sizeof(first));
	reader->at = chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES;
	reader->end = chunk + bytes;
	reader->has_time = false;
	return first;
}

static bool is_end(const struct place *place)
{
	return place->at == place->end || *place->at == NOTHING || *place->at == FATHOM_RECORD_END_OF_BUFFER ||
	       *place->at == FATHOM_RECORD_END_OF_FILE;
}

enum record_result record_reader_next(struct record_reader *reader, struct event *event)
{
	struct place place = { reader->at, reader->end };
	bool has_time = reader->has_time;

	if (is_end(&place))
		return RECORD_END;
	event->ticks = reader->ticks;
	if (*place.at == FATHOM_RECORD_TIME_MARK) {
		place.at++;
		event->ticks = take_raw(&place, sizeof(event->ticks));
		has_time = true;
		if (place.at && event->ticks < reader->ticks)
			return RECORD_DAMAGED;
	}
	if (place.at && is_end(&place))
		return RECORD_END;
	if (place.at && *place.at == FATHOM_RECORD_ATTRIBUTES_MARK) {
		place.at++;
		take_attributes(&place);
	}
	if (place.at)
		take_record(&place, event);
	if (!place.at || !has_time)
		return RECORD_DAMAGED;
	reader->at = place.at;
	reader->ticks = event->ticks;
	reader->has_time = true;
	return RECORD_READ;
}

/* --- references ----------------------------------------------------------------------------------- */

/* For each field of a record, the kind of object that the field refers to: a region, communicator, string, parameter,
 * metric, window, list of ranks (l), file, or handle; a dot: none. */
static const char references[][8] = {
	[FATHOM_RECORD_ENTER] = "r",
	[FATHOM_RECORD_LEAVE] = "r",
	[FATHOM_RECORD_MPI_SEND] = ".c",
	[FATHOM_RECORD_MPI_ISEND] = ".c",
	[FATHOM_RECORD_MPI_RECV] = ".c",
	[FATHOM_RECORD_MPI_IRECV] = ".c",
	[FATHOM_RECORD_MPI_COLLECTIVE_END] = ".c",
	[FATHOM_RECORD_METRIC] = "m",
	[FATHOM_RECORD_PARAMETER_STRING] = "ps",
	[FATHOM_RECORD_PARAMETER_INT] = "p",
	[FATHOM_RECORD_PARAMETER_UNSIGNED_INT] = "p",
	[FATHOM_RECORD_RMA_WIN_CREATE] = "w",
	[FATHOM_RECORD_RMA_WIN_DESTROY] = "w",
	[FATHOM_RECORD_RMA_COLLECTIVE_END] = "..w",
	[FATHOM_RECORD_RMA_GROUP_SYNC] = ".wl",
	[FATHOM_RECORD_RMA_REQUEST_LOCK] = "w",
	[FATHOM_RECORD_RMA_ACQUIRE_LOCK] = "w",
	[FATHOM_RECORD_RMA_TRY_LOCK] = "w",
	[FATHOM_RECORD_RMA_RELEASE_LOCK] = "w",
	[FATHOM_RECORD_RMA_SYNC] = "w",
	[FATHOM_RECORD_RMA_WAIT_CHANGE] = "w",
	[FATHOM_RECORD_RMA_PUT] = "w",
	[FATHOM_RECORD_RMA_GET] = "w",
	[FATHOM_RECORD_RMA_ATOMIC] = "w",
	[FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING] = "w",
	[FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING] = "w",
	[FATHOM_RECORD_RMA_OP_TEST] = "w",
	[FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE] = "w",
	[FATHOM_RECORD_THREAD_TEAM_BEGIN] = "c",
	[FATHOM_RECORD_THREAD_TEAM_END] = "c",
	[FATHOM_RECORD_THREAD_TASK_CREATE] = "c",
	[FATHOM_RECORD_THREAD_TASK_SWITCH] = "c",
	[FATHOM_RECORD_THREAD_TASK_COMPLETE] = "c",
	[FATHOM_RECORD_THREAD_CREATE] = "c",
	[FATHOM_RECORD_THREAD_BEGIN] = "c",
	[FATHOM_RECORD_THREAD_WAIT] = "c",
	[FATHOM_RECORD_THREAD_END] = "c",
	[FATHOM_RECORD_IO_CREATE_HANDLE] = "h",
	[FATHOM_RECORD_IO_DESTROY_HANDLE] = "h",
	[FATHOM_RECORD_IO_DUPLICATE_HANDLE] = "hh",
	[FATHOM_RECORD_IO_SEEK] = "h",
	[FATHOM_RECORD_IO_CHANGE_STATUS_FLAGS] = "h",
	[FATHOM_RECORD_IO_DELETE_FILE] = ".f",
	[FATHOM_RECORD_IO_OPERATION_BEGIN] = "h",
	[FATHOM_RECORD_IO_OPERATION_TEST] = "h",
	[FATHOM_RECORD_IO_OPERATION_ISSUED] = "h",
	[FATHOM_RECORD_IO_OPERATION_COMPLETE] = "h",
	[FATHOM_RECORD_IO_OPERATION_CANCELLED] = "h",
	[FATHOM_RECORD_IO_ACQUIRE_LOCK] = "h",
	[FATHOM_RECORD_IO_RELEASE_LOCK] = "h",
	[FATHOM_RECORD_IO_TRY_LOCK] = "h",
	[FATHOM_RECORD_PROGRAM_BEGIN] = "s.s",
	[FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE] = ".c",
	[FATHOM_RECORD_COMM_CREATE] = "c",
	[FATHOM_RECORD_COMM_DESTROY] = "c",
};

static uint64_t limit_of(const struct event_limits *limits, char reference)
{
	switch (reference) {
	case 'r': return limits->regions;
	case 'c': return limits->comms;
	case 's': return limits->strings;
	case 'p': return limits->parameters;
	case 'm': return limits->metrics;
	case 'w': return limits->windows;
	case 'l': return limits->ranks;
	case 'f': return limits->files;
	case 'h': return limits->handles;
	default: return UINT64_MAX;
	}
}

bool event_is_defined(const struct event *event, const struct event_limits *limits)
{
	const char *reference = "";

	if (event->record < sizeof(references) / sizeof(*references))
		reference = references[event->record];
	for (size_t i = 0; reference[i]; i++)
		/* If the process had no memory for an object, the object has no number. */
		if (event->fields[i] >= limit_of(limits, reference[i]) && event->fields[i] != UINT32_MAX)
			return false;
	return true;
}
