/*
 * description: reads the text by which OPARI2 describes a construct.
 *
 *	<length>*regionType=<type>*sscl=<file>:<l1>:<l2>*escl=<file>:<l3>:<l4>*[<key>=<value>*...]*
 *
 * l1 and l2 are the first and last line of the directive that opens the construct, l3 and l4 of the one that
 * closes it. File names are not quoted, so they may contain * and :. Unknown keys are ignored.
 */
#ifndef FATHOM_POMP2_DESCRIPTION_H
#define FATHOM_POMP2_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fathom_construct_type {
	FATHOM_CONSTRUCT_ATOMIC,
	FATHOM_CONSTRUCT_BARRIER,
	FATHOM_CONSTRUCT_CRITICAL,
	FATHOM_CONSTRUCT_DO,
	FATHOM_CONSTRUCT_FLUSH,
	FATHOM_CONSTRUCT_FOR,
	FATHOM_CONSTRUCT_MASTER,
	FATHOM_CONSTRUCT_ORDERED,
	FATHOM_CONSTRUCT_PARALLEL,
	FATHOM_CONSTRUCT_PARALLEL_DO,
	FATHOM_CONSTRUCT_PARALLEL_FOR,
	FATHOM_CONSTRUCT_PARALLEL_SECTIONS,
	FATHOM_CONSTRUCT_PARALLEL_WORKSHARE,
	FATHOM_CONSTRUCT_SECTIONS,
	FATHOM_CONSTRUCT_SINGLE,
	FATHOM_CONSTRUCT_TASK,
	FATHOM_CONSTRUCT_TASKWAIT,
	FATHOM_CONSTRUCT_USER,		/* #pragma pomp inst begin(name) */
	FATHOM_CONSTRUCT_WORKSHARE,
	FATHOM_CONSTRUCT_TYPES
};

/* A part of the text described: not terminated. */
struct fathom_words {
	const char *text;
	size_t length;
};

struct fathom_description {
	enum fathom_construct_type type;
	struct fathom_words file;
	struct fathom_words name;	/* of a critical or user region; empty: has none */
	uint32_t open_first, open_last;	/* l1, l2 */
	uint32_t close_first, close_last;	/* l3, l4; 0: unknown */
	bool untied;
};

/* Reads a description. False: its type, file or line cannot be read. Blanks at the end are ignored (Fortran).
 * Context: birth. */
bool fathom_description_read(struct fathom_description *description, const char *text, size_t length);

#endif
