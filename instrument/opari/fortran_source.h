/*
 * fortran_source: Fortran sources on their way to OPARI2 and back, as clike does for C.
 *
 * prepare gives the lines their absolute file, splits directives that OPARI2 cannot take apart,
 * and puts a PROGRAM statement in front of a main program that has none. finish makes one text
 * of OPARI2's two files that needs no preprocessor, and repairs its declarations: inside ASSOCIATE
 * and BLOCK, with IMPLICIT NONE (EXTERNAL), and variables that the threads of a region share.
 */
#ifndef FATHOM_OPARI_FORTRAN_SOURCE_H
#define FATHOM_OPARI_FORTRAN_SOURCE_H

#include "opari/buffer.h"
#include "opari/construct_counts.h"
#include "opari/file_names.h"

/* Stands in front of a line OPARI2 must not see, and makes a comment of it, between prepare and finish. */
#define FATHOM_FORTRAN_HIDE "!FATHOM_HIDES_"

struct fathom_fortran {
	struct fathom_names names;
	struct fathom_construct_counts construct_counts;
	const char *trouble;	/* why the source cannot be rewritten, or NULL */
	int uses_openmp;	/* there is something to rewrite */
	int is_fixed;
};

/* Begin with is_fixed set, else zeroed. path: what the text was read from, if it has no markers of its own. */
void fathom_fortran_prepare(struct fathom_fortran *source, const char *path, const struct fathom_buffer *text,
			    struct fathom_buffer *result);

/*
 * text, include: what OPARI2 made of that. unique: a number that no other source of the program
 * has, for the name of a common block. 0, or -EINVAL if they do not fit together.
 */
int fathom_fortran_finish(struct fathom_fortran *source, const struct fathom_buffer *text,
			  const struct fathom_buffer *include, unsigned long long unique,
			  struct fathom_buffer *result);

void fathom_fortran_fini(struct fathom_fortran *source);

#endif
