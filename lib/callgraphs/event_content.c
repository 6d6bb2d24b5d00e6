#include "callgraphs/event_content.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/definition_records.h"
#include "otf2/memory.h"

enum { FIELDS = 9, FIELD_SHIFT = 8, VALUE_SHIFT = 17, ATTRIBUTE_SHIFT = 33, ID = 2, TAG = 4 };

enum { OF_METRIC, OF_PARAMETER, OF_LOCK };	/* the tables of values */

struct last_value {
	struct fathom_table_entry entry;	/* found by table, id and position */
	uint64_t value;
};

void fathom_content_state_init(struct fathom_content_state *state)
{
	*state = (struct fathom_content_state){ { 0 }, { 0 } };
	fathom_table_init(&state->values, sizeof(struct last_value));
}

void fathom_content_state_fini(struct fathom_content_state *state)
{
	fathom_table_fini(&state->values);
}

void fathom_content_state_save(const struct fathom_content_state *state, struct fathom_content_copy *copy)
{
	const struct last_value *value = NULL;

	memcpy(copy->last, state->last, sizeof(copy->last));
	copy->values = fathom_otf2_memory_alloc(state->values.count + 1, sizeof(*copy->values));
	copy->count = 0;
	while ((value = fathom_table_next(&state->values, value)) != NULL) {
		struct fathom_content_value *saved = &copy->values[copy->count++];

		memcpy(saved->key, value->entry.key, sizeof(saved->key));
		saved->value = value->value;
	}
}

void fathom_content_state_set(struct fathom_content_state *state, const struct fathom_content_copy *copy)
{
	fathom_content_state_fini(state);
	fathom_content_state_init(state);
	memcpy(state->last, copy->last, sizeof(copy->last));
	for (size_t i = 0; i < copy->count; i++) {
		const uint64_t *key = copy->values[i].key;
		struct last_value *value = fathom_table_add(&state->values, key[0], key[1], key[2]);

		value->value = copy->values[i].value;
	}
}

void fathom_content_copy_free(struct fathom_content_copy *copy)
{
	free(copy->values);
}

enum fathom_record fathom_content_kind(const uint64_t *numbers)
{
	return (enum fathom_record)(numbers[0] & 0xff);
}

uint64_t fathom_content_ref(const uint64_t *numbers)
{
	return numbers[0] >> FIELD_SHIFT & 1 ? numbers[1] : 0;
}

uint32_t fathom_content_count(uint64_t first)
{
	uint32_t fields = (uint32_t)__builtin_popcountll(first >> FIELD_SHIFT & ((1 << FIELDS) - 1));
	uint32_t values = first >> VALUE_SHIFT & 0xffff, attributes = first >> ATTRIBUTE_SHIFT & 0xff;

	return 1 + fields + values * ((first & 0xff) == FATHOM_RECORD_METRIC ? 2 : 1) + 3 * attributes;
}

/* --- differences -------------------------------------------------------------------------------------- */

static uint64_t fold(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static uint64_t unfold(uint64_t number)
{
	return number >> 1 ^ (0 - (number & 1));
}

/* Returns the last value of a table; it is 0 at first. */
static uint64_t *last_value(struct fathom_content_state *state, int table, uint64_t id, uint64_t position)
{
	struct last_value *last = fathom_table_find(&state->values, (uint64_t)table, id, position);

	if (!last)
		last = fathom_table_add(&state->values, (uint64_t)table, id, position);
	return &last->value;
}

struct relation {		/* how a field is stored */
	int field;		/* ID or TAG; -1: no field of this record grows */
	uint64_t *from;		/* the number from which the difference is taken */
	bool begins;		/* from becomes the field's value */
};

static struct relation sequence(struct fathom_content_state *state, enum fathom_content_sequence which, int field,
				bool begins)
{
	return (struct relation){ field, &state->last[which], begins };
}

static struct relation relation_of(struct fathom_content_state *state, enum fathom_record kind, uint64_t ref,
				   uint64_t id)
{
	switch (kind) {
	case FATHOM_RECORD_MPI_ISEND:
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST: return sequence(state, FATHOM_CONTENT_REQUESTS, ID, true);
	case FATHOM_RECORD_MPI_ISEND_COMPLETE:
	case FATHOM_RECORD_MPI_IRECV:
	case FATHOM_RECORD_MPI_REQUEST_TEST:
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE: return sequence(state, FATHOM_CONTENT_REQUESTS, ID, false);
	case FATHOM_RECORD_RMA_PUT:
	case FATHOM_RECORD_RMA_GET:
	case FATHOM_RECORD_RMA_ATOMIC: return sequence(state, FATHOM_CONTENT_WINDOW_OPERATIONS, ID, true);
	case FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING:
	case FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING:
	case FATHOM_RECORD_RMA_OP_TEST:
	case FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE:
		return sequence(state, FATHOM_CONTENT_WINDOW_OPERATIONS, ID, false);
	case FATHOM_RECORD_IO_OPERATION_BEGIN: return sequence(state, FATHOM_CONTENT_FILE_OPERATIONS, ID, true);
	case FATHOM_RECORD_IO_OPERATION_TEST:
	case FATHOM_RECORD_IO_OPERATION_ISSUED:
	case FATHOM_RECORD_IO_OPERATION_COMPLETE:
	case FATHOM_RECORD_IO_OPERATION_CANCELLED: return sequence(state, FATHOM_CONTENT_FILE_OPERATIONS, ID, false);
	case FATHOM_RECORD_THREAD_TASK_CREATE: return sequence(state, FATHOM_CONTENT_TASKS, TAG, true);
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: return sequence(state, FATHOM_CONTENT_TASKS, TAG, false);
	case FATHOM_RECORD_PARAMETER_INT:
	case FATHOM_RECORD_PARAMETER_UNSIGNED_INT:
		return (struct relation){ ID, last_value(state, OF_PARAMETER, ref, 0), true };
	case FATHOM_RECORD_THREAD_ACQUIRE_LOCK:
	case FATHOM_RECORD_OMP_ACQUIRE_LOCK: return (struct relation){ TAG, last_value(state, OF_LOCK, id, 0), true };
	case FATHOM_RECORD_THREAD_RELEASE_LOCK:
	case FATHOM_RECORD_OMP_RELEASE_LOCK: return (struct relation){ TAG, last_value(state, OF_LOCK, id, 0), false };
	default: return (struct relation){ -1, NULL, false };
	}
}

/* --- from events to numbers ---------------------------------------------------------------------------- */

static void put(struct fathom_content_numbers *numbers, uint64_t number)
{
	numbers->numbers = fathom_otf2_memory_grow(numbers->numbers, numbers->count, &numbers->room, sizeof(uint64_t));
	numbers->numbers[numbers->count++] = number;
}

static void put_values(struct fathom_content_state *state, struct fathom_content_numbers *numbers,
		       const struct fathom_otf2_event *event)
{
	uint32_t i;

	for (i = 0; event->kind == FATHOM_RECORD_METRIC && i < event->count; i++) {
		uint64_t *last = last_value(state, OF_METRIC, event->ref, i), value = event->values[i].unsigned_int;

		put(numbers, ((const OTF2_Type *)event->types)[i]);
		put(numbers, fold(value - *last));
		*last = value;
	}
	for (i = 0; event->kind == FATHOM_RECORD_PROGRAM_BEGIN && i < event->count; i++)
		put(numbers, ((const uint32_t *)event->types)[i]);
}

static void put_attributes(struct fathom_content_numbers *numbers, OTF2_AttributeList *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		OTF2_AttributeRef attribute = 0;
		OTF2_Type type = 0;
		OTF2_AttributeValue value = { .uint64 = 0 };

		OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &type, &value);
		put(numbers, attribute);
		put(numbers, type);
		put(numbers, fathom_definition_value_bits(type, value));
	}
}

void fathom_content_make(struct fathom_content_state *state, struct fathom_content_numbers *numbers,
			 const struct fathom_otf2_event *event)
{
	uint64_t fields[FIELDS] = { event->ref, event->other, event->id, event->peer, event->tag, event->op,
				    event->count, event->bytes, event->bytes_received };
	struct relation relation = relation_of(state, event->kind, event->ref, event->id);
	bool has_values = event->kind == FATHOM_RECORD_METRIC || event->kind == FATHOM_RECORD_PROGRAM_BEGIN;
	uint32_t attributes = event->attributes ? OTF2_AttributeList_GetNumberOfElements(event->attributes) : 0;
	uint64_t first = event->kind, value;

	if (attributes > UINT8_MAX)
		attributes = UINT8_MAX;
	if (relation.field >= 0) {
		value = fields[relation.field];
		fields[relation.field] = fold(value - *relation.from);
		if (relation.begins)
			*relation.from = value;
	}
	if (event->kind == FATHOM_RECORD_BUFFER_FLUSH)
		fields[ID] -= event->time;
	for (unsigned i = 0; i < FIELDS; i++)
		first |= (uint64_t)(fields[i] != 0) << (FIELD_SHIFT + i);
	first |= (has_values ? (uint64_t)event->count & 0xffff : 0) << VALUE_SHIFT;
	first |= (uint64_t)attributes << ATTRIBUTE_SHIFT;
	numbers->count = 0;
	put(numbers, first);
	for (unsigned i = 0; i < FIELDS; i++)
		if (fields[i])
			put(numbers, fields[i]);
	put_values(state, numbers, event);
	put_attributes(numbers, event->attributes, attributes);
}

/* --- from numbers to events ---------------------------------------------------------------------------- */

static const uint64_t *take_values(struct fathom_content_state *state, struct fathom_content_event *event,
				   const uint64_t *numbers)
{
	struct fathom_otf2_event *its = &event->event;
	uint32_t i;

	for (i = 0; its->kind == FATHOM_RECORD_METRIC && i < its->count; i++) {
		uint64_t *last = last_value(state, OF_METRIC, its->ref, i);

		event->types[i] = (OTF2_Type)*numbers++;
		*last += unfold(*numbers++);
		event->values[i].unsigned_int = *last;
	}
	for (i = 0; its->kind == FATHOM_RECORD_PROGRAM_BEGIN && i < its->count; i++) {
		event->arguments = fathom_otf2_memory_grow(event->arguments, i, &event->argument_room,
							   sizeof(uint32_t));
		event->arguments[i] = (uint32_t)*numbers++;
	}
	its->values = event->values;
	its->types = its->kind == FATHOM_RECORD_METRIC ? (const void *)event->types : event->arguments;
	return numbers;
}

static void take_attributes(struct fathom_content_event *event, const uint64_t *numbers, uint32_t count)
{
	event->event.attributes = NULL;
	if (!count)
		return;
	if (!event->attributes)
		event->attributes = OTF2_AttributeList_New();
	OTF2_AttributeList_RemoveAllAttributes(event->attributes);
	for (uint32_t i = 0; i < count; i++, numbers += 3)
		OTF2_AttributeList_AddAttribute(event->attributes, (uint32_t)numbers[0], (OTF2_Type)numbers[1],
						(OTF2_AttributeValue){ .uint64 = numbers[2] });
	event->event.attributes = event->attributes;
}

bool fathom_content_restore(struct fathom_content_state *state, struct fathom_content_event *event,
			    const uint64_t *numbers, uint32_t count, uint64_t time)
{
	uint64_t fields[FIELDS] = { 0 }, first = numbers[0];
	enum fathom_record kind = fathom_content_kind(numbers);
	uint32_t values = first >> VALUE_SHIFT & 0xffff;
	struct relation relation;

	if (count != fathom_content_count(first) || kind >= FATHOM_RECORD_COUNT || !fathom_otf2_records[kind].name ||
	    (kind == FATHOM_RECORD_METRIC && values > UINT8_MAX))
		return false;
	numbers++;
	for (unsigned i = 0; i < FIELDS; i++)
		if (first >> (FIELD_SHIFT + i) & 1)
			fields[i] = *numbers++;
	relation = relation_of(state, kind, fields[0], fields[ID]);
	if (relation.field >= 0) {
		fields[relation.field] = unfold(fields[relation.field]) + *relation.from;
		if (relation.field == TAG)
			fields[TAG] = (uint32_t)fields[TAG];
		if (relation.begins)
			*relation.from = fields[relation.field];
	}
	if (kind == FATHOM_RECORD_BUFFER_FLUSH)
		fields[ID] += time;
	event->event = (struct fathom_otf2_event){
		.kind = kind, .time = time, .ref = fields[0], .other = fields[1], .id = fields[ID],
		.peer = (uint32_t)fields[3], .tag = (uint32_t)fields[TAG], .op = (uint32_t)fields[5],
		.count = (uint32_t)fields[6], .bytes = fields[7], .bytes_received = fields[8],
	};
	if (kind == FATHOM_RECORD_METRIC || kind == FATHOM_RECORD_PROGRAM_BEGIN)
		event->event.count = values;
	numbers = take_values(state, event, numbers);
	take_attributes(event, numbers, first >> ATTRIBUTE_SHIFT & 0xff);
	return true;
}

void fathom_content_event_free(struct fathom_content_event *event)
{
	free(event->arguments);
	if (event->attributes)
		OTF2_AttributeList_Delete(event->attributes);
	*event = (struct fathom_content_event){ 0 };
}
