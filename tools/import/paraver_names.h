/*
 * paraver_names: the types of events of a Paraver trace and the names of their values, as the .pcf file has them.
 *
 * A type with names of values, among them one of 0, marks parts of the time: a value begins one and 0 ends it. Other
 * types are numbers, such as counters. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_PARAVER_NAMES_H
#define FATHOM_TOOLS_IMPORT_PARAVER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/common/hash_index.h"

struct fathom_paraver_value {
	uint32_t type;		/* index */
	uint64_t value;
	char *name;
};

struct fathom_paraver_type {
	uint32_t number;	/* of the type in the trace */
	char *name;
	bool has_end;		/* it has a name of the value 0 and of others */
	bool has_names;
};

struct fathom_paraver_names {	/* all zero: empty and ready */
	struct fathom_paraver_type *types;
	struct fathom_paraver_value *values;
	size_t type_count, type_room, value_count, value_room;
	struct fathom_index type_index, value_index;
};

/* Reads a .pcf file. A missing file is an empty one. 0, or -errno after an error message. */
int fathom_paraver_names_read(struct fathom_paraver_names *names, const char *path);
void fathom_paraver_names_fini(struct fathom_paraver_names *names);

/* Returns the index of a type, which is added if the file lacks it. */
uint32_t fathom_paraver_names_type(struct fathom_paraver_names *names, uint32_t number);

/* Returns the name of a value; NULL: it has none. */
const char *fathom_paraver_names_value(const struct fathom_paraver_names *names, uint32_t type, uint64_t value);

#endif
