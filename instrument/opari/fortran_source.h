/*
 * fortran_source: prepares Fortran sources for OPARI2, and finishes what OPARI2 writes, as c_source does for C.
 *
 * prepare names the absolute file of the lines, splits directives that OPARI2 cannot take apart, and puts a PROGRAM
 * statement in front of a main program without one. finish makes one text, which needs no preprocessor, of the two
 * files that OPARI2 writes, and corrects OPARI2's declarations: inside ASSOCIATE and BLOCK, with IMPLICIT NONE
 * (EXTERNAL), and of variables that the threads of a region share.
 */
#ifndef FATHOM_OPARI_FORTRAN_SOURCE_H
#define FATHOM_OPARI_FORTRAN_SOURCE_H

#include "opari/buffer.h"
#include "opari/construct_counts.h"
#include "opari/file_names.h"

/* Between prepare and finish, this prefix makes a comment of a line that OPARI2 must not see. */
#define FATHOM_FORTRAN_HIDE "!FATHOM_HIDES_"

struct fathom_fortran {
	struct fathom_names names;
	struct fathom_construct_counts construct_counts;
	const char *trouble;	/* why the source cannot be rewritten, or NULL */
	int uses_openmp;	/* there is something to rewrite */
	int is_fixed;
};

/* Prepares a source. *source is zeroed but for is_fixed. path: the file of the text, if the text has no markers. */
void fathom_fortran_prepare(struct fathom_fortran *source, const char *path, const struct fathom_buffer *text,
			    struct fathom_buffer *result);

/*
 * Finishes a source. text, include: the two files of OPARI2. unique: a number that no other source of the program has,
 * for the name of a common block. 0, or -EINVAL: the files do not belong together.
 */
int fathom_fortran_finish(struct fathom_fortran *source, const struct fathom_buffer *text,
			  const struct fathom_buffer *include, unsigned long long unique,
			  struct fathom_buffer *result);

void fathom_fortran_fini(struct fathom_fortran *source);

#endif
