/*
 * translation_unit: the sources on a compiler's command line, and what language each is in.
 */
#ifndef FATHOM_OPARI_TRANSLATION_UNIT_H
#define FATHOM_OPARI_TRANSLATION_UNIT_H

#include <stddef.h>

#include "driver/command_line.h"

enum fathom_language {
	FATHOM_LANGUAGE_OTHER,	/* OPARI2 does not know it */
	FATHOM_LANGUAGE_C,
	FATHOM_LANGUAGE_CXX,
	FATHOM_LANGUAGE_FREE,	/* Fortran, free form */
	FATHOM_LANGUAGE_FIXED,	/* Fortran, fixed form */
};

struct fathom_unit {
	const char *path;	/* as written */
	size_t word;		/* its place in the line's words */
	enum fathom_language language;
	int preprocess;		/* the compiler runs its preprocessor over it */
};

/*
 * The units of a line, count of them, as a list to free. compiler: its base name. The strings
 * belong to cut.
 */
struct fathom_unit *fathom_unit_list(const struct fathom_line_words *cut, const char *compiler, size_t *count);

/*
 * Whether the unit may have something to do with OpenMP, as far as a quick look at it and at the
 * user's headers tells. 0 is sure but for headers whose names are made by macros.
 */
int fathom_unit_may_use_openmp(const struct fathom_unit *unit, const struct fathom_line_words *cut);

#endif
