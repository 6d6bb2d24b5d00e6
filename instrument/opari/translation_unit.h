/*
 * translation_unit: the sources on a compiler's command line, and the language of each.
 */
#ifndef FATHOM_OPARI_TRANSLATION_UNIT_H
#define FATHOM_OPARI_TRANSLATION_UNIT_H

#include <stddef.h>

#include "common/command_line.h"

enum fathom_language {
	FATHOM_LANGUAGE_OTHER,	/* OPARI2 does not know it */
	FATHOM_LANGUAGE_C,
	FATHOM_LANGUAGE_CXX,
	FATHOM_LANGUAGE_FREE,	/* Fortran, free form */
	FATHOM_LANGUAGE_FIXED,	/* Fortran, fixed form */
};

struct fathom_unit {
	const char *path;	/* as the user wrote it */
	size_t word;		/* index of the unit in the words of the line */
	enum fathom_language language;
	int preprocess;		/* the compiler preprocesses the file */
};

/*
 * Returns the units of a line; the caller frees the list, whose strings belong to cut. Sets *count. compiler: its base
 * name.
 */
struct fathom_unit *fathom_unit_list(const struct fathom_line_words *cut, const char *compiler, size_t *count);

/* Returns whether the unit may use OpenMP: the function searches its text and that of the user's headers for the word
 * omp and for lock functions. A result of 0 is certain, unless a macro makes the name of a header. */
int fathom_unit_may_use_openmp(const struct fathom_unit *unit, const struct fathom_line_words *cut);

#endif
