/*
 * definition_union: the definitions of several traces as those of one trace.
 *
 * The traces are parts of one run: a location of the same id is the same location in all of them. Definitions with
 * equal contents become one definition; if a trace has several equal ones, such as duplicates of a communicator, the
 * first one of each trace is the same, the second one, and so on. Names of communicators and windows are not compared,
 * because a process may have ended before it gave them. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_DEFINITION_UNION_H
#define FATHOM_TOOLS_TRACE_DEFINITION_UNION_H

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
	struct fathom_table contents;	/* struct content */
};

/* Makes the union of the inputs, which stay the caller's; the union is all zero at first. The clock's record, the first
 * one, has the values of the first input. 0, or -errno after an error message: a location has events in two inputs. */
int fathom_definition_union_make(struct fathom_definition_union *all, struct fathom_union_input *inputs, size_t count);
void fathom_definition_union_free(struct fathom_definition_union *all);

/* Returns the id in the union of a definition of an input; data is the input (fathom_otf2_new_id). */
uint64_t fathom_definition_union_id(void *data, enum fathom_otf2_space space, uint64_t id);

#endif
