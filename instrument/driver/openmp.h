/*
 * openmp: compiles sources that use OpenMP.
 *
 * The user's own command runs first, as it would without fathom: diagnostics, dependency files and exit code are those
 * of the original sources. Then OPARI2 rewrites each source that uses OpenMP, the compiler compiles the rewritten
 * source, and its code replaces that of the first command. If anything goes wrong there, the user keeps the files of
 * the first command, and a message says which constructs will not be measured.
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
