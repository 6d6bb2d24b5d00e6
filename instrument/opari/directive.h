/*
 * directive: reads the words behind `#pragma omp`, and says how the directive has to be written for OPARI2.
 *
 * OPARI2 moves clauses to the wrong part of some combined directives (parallel for simd, parallel loop, parallel
 * masked, ...), but handles the same parts as directives of their own. So these combined directives are split here.
 */
#ifndef FATHOM_OPARI_DIRECTIVE_H
#define FATHOM_OPARI_DIRECTIVE_H

#include <stddef.h>

/* How a directive must be written. */
enum fathom_directive_form {
	FATHOM_DIRECTIVE_KEPT,		/* it can stay as it is */
	FATHOM_DIRECTIVE_CHANGED,	/* it is replaced by outer */
	FATHOM_DIRECTIVE_SPLIT,		/* outer, within it middle if there is one, and within that inner */
	FATHOM_DIRECTIVE_HIDDEN,	/* OPARI2 must not see it */
};

struct fathom_directive {
	char name[64];		/* "parallel for", "critical"; "" if it is not known */
	int has_body;		/* a statement belongs to the directive */
	int has_loop;		/* this statement must be a loop */
	int is_seen;		/* OPARI2 instruments it */
	int is_strict;		/* default(none): outer must list all variables */
	enum fathom_directive_form form;
	char *outer, *middle, *inner;	/* without `#pragma omp`; NULL unless the form says so */
};

/* Reads a directive. text: the length bytes behind `#pragma omp`. */
void fathom_directive_read(struct fathom_directive *directive, const char *text, size_t length);
void fathom_directive_fini(struct fathom_directive *directive);

#endif
