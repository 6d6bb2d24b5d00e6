/*
 * openmp: a compiler's command line whose sources use OpenMP.
 *
 * The user's own command runs first, as it would without OpenMP, and says all there is to say:
 * diagnostics, dependency files and exit code are those of the original sources. Then each
 * source that uses OpenMP is rewritten by OPARI2 and compiled once more, and its code takes the
 * place of what was made. Whatever goes wrong there, the user keeps what the first command made,
 * and gets a message about what will not be measured.
 */
#ifndef FATHOM_DRIVER_OPENMP_H
#define FATHOM_DRIVER_OPENMP_H

#include <stddef.h>

#include "driver/command_line.h"
#include "driver/options.h"
#include "driver/installation.h"
#include "driver/word_list.h"

struct fathom_openmp {
	const struct fathom_installation *installation;
	const struct fathom_options *options;
	const char *path;		/* of the compiler */
	const char *name;		/* its base name */
	const struct fathom_words *front;	/* how it is called, a launcher before it */
	const struct fathom_words *added;	/* flags of ours for compiling */
	const struct fathom_words *plain;	/* the whole command */
	int is_gcc;				/* not clang, which lacks some options */
	enum fathom_stage stage;		/* FATHOM_STAGE_COMPILE or FATHOM_STAGE_LINK */
	/* makes the whole command of other words that are the user's */
	void (*compose)(const void *build, struct fathom_words *command, char *const *args, size_t count);
	const void *build;
};

/*
 * Do all of it for the user's words. Returns the exit code, or -1 if nothing was done because
 * nothing is to be rewritten: the plain command remains to be run then.
 */
int fathom_openmp_build(const struct fathom_openmp *openmp, char *const *args, size_t count);

#endif
