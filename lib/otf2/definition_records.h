/*
 * definition_records: the global definitions of a trace in one form for all kinds: a list of records, each with an
 * array of numbers. So a program can store definitions, compare them, and change the ids in them, without a function
 * for each kind. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_DEFINITION_RECORDS_H
#define FATHOM_OTF2_DEFINITION_RECORDS_H

#include <otf2/otf2.h>
#include <stdbool.h>

#include "otf2/records.h"
#include "platform/arena.h"

/* In an order in which no record refers to a kind behind it. The numbers are part of the file format of call graphs
 * (doc/reference/call-graphs.md): new kinds are added at the end. */
enum fathom_definition_kind {
	FATHOM_DEFINITION_CLOCK,
	FATHOM_DEFINITION_STRING,
	FATHOM_DEFINITION_PARADIGM,
	FATHOM_DEFINITION_PARADIGM_PROPERTY,
	FATHOM_DEFINITION_IO_PARADIGM,
	FATHOM_DEFINITION_ATTRIBUTE,
	FATHOM_DEFINITION_NODE,
	FATHOM_DEFINITION_NODE_DOMAIN,
	FATHOM_DEFINITION_NODE_PROPERTY,
	FATHOM_DEFINITION_PROCESS,
	FATHOM_DEFINITION_PROCESS_PROPERTY,
	FATHOM_DEFINITION_LOCATION,
	FATHOM_DEFINITION_LOCATION_PROPERTY,
	FATHOM_DEFINITION_REGION,
	FATHOM_DEFINITION_CALLSITE,
	FATHOM_DEFINITION_PARAMETER,
	FATHOM_DEFINITION_CALLPATH,
	FATHOM_DEFINITION_CALLPATH_PARAMETER,
	FATHOM_DEFINITION_MEMBER,
	FATHOM_DEFINITION_METRIC_CLASS,
	FATHOM_DEFINITION_METRIC_INSTANCE,
	FATHOM_DEFINITION_METRIC_RECORDER,
	FATHOM_DEFINITION_GROUP,
	FATHOM_DEFINITION_COMM,
	FATHOM_DEFINITION_INTER_COMM,
	FATHOM_DEFINITION_WINDOW,
	FATHOM_DEFINITION_DIMENSION,
	FATHOM_DEFINITION_TOPOLOGY,
	FATHOM_DEFINITION_COORDINATE,
	FATHOM_DEFINITION_SOURCE,
	FATHOM_DEFINITION_CONTEXT,
	FATHOM_DEFINITION_CONTEXT_PROPERTY,
	FATHOM_DEFINITION_GENERATOR,
	FATHOM_DEFINITION_FILE,
	FATHOM_DEFINITION_DIRECTORY,
	FATHOM_DEFINITION_FILE_PROPERTY,
	FATHOM_DEFINITION_HANDLE,
	FATHOM_DEFINITION_HANDLE_STATE,
	FATHOM_DEFINITION_KINDS
};

struct fathom_definition {
	enum fathom_definition_kind kind;
	uint32_t count;
	uint64_t *fields;	/* see fathom_definition_shapes */
	char *text;		/* of a string; NULL: another kind */
};

struct fathom_definition_list {
	struct fathom_definition *records;
	size_t count, room;
	struct fathom_arena arena;
};

/*
 * What the fields of each kind are, a character for each:
 *	=	the id of the definition itself
 *	.	a number that is no id
 *	T V	a type of OTF2, and a value of this type, which may be an id
 *	S	of a metric instance: the scope that the field in front of it names
 *	G	a member of a group, which the field in front of the members says: see fathom_definition_field_space
 *	*	no field: what follows is repeated until the record ends
 * Any other character is an id of a kind of definition.
 */
struct fathom_definition_shape {
	const char *fields;
	enum fathom_otf2_space defines;	/* the kind of the record's own id; FATHOM_OTF2_NOTHING: it has none */
};
extern const struct fathom_definition_shape fathom_definition_shapes[FATHOM_DEFINITION_KINDS];

/* The positions of fields that programs use. */
enum {
	FATHOM_CLOCK_RESOLUTION = 0, FATHOM_CLOCK_OFFSET, FATHOM_CLOCK_LENGTH, FATHOM_CLOCK_REALTIME,
	FATHOM_PROCESS_CREATOR = 4,
	FATHOM_LOCATION_EVENTS = 3, FATHOM_LOCATION_PROCESS,
	FATHOM_GROUP_TYPE = 2, FATHOM_GROUP_PARADIGM, FATHOM_GROUP_FLAGS, FATHOM_GROUP_MEMBERS,
};

/* Returns the kind of definition that a field is an id of; FATHOM_OTF2_NOTHING: it is no id. The positions in the list
 * of locations that the members of a group of ranks are have no kind either. */
enum fathom_otf2_space fathom_definition_field_space(const struct fathom_definition *record, uint32_t field);

/* Returns the kind of definition that a value of a type is an id of; FATHOM_OTF2_NOTHING: it is no id. */
enum fathom_otf2_space fathom_definition_type_space(OTF2_Type type);

/* Returns the bits of a value; those beyond its type are 0. */
uint64_t fathom_definition_value_bits(OTF2_Type type, OTF2_AttributeValue value);

/* Returns whether the id means that there is no definition. */
bool fathom_definition_is_undefined(enum fathom_otf2_space space, uint64_t id);

/* Adds a record with count zeroed fields. text is copied; NULL: none. */
struct fathom_definition *fathom_definition_add(struct fathom_definition_list *list, enum fathom_definition_kind kind,
						uint32_t count, const char *text);

/* Reads the definitions of the trace with that anchor file in their order and adds them to the list, which is all zero
 * at first. 0 or -EIO. */
int fathom_definitions_read(struct fathom_definition_list *list, const char *anchor);
void fathom_definitions_free(struct fathom_definition_list *list);

#endif
