/*
 * parameter: a name with a value that the program gives to the innermost region, so that call paths are separated by
 * the value.
 *
 * parameter      a name and a kind; there are few, and they are never freed.
 * value          a number or a text, in one event.
 *
 * In profiles, a region with parameters is a separate region with the members of the region. Its text `parameters` has
 * a line for each parameter, in the order in which they were given: kind (i, u or s), name, '=', value, and a line
 * feed.
 */
#ifndef FATHOM_DEFINE_PARAMETER_H
#define FATHOM_DEFINE_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

enum fathom_parameter_kind {
	FATHOM_PARAMETER_KIND_INTEGER,
	FATHOM_PARAMETER_KIND_UNSIGNED,
	FATHOM_PARAMETER_KIND_TEXT,
};

struct fathom_parameter {
	const char *name;
	enum fathom_parameter_kind kind;
	uint32_t id;			/* dense from 0, within this process */
};

struct fathom_parameter_value {
	union {
		int64_t integer;
		uint64_t number;	/* of a text: its hash */
	};
	const char *text;		/* need not end with a NUL */
	size_t length;
};

/* Texts are cut to this many bytes. */
#define FATHOM_PARAMETER_MOST_BYTES 256

/* Returns the parameter of that name and kind; creates it if there is none. NULL: no memory, or there are too many.
 * Context: birth. */
FATHOM_API const struct fathom_parameter *fathom_parameter_define(const char *name, size_t length,
								   enum fathom_parameter_kind kind);

/* Return the number of parameters, and a parameter by its id. Context: finish, signal. */
FATHOM_API uint32_t fathom_parameter_count(void);
FATHOM_API const struct fathom_parameter *fathom_parameter_by_id(uint32_t id);

/* Returns the arena with the names of the parameters, for run snapshots (run/run_snapshot.h). Context: signal. */
const struct fathom_arena *fathom_parameter_arena(void);

/* Returns a value that is a text, cut to FATHOM_PARAMETER_MOST_BYTES. Context: hook. */
static inline struct fathom_parameter_value fathom_parameter_text(const char *text, size_t length)
{
	struct fathom_parameter_value value = { .text = text, .length = length };
	uint64_t hash = 0xcbf29ce484222325u;

	if (value.length > FATHOM_PARAMETER_MOST_BYTES)
		value.length = FATHOM_PARAMETER_MOST_BYTES;
	for (size_t i = 0; i < value.length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	value.number = hash;
	return value;
}

struct fathom_region;

/* A region with parameters: the region without the last parameter, and the last parameter with its value. */
struct fathom_parameter_given {
	const struct fathom_region *base;	/* the region without the last parameter */
	const struct fathom_parameter *parameter;
	struct fathom_parameter_value value;
	const struct fathom_region *region;
};

/* Returns whether the region has that parameter. Context: hook. */
bool fathom_parameter_is_given(const struct fathom_region *region, const struct fathom_parameter *parameter);

/* Returns the region without any parameter. Context: hook. */
const struct fathom_region *fathom_parameter_plain(const struct fathom_region *region);

/* Returns the region that is base with one more parameter, or with another value of a parameter that it has;
 * creates it if there is none. NULL: no memory. Context: hook if the region exists, else birth. */
const struct fathom_region *fathom_parameter_region(const struct fathom_region *base,
						    const struct fathom_parameter *parameter,
						    const struct fathom_parameter_value *value);

#endif
