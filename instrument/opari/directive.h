/*
 * directive: what stands behind `#pragma omp`, and how it has to be written for OPARI2.
 *
 * OPARI2 moves clauses wrongly when it takes some combined directives apart (parallel for simd,
 * parallel loop, parallel masked, ...), but handles the same written as one directive above
 * another. So those are split here.
 */
#ifndef FATHOM_OPARI_DIRECTIVE_H
#define FATHOM_OPARI_DIRECTIVE_H

#include <stddef.h>

/* What is to be done with a directive. */
enum fathom_directive_form {
	FATHOM_DIRECTIVE_KEPT,		/* it can stay as it is */
	FATHOM_DIRECTIVE_CHANGED,	/* outer in its place */
	FATHOM_DIRECTIVE_SPLIT,		/* outer, within it middle if there is one, and within that inner */
	FATHOM_DIRECTIVE_HIDDEN,	/* OPARI2 must not see it */
};

struct fathom_directive {
	char name[64];		/* "parallel for", "critical"; "" if it is none we know */
	int has_body;		/* a statement belongs to it */
	int has_loop;		/* which has to be a loop */
	int is_seen;		/* OPARI2 instruments it */
	int is_strict;		/* default(none): outer has to name all variables */
	enum fathom_directive_form form;
	char *outer, *middle, *inner;	/* without `#pragma omp`; NULL unless the form says so */
};

/* text: what stands behind `#pragma omp`, length bytes. */
void fathom_directive_read(struct fathom_directive *directive, const char *text, size_t length);
void fathom_directive_fini(struct fathom_directive *directive);

#endif
