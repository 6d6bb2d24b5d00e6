/* sample_places: where in the source the samples of an event were taken. */
#ifndef FATHOM_TOOLS_COMMON_SAMPLE_PLACES_H
#define FATHOM_TOOLS_COMMON_SAMPLE_PLACES_H

#include "symbols/code_structure.h"
#include "tools/common/samples/sample_modules.h"
#include "tools/common/samples/sample_records.h"

/* A record and its place. */
struct fathom_sample_place {
	const struct fathom_sample_record *record;
	const struct fathom_code_function *function;	/* NULL: not known, as are the others then */
	struct fathom_code_place place;
	const struct fathom_sample_module *module;
};

struct fathom_sample_places {
	struct fathom_sample_records file;
	const struct fathom_sample_event *event;
	struct fathom_sample_modules modules;
	struct fathom_sample_place *list;
	size_t count;
};

/* Reads the samples of an event (NULL: of processor time) and finds their places. 0, or -errno after an error message;
 * -ENODATA: there is no such event. */
int fathom_sample_places_init(struct fathom_sample_places *places, const char *result, const char *event);

void fathom_sample_places_fini(struct fathom_sample_places *places);

/* Returns the unit of an event's values as number_format has it. */
const char *fathom_sample_unit(const struct fathom_sample_event *event);

/* Returns the head of a column with an event's values. */
const char *fathom_sample_heading(const struct fathom_sample_event *event);

/* Writes the name of a function, without what GCC appends to names of copies; of a function without a name its address
 * and module. Returns text. */
const char *fathom_sample_function_name(const struct fathom_sample_place *place, char *text, size_t bytes);

/* Writes a name without template arguments, parameters and return type: "std::vector::operator[]". Returns text. */
const char *fathom_short_name(const char *name, char *text, size_t bytes);

/* Writes "name.c:12", "+0x12" if the line is not known. Returns text. */
const char *fathom_line_text(const char *file, uint32_t line, uint64_t offset, char *text, size_t bytes);

#endif
