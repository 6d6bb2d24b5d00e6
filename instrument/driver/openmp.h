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

#include "common/command_line.h"
#include "common/word_list.h"
#include "driver/installation.h"
#include "driver/options.h"

struct fathom_openmp {
	const struct fathom_installation *installation;
	const struct fathom_options *options;
	const char *path;		/* of the compiler */
	const char *name;		/* base name of the compiler */
	/* The words that begin the command: a launcher, if there is one, and the compiler. */
	const struct fathom_words *front;
	const struct fathom_words *added;	/* options that fathom adds for compiling */
	const struct fathom_words *plain;	/* the whole command */
	int is_gcc;				/* GCC and not clang, which lacks some options */
	enum fathom_stage stage;		/* FATHOM_STAGE_COMPILE or FATHOM_STAGE_LINK */
	/* Composes the whole command for a changed list of the user's words. */
	void (*compose)(const void *build, struct fathom_words *command, char *const *args, size_t count);
	const void *build;
};

/* Builds the sources with OpenMP. Returns the exit code, or -1 if no source must be rewritten: the caller then runs the
 * plain command. */
int fathom_openmp_build(const struct fathom_openmp *openmp, char *const *args, size_t count);

#endif
