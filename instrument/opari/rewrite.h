/*
 * rewrite: one source, through the preprocessor and OPARI2, into what is compiled instead.
 */
#ifndef FATHOM_OPARI_REWRITE_H
#define FATHOM_OPARI_REWRITE_H

#include "driver/word_list.h"
#include "opari/translation_unit.h"

struct fathom_rewrite {
	/* in */
	const char *compiler;			/* the program to run */
	const struct fathom_words *front;	/* its name, and a launcher's before it */
	const struct fathom_words *flags;	/* the user's, for compiling */
	const char *opari;			/* the program to run */
	const char *folder;			/* temporary, of this unit alone */
	const char *object;			/* where the code will go; makes names within it unique */
	int atomic;				/* atomic and flush, too */
	int verbose;
	/* out */
	char *result;		/* the rewritten file, to free; NULL if there is none */
	const char *language;	/* of the result, for -x */
	char *trouble;		/* why there is none, to free; NULL if the unit has nothing to do with OpenMP */
	char *lost;		/* the constructs in it, to free; NULL if not known */
};

void fathom_rewrite_run(struct fathom_rewrite *rewrite, const struct fathom_unit *unit);
void fathom_rewrite_fini(struct fathom_rewrite *rewrite);

#endif
