/*
 * hide: text that OPARI2 would take for something else, disguised and shown again.
 *
 * OPARI2 renames the letters omp_set_lock wherever they stand, in longer names and in strings,
 * and looks at directives that it then misunderstands.
 */
#ifndef FATHOM_OPARI_HIDE_H
#define FATHOM_OPARI_HIDE_H

#include <stddef.h>

#include "opari/buffer.h"

#define FATHOM_HIDE "FATHOM_HIDES_"

enum fathom_hide_answer {
	FATHOM_HIDE_NOTHING,
	FATHOM_HIDE_EXACT,	/* the name of a lock function */
	FATHOM_HIDE_WITHIN,	/* contains such a name */
};

/* Upper case is the same in Fortran, and no such name in C. */
enum fathom_hide_answer fathom_hide_look(const char *name, size_t length);

/* Disguise the names of lock functions in this range of text. */
void fathom_hide_lock(struct fathom_edits *edits, const char *text, size_t begin, size_t end);

/* The same for names in a line of Fortran that contain such a name and are longer. */
void fathom_hide_within(struct fathom_edits *edits, const char *text, size_t length);

#endif
