/*
 * c_source: prepares C and C++ sources for OPARI2, and finishes what OPARI2 writes.
 *
 * OPARI2 reads C with a scanner of its own, which misreads some code. prepare rewrites a preprocessed source so that
 * OPARI2 reads it correctly, and all lines keep their numbers: directives that OPARI2 cannot take apart are split,
 * bodies get braces, numbers and strings that the scanner misreads are written in another way. finish makes one text,
 * which needs no preprocessor, of the two files that OPARI2 writes.
 */
#ifndef FATHOM_OPARI_C_SOURCE_H
#define FATHOM_OPARI_C_SOURCE_H

#include "opari/buffer.h"
#include "opari/construct_counts.h"
#include "opari/file_names.h"

/* Between prepare and finish, this prefix hides from OPARI2 what it must not see. */
#define FATHOM_C_HIDE "FATHOM_HIDES_"

struct fathom_c_source {
	struct fathom_names names;
	struct fathom_construct_counts construct_counts;
	const char *trouble;	/* why the source cannot be rewritten, or NULL */
	int uses_openmp;	/* there is something to rewrite */
	int is_cxx;
};

/* Prepares a source. *source is zeroed but for is_cxx. text: the output of the preprocessor. */
void fathom_c_source_prepare(struct fathom_c_source *source, const char *text, size_t length,
			     struct fathom_buffer *result);

/* Finishes a source. text, include: the two files of OPARI2. 0, or -EINVAL: they do not belong together. */
int fathom_c_source_finish(struct fathom_c_source *source, const struct fathom_buffer *text,
			const struct fathom_buffer *include, struct fathom_buffer *result);

void fathom_c_source_fini(struct fathom_c_source *source);

#endif
