/*
 * c_source: C and C++ sources on their way to OPARI2 and back.
 *
 * OPARI2 reads C with a scanner of its own that gets some things wrong. prepare writes a
 * preprocessed source so that it is read right, with all lines keeping their numbers:
 * directives that cannot be taken apart are split, bodies get braces of their own, numbers and
 * strings that trip the scanner are written otherwise. finish makes one text of OPARI2's two
 * files that needs no preprocessor.
 */
#ifndef FATHOM_OPARI_C_SOURCE_H
#define FATHOM_OPARI_C_SOURCE_H

#include "opari/buffer.h"
#include "opari/construct_counts.h"
#include "opari/file_names.h"

/* Stands in front of what OPARI2 must not see, between prepare and finish. */
#define FATHOM_CLIKE_HIDE "FATHOM_HIDES_"

struct fathom_c_source {
	struct fathom_names names;
	struct fathom_construct_counts construct_counts;
	const char *trouble;	/* why the source cannot be rewritten, or NULL */
	int uses_openmp;	/* there is something to rewrite */
	int is_cxx;
};

/* Begin with is_cxx set, else zeroed. text: as the preprocessor made it. */
void fathom_c_source_prepare(struct fathom_c_source *source, const char *text, size_t length,
			     struct fathom_buffer *result);

/* text, include: what OPARI2 made of that. 0, or -EINVAL if they do not fit together. */
int fathom_c_source_finish(struct fathom_c_source *source, const struct fathom_buffer *text,
			const struct fathom_buffer *include, struct fathom_buffer *result);

void fathom_c_source_fini(struct fathom_c_source *source);

#endif
