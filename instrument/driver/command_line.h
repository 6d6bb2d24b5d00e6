/*
 * command_line: reads what a compiler's command line asks for.
 *
 * The line is never rewritten: the compiler gets the user's words in their order. The result decides whether, and
 * where, fathom adds words of its own. The words in options files (@file) are read, too.
 */
#ifndef FATHOM_DRIVER_COMMAND_LINE_H
#define FATHOM_DRIVER_COMMAND_LINE_H

#include <stddef.h>

#include "driver/word_list.h"

enum fathom_stage {
	FATHOM_STAGE_LINK,
	FATHOM_STAGE_COMPILE,		/* stops before the link: -c, -S */
	FATHOM_STAGE_PREPROCESS,	/* makes no code: -E, -M, -MM, -fsyntax-only */
	FATHOM_STAGE_QUERY,		/* asks the compiler something: --version, -print-..., -### */
};

struct fathom_line {
	enum fathom_stage stage;
	int has_input;		/* there is something to work on */
	int has_source;		/* some of it is compiled, not only assembled or linked */
	int is_static;
	int has_unwinder;	/* in itself: -static-libgcc */
	int is_shared;		/* links a shared library */
	int is_relocatable;	/* links object files into one object file */
	int is_bare;		/* no C library under it: kernels, firmware, boot code */
	int is_probe;		/* a configure script looks what the compiler can do */
	const char *other_words;	/* the option that asks for another size of words than ours, or NULL: -m32 */
	int has_rpath;
	int limits_frame;	/* -Wframe-larger-than= */
	int limits_stack;	/* -Wstack-usage= */
	int has_mcount;		/* -pg: functions call mcount, for gprof */
	int uses_profile;	/* of GCC's, made by an earlier build: -fprofile-use */
	int has_openmp;		/* -fopenmp, the last word about it */
	int has_openmp_library;	/* names one: -lgomp */
	int has_threads;	/* -pthread, or names that library */
	int has_mpi;		/* names an MPI library */
	int has_mpi_fortran;	/* names one with the Fortran calls */
	size_t mpi_at;		/* index of the argument that does so first */
};

/* Reads a line. args[0] is the first word after the compiler's name. */
void fathom_line_read(struct fathom_line *line, char *const *args, size_t count);

/* The kinds of words, for a command that compiles a part of the line once more. */
enum fathom_word_kind {
	FATHOM_WORD_FLAG,	/* for the compiler as such */
	FATHOM_WORD_SOURCE,
	FATHOM_WORD_LINKED,	/* an object, a library, something for the linker */
	FATHOM_WORD_OUTPUT,	/* -o and its file */
	FATHOM_WORD_LANGUAGE,	/* -x and the language */
	FATHOM_WORD_STAGE,	/* -c, -S */
	FATHOM_WORD_DEPENDENCY,	/* -MD and the like with their values */
	FATHOM_WORD_TEMPS,	/* -save-temps */
};

/* The words of a line one by one; options files are replaced by the words that they contain. */
struct fathom_line_words {
	struct fathom_words words;
	struct fathom_words languages;	/* for each word: what -x says at this point, "" if nothing */
	enum fathom_word_kind *kinds;
	size_t room;			/* of kinds */
};

/* Cuts a line into words. */
void fathom_line_cut(struct fathom_line_words *cut, char *const *args, size_t count);
void fathom_line_words_fini(struct fathom_line_words *cut);

/* Whether the file name is one that configure scripts use for their test programs. */
int fathom_line_is_probe_name(const char *path);

/* Whether a library, as in -lNAME or libNAME.so, is an MPI library. */
int fathom_line_is_mpi_library(const char *name, size_t length);

#endif
