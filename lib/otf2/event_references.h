/*
 * event_references: changes the ids of definitions in an event, for a trace in which the definitions have other ids.
 * Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_EVENT_REFERENCES_H
#define FATHOM_OTF2_EVENT_REFERENCES_H

#include "otf2/event_reader.h"

/* Returns the new id of a definition. */
typedef uint64_t fathom_otf2_new_id(void *data, enum fathom_otf2_space space, uint64_t id);

struct fathom_otf2_renaming {
	fathom_otf2_new_id *new_id;
	void *data;
	uint32_t *arguments;		/* new ids of the arguments of a program; the caller frees them */
	size_t argument_room;
	OTF2_AttributeList *attributes;	/* of the renamed event; the caller deletes the list */
};

/* Changes all ids in the event, except for ranks and its location. What the event points to is a part of renaming
 * afterwards, and valid until the next call. */
void fathom_otf2_event_rename(struct fathom_otf2_renaming *renaming, struct fathom_otf2_event *event);

/* Returns the kind of definition that event->other is an id of; FATHOM_OTF2_NOTHING: it is no id. */
enum fathom_otf2_space fathom_otf2_event_other_space(enum fathom_record kind);

#endif
