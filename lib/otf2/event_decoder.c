#include "otf2/event_decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

/*
 * The members of struct fathom_otf2_event that the fields of a record are, in the order of fathom_otf2_fields; r: ref,
 * O: other, i: id, p: peer, t: tag, o: op, c: count, b: bytes, B: bytes_received.
 */
static const char members[FATHOM_RECORD_COUNT][8] = {
	[FATHOM_RECORD_MEASUREMENT_ON_OFF] = "o",
	[FATHOM_RECORD_ENTER] = "r",
	[FATHOM_RECORD_LEAVE] = "r",
	[FATHOM_RECORD_MPI_SEND] = "prtb",
	[FATHOM_RECORD_MPI_ISEND] = "prtbi",
	[FATHOM_RECORD_MPI_ISEND_COMPLETE] = "i",
	[FATHOM_RECORD_MPI_IRECV_REQUEST] = "i",
	[FATHOM_RECORD_MPI_RECV] = "prtb",
	[FATHOM_RECORD_MPI_IRECV] = "prtbi",
	[FATHOM_RECORD_MPI_REQUEST_TEST] = "i",
	[FATHOM_RECORD_MPI_REQUEST_CANCELLED] = "i",
	[FATHOM_RECORD_MPI_COLLECTIVE_END] = "orpbB",
	[FATHOM_RECORD_PARAMETER_STRING] = "rO",
	[FATHOM_RECORD_PARAMETER_INT] = "ri",
	[FATHOM_RECORD_PARAMETER_UNSIGNED_INT] = "ri",
	[FATHOM_RECORD_RMA_WIN_CREATE] = "r",
	[FATHOM_RECORD_RMA_WIN_DESTROY] = "r",
	[FATHOM_RECORD_RMA_COLLECTIVE_END] = "otrpbB",
	[FATHOM_RECORD_RMA_GROUP_SYNC] = "trO",
	[FATHOM_RECORD_RMA_REQUEST_LOCK] = "rpio",
	[FATHOM_RECORD_RMA_ACQUIRE_LOCK] = "rpio",
	[FATHOM_RECORD_RMA_TRY_LOCK] = "rpio",
	[FATHOM_RECORD_RMA_RELEASE_LOCK] = "rpi",
	[FATHOM_RECORD_RMA_SYNC] = "rpo",
	[FATHOM_RECORD_RMA_WAIT_CHANGE] = "r",
	[FATHOM_RECORD_RMA_PUT] = "rpbi",
	[FATHOM_RECORD_RMA_GET] = "rpBi",
	[FATHOM_RECORD_RMA_ATOMIC] = "rpobBi",
	[FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING] = "ri",
	[FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING] = "ri",
	[FATHOM_RECORD_RMA_OP_TEST] = "ri",
	[FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE] = "ri",
	[FATHOM_RECORD_THREAD_FORK] = "oc",
	[FATHOM_RECORD_THREAD_JOIN] = "o",
	[FATHOM_RECORD_THREAD_TEAM_BEGIN] = "r",
	[FATHOM_RECORD_THREAD_TEAM_END] = "r",
	[FATHOM_RECORD_THREAD_ACQUIRE_LOCK] = "oit",
	[FATHOM_RECORD_THREAD_RELEASE_LOCK] = "oit",
	[FATHOM_RECORD_THREAD_TASK_CREATE] = "rpt",
	[FATHOM_RECORD_THREAD_TASK_SWITCH] = "rpt",
	[FATHOM_RECORD_THREAD_TASK_COMPLETE] = "rpt",
	[FATHOM_RECORD_THREAD_CREATE] = "ri",
	[FATHOM_RECORD_THREAD_BEGIN] = "ri",
	[FATHOM_RECORD_THREAD_WAIT] = "ri",
	[FATHOM_RECORD_THREAD_END] = "ri",
	[FATHOM_RECORD_CALLING_CONTEXT_ENTER] = "rc",
	[FATHOM_RECORD_CALLING_CONTEXT_LEAVE] = "r",
	[FATHOM_RECORD_CALLING_CONTEXT_SAMPLE] = "rcO",
	[FATHOM_RECORD_IO_CREATE_HANDLE] = "rotc",
	[FATHOM_RECORD_IO_DESTROY_HANDLE] = "r",
	[FATHOM_RECORD_IO_DUPLICATE_HANDLE] = "rOo",
	[FATHOM_RECORD_IO_SEEK] = "riob",
	[FATHOM_RECORD_IO_CHANGE_STATUS_FLAGS] = "ro",
	[FATHOM_RECORD_IO_DELETE_FILE] = "rO",
	[FATHOM_RECORD_IO_OPERATION_BEGIN] = "rotbi",
	[FATHOM_RECORD_IO_OPERATION_TEST] = "ri",
	[FATHOM_RECORD_IO_OPERATION_ISSUED] = "ri",
	[FATHOM_RECORD_IO_OPERATION_COMPLETE] = "rbi",
	[FATHOM_RECORD_IO_OPERATION_CANCELLED] = "ri",
	[FATHOM_RECORD_IO_ACQUIRE_LOCK] = "ro",
	[FATHOM_RECORD_IO_RELEASE_LOCK] = "ro",
	[FATHOM_RECORD_IO_TRY_LOCK] = "ro",
	[FATHOM_RECORD_PROGRAM_END] = "i",
	[FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST] = "i",
	[FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE] = "orpbBi",
	[FATHOM_RECORD_COMM_CREATE] = "r",
	[FATHOM_RECORD_COMM_DESTROY] = "r",
};

static void set_member(struct fathom_otf2_event *event, char member, uint64_t value)
{
	switch (member) {
	case 'r': event->ref = value; break;
	case 'O': event->other = value; break;
	case 'i': event->id = value; break;
	case 'p': event->peer = (uint32_t)value; break;
	case 't': event->tag = (uint32_t)value; break;
	case 'o': event->op = (uint32_t)value; break;
	case 'c': event->count = (uint32_t)value; break;
	case 'b': event->bytes = value; break;
	case 'B': event->bytes_received = value; break;
	}
}

/* --- fields of any number ------------------------------------------------------------------------------ */

static void take_arguments(struct fathom_event_decoder *decoder, struct fathom_record_bytes *bytes,
			   struct fathom_otf2_event *event)
{
	uint64_t count;

	event->ref = fathom_record_take_number(bytes, false);
	count = fathom_record_take_number(bytes, false);
	for (event->count = 0; bytes->at && event->count < count; event->count++) {
		decoder->arguments = fathom_otf2_memory_grow(decoder->arguments, event->count, &decoder->argument_room,
							     sizeof(*decoder->arguments));
		decoder->arguments[event->count] = (uint32_t)fathom_record_take_number(bytes, false);
	}
	event->types = decoder->arguments;
}

static void take_values(struct fathom_event_decoder *decoder, struct fathom_record_bytes *bytes,
			struct fathom_otf2_event *event)
{
	event->ref = fathom_record_take_number(bytes, false);
	event->count = (uint32_t)fathom_record_take_byte(bytes);
	for (uint32_t i = 0; i < event->count; i++) {
		decoder->types[i] = (OTF2_Type)fathom_record_take_byte(bytes);
		decoder->values[i].unsigned_int = fathom_record_take_number(bytes, true);
	}
	event->types = decoder->types;
	event->values = decoder->values;
}

/* --- attributes -------------------------------------------------------------------------------------------- */

static uint64_t take_raw(struct fathom_record_bytes *bytes, size_t count)
{
	uint64_t value = 0;

	if (!bytes->at || (size_t)(bytes->end - bytes->at) < count) {
		bytes->at = NULL;
		return 0;
	}
	memcpy(&value, bytes->at, count);
	bytes->at += count;
	return value;
}

static OTF2_AttributeValue take_value(struct fathom_record_bytes *bytes, OTF2_Type type)
{
	OTF2_AttributeValue value = { .uint64 = 0 };

	switch (type) {
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8: value.uint8 = (uint8_t)take_raw(bytes, 1); break;
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16: value.uint16 = (uint16_t)take_raw(bytes, 2); break;
	case OTF2_TYPE_FLOAT: value.uint32 = (uint32_t)take_raw(bytes, 4); break;
	case OTF2_TYPE_DOUBLE: value.uint64 = take_raw(bytes, 8); break;
	case OTF2_TYPE_UINT64:
	case OTF2_TYPE_INT64:
	case OTF2_TYPE_LOCATION: value.uint64 = fathom_record_take_number(bytes, true); break;
	default: value.uint32 = (uint32_t)fathom_record_take_number(bytes, false); break;
	}
	return value;
}

static int take_attributes(struct fathom_event_decoder *decoder, struct fathom_record_bytes bytes,
			   struct fathom_otf2_event *event)
{
	uint64_t count;

	if (!decoder->attributes)
		decoder->attributes = OTF2_AttributeList_New();
	if (!decoder->attributes)
		return -ENOMEM;
	OTF2_AttributeList_RemoveAllAttributes(decoder->attributes);
	count = fathom_record_take_number(&bytes, false);
	while (bytes.at && count-- > 0) {
		uint32_t attribute = (uint32_t)fathom_record_take_number(&bytes, false);
		OTF2_Type type = (OTF2_Type)fathom_record_take_byte(&bytes);
		OTF2_AttributeValue value = take_value(&bytes, type);

		if (bytes.at)
			OTF2_AttributeList_AddAttribute(decoder->attributes, attribute, type, value);
	}
	event->attributes = decoder->attributes;
	return bytes.at ? 0 : -EILSEQ;
}

/* --- the event --------------------------------------------------------------------------------------------- */

/* The function new_id of the renaming. */
static uint64_t global_id(void *data, enum fathom_otf2_space space, uint64_t id)
{
	if (space == FATHOM_OTF2_LOCATION)
		return id;
	return fathom_otf2_global_id(fathom_otf2_translation_table(data, space), id);
}

static bool is_of_old_openmp(uint8_t kind)
{
	return kind >= FATHOM_RECORD_OMP_FORK && kind <= FATHOM_RECORD_OMP_TASK_COMPLETE;
}

/* Returns whether the record has fields that a record_stream does not decode. */
static bool has_list(enum fathom_record kind)
{
	return kind == FATHOM_RECORD_METRIC || kind == FATHOM_RECORD_PROGRAM_BEGIN ||
	       kind == FATHOM_RECORD_BUFFER_FLUSH;
}

int fathom_event_decoder_take(struct fathom_event_decoder *decoder, const struct fathom_record_stream *stream,
			      const struct fathom_stream_record *record,
			      struct fathom_otf2_translation *translation, struct fathom_otf2_event *event)
{
	struct fathom_record_bytes bytes = stream->fields;
	int err = 0;

	*event = (struct fathom_otf2_event){ .kind = record->kind };
	event->time = fathom_otf2_global_time(translation, record->ticks);
	if (is_of_old_openmp(record->kind))
		return -ENOTSUP;
	if (record->kind >= FATHOM_RECORD_COUNT || record->kind < FATHOM_RECORD_BUFFER_FLUSH)
		event->kind = FATHOM_RECORD_UNKNOWN;
	for (int i = 0; members[event->kind][i]; i++)
		set_member(event, members[event->kind][i], record->fields[i]);
	if (event->kind == FATHOM_RECORD_METRIC)
		take_values(decoder, &bytes, event);
	else if (event->kind == FATHOM_RECORD_PROGRAM_BEGIN)
		take_arguments(decoder, &bytes, event);
	else if (event->kind == FATHOM_RECORD_BUFFER_FLUSH)
		event->id = fathom_otf2_global_time(translation, take_raw(&bytes, sizeof(event->id)));
	else if (event->kind == FATHOM_RECORD_MEASUREMENT_ON_OFF)
		event->op = event->op == OTF2_MEASUREMENT_ON;
	if (stream->attributes.at)
		err = take_attributes(decoder, stream->attributes, event);
	if (err || (has_list(event->kind) && !bytes.at))
		return err ? err : -EILSEQ;
	decoder->renaming.new_id = global_id;
	decoder->renaming.data = translation;
	fathom_otf2_event_rename(&decoder->renaming, event);
	return 0;
}

void fathom_event_decoder_fini(struct fathom_event_decoder *decoder)
{
	if (decoder->attributes)
		OTF2_AttributeList_Delete(decoder->attributes);
	if (decoder->renaming.attributes)
		OTF2_AttributeList_Delete(decoder->renaming.attributes);
	free(decoder->renaming.arguments);
	free(decoder->arguments);
}
