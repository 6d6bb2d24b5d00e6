/*
 * union_contents: the definitions of several traces while they become those of one trace (definition_union.h), by their
 * contents: definitions with equal fields are one. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_UNION_CONTENTS_H
#define FATHOM_TOOLS_TRACE_UNION_CONTENTS_H

#include "otf2/archive_reader.h"
#include "otf2/definition_records.h"
#include "otf2/selection.h"

struct fathom_union_input {	/* one of the traces */
	struct fathom_otf2_archive trace;	/* its definitions are read */
	struct fathom_definition_list definitions;
	bool is_part;		/* a copy of some ranks of a trace: groups of ranks are those members that are in it */
	uint64_t *ids[FATHOM_OTF2_SPACES];	/* by index in trace.defs: id in the union, UINT64_MAX: not known */
	struct fathom_otf2_selection ranks;	/* of a part: new ranks in its groups */
};

struct fathom_definition_union {
	struct fathom_union_input *inputs;
	size_t input_count;
	struct fathom_definition_list definitions;	/* of the union */
	struct fathom_otf2_archive merged;	/* locations and groups only, for the writer */
	uint32_t *sources;	/* by location index of merged: the input that has its events */
	uint64_t absent_processes;	/* no input has events of them */
	uint64_t next_id[FATHOM_OTF2_SPACES];
	struct fathom_table contents;	/* struct fathom_union_content */
};

/* A definition of the union; found by hash, kind, and a number for equal hashes. */
struct fathom_union_content {
	struct fathom_table_entry entry;
	size_t record;		/* position in the list of the union */
	size_t user;		/* 1 + the last input whose definition is this one */
};

/* Returns the id in the union of a definition of an input; data is the input (fathom_otf2_new_id). */
uint64_t fathom_definition_union_id(void *data, enum fathom_otf2_space space, uint64_t id);

/* Sets the id in the union of a definition of the input. */
void fathom_union_set_id(struct fathom_union_input *input, enum fathom_otf2_space space, uint64_t id, uint64_t new_id);

/* Adds a record, whose ids are those of the union, or finds the equal record that no other definition of this input is.
 * Returns the position in the list of the union. */
size_t fathom_union_add_record(struct fathom_definition_union *all, size_t input,
			       const struct fathom_definition *record);

/* Makes copy a copy of a record of an input, with the ids of the union. The caller frees its fields. */
void fathom_union_rename_record(struct fathom_union_input *input, const struct fathom_definition *record,
				struct fathom_definition *copy);

/* Takes a record of the input with this number into the union; all that it refers to is in there. */
void fathom_union_take(struct fathom_definition_union *all, size_t number, const struct fathom_definition *record);

#endif
