/*
 * rewrite: rewrites one source: preprocessor, prepare, OPARI2, finish. The result is compiled in place of the source.
 */
#ifndef FATHOM_OPARI_REWRITE_H
#define FATHOM_OPARI_REWRITE_H

#include "common/word_list.h"
#include "opari/translation_unit.h"

struct fathom_rewrite {
	/* in */
	const char *compiler;			/* the program to run */
	const struct fathom_words *front;	/* the name of the compiler, and of a launcher before it */
	const struct fathom_words *flags;	/* the user's flags for compiling */
	const char *opari;			/* the program to run */
	const char *folder;			/* a temporary directory of this unit alone */
	const char *object;			/* the object file; its name makes names in the code unique */
	int atomic;				/* atomic and flush constructs are measured, too */
	int verbose;
	/* out */
	char *result;		/* the rewritten file, to free; NULL if there is none */
	const char *language;	/* of the result, for -x */
	char *trouble;		/* why there is no result, to free; NULL if the unit does not use OpenMP */
	char *lost;		/* the constructs that will not be measured, to free; NULL if not known */
};

/* Rewrites a unit. */
void fathom_rewrite_run(struct fathom_rewrite *rewrite, const struct fathom_unit *unit);
void fathom_rewrite_fini(struct fathom_rewrite *rewrite);

#endif
