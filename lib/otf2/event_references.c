#include "otf2/event_references.h"

#include "otf2/definition_records.h"
#include "otf2/memory.h"

enum fathom_otf2_space fathom_otf2_event_other_space(enum fathom_record kind)
{
	switch (kind) {
	case FATHOM_RECORD_RMA_GROUP_SYNC: return FATHOM_OTF2_GROUP;
	case FATHOM_RECORD_PARAMETER_STRING: return FATHOM_OTF2_STRING;
	case FATHOM_RECORD_CALLING_CONTEXT_SAMPLE: return FATHOM_OTF2_GENERATOR;
	case FATHOM_RECORD_IO_DUPLICATE_HANDLE: return FATHOM_OTF2_HANDLE;
	case FATHOM_RECORD_IO_DELETE_FILE: return FATHOM_OTF2_FILE;
	default: return FATHOM_OTF2_NOTHING;
	}
}

static void rename_arguments(struct fathom_otf2_renaming *renaming, struct fathom_otf2_event *event)
{
	const uint32_t *arguments = event->types;
	uint32_t i;

	for (i = 0; i < event->count; i++) {
		renaming->arguments = fathom_otf2_memory_grow(renaming->arguments, i, &renaming->argument_room,
							      sizeof(uint32_t));
		renaming->arguments[i] = (uint32_t)renaming->new_id(renaming->data, FATHOM_OTF2_STRING, arguments[i]);
	}
	event->types = renaming->arguments;
}

static void rename_attributes(struct fathom_otf2_renaming *renaming, struct fathom_otf2_event *event)
{
	uint32_t count = OTF2_AttributeList_GetNumberOfElements(event->attributes), i;

	if (!count) {
		event->attributes = NULL;
		return;
	}
	if (!renaming->attributes)
		renaming->attributes = OTF2_AttributeList_New();
	OTF2_AttributeList_RemoveAllAttributes(renaming->attributes);
	for (i = 0; i < count; i++) {
		OTF2_AttributeRef attribute;
		OTF2_Type type;
		OTF2_AttributeValue value;
		enum fathom_otf2_space space;

		if (OTF2_AttributeList_GetAttributeByIndex(event->attributes, i, &attribute, &type, &value) !=
		    OTF2_SUCCESS)
			continue;
		space = fathom_definition_type_space(type);
		if (space == FATHOM_OTF2_LOCATION)
			value.uint64 = renaming->new_id(renaming->data, space, value.uint64);
		else if (space != FATHOM_OTF2_NOTHING)
			value.uint32 = (uint32_t)renaming->new_id(renaming->data, space, value.uint32);
		attribute = (uint32_t)renaming->new_id(renaming->data, FATHOM_OTF2_ATTRIBUTE, attribute);
		OTF2_AttributeList_AddAttribute(renaming->attributes, attribute, type, value);
	}
	event->attributes = renaming->attributes;
}

void fathom_otf2_event_rename(struct fathom_otf2_renaming *renaming, struct fathom_otf2_event *event)
{
	enum fathom_otf2_space space = fathom_otf2_records[event->kind].refers;

	if (space != FATHOM_OTF2_NOTHING)
		event->ref = renaming->new_id(renaming->data, space, event->ref);
	space = fathom_otf2_event_other_space(event->kind);
	if (space != FATHOM_OTF2_NOTHING)
		event->other = renaming->new_id(renaming->data, space, event->other);
	if (event->kind == FATHOM_RECORD_PROGRAM_BEGIN)
		rename_arguments(renaming, event);
	if (event->attributes)
		rename_attributes(renaming, event);
}
