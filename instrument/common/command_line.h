/*
 * command_line: reads what a compiler's command line asks for.
 *
 * The line is never rewritten: the compiler gets the user's words in their order. The result decides whether, and
 * where, fathom adds words of its own. The words in options files (@file) are read, too.
 */
#ifndef FATHOM_INSTRUMENT_COMMAND_LINE_H
#define FATHOM_INSTRUMENT_COMMAND_LINE_H

#include <stddef.h>

#include "common/word_list.h"

enum fathom_stage {
	FATHOM_STAGE_LINK,
	FATHOM_STAGE_COMPILE,		/* stops before the link: -c, -S */
	FATHOM_STAGE_PREPROCESS,	/* makes no code: -E, -M, -MM, -fsyntax-only */
	FATHOM_STAGE_QUERY,		/* queries the compiler: --version, -print-..., -### */
};

struct fathom_line {
	enum fathom_stage stage;
	int has_input;		/* there is a file to compile or link */
	int has_source;		/* at least one file is compiled, not only assembled or linked */
	int is_static;
	int has_unwinder;	/* the program contains the unwinder: -static-libgcc */
	int is_shared;		/* links a shared library */
	int is_relocatable;	/* links object files into one object file */
	int is_bare;		/* the program runs without a C library: kernels, firmware, boot code */
	int is_probe;		/* a configure script tests what the compiler can do */
	/* An option such as -m32 that selects another word size than that of fathom's libraries; NULL: none. */
	const char *other_words;
	int has_rpath;
	int limits_frame;	/* -Wframe-larger-than= */
	int limits_stack;	/* -Wstack-usage= */
	int has_mcount;		/* -pg: functions call mcount, for gprof */
	int uses_profile;	/* -fprofile-use: the compiler reads a profile of GCC from an earlier build */
	int has_openmp;		/* -fopenmp; the last option about OpenMP decides */
	int has_openmp_library;	/* the line names an OpenMP library: -lgomp */
	int has_threads;	/* -pthread, or the line names that library */
	int has_mpi;		/* the line names an MPI library */
	int has_mpi_fortran;	/* the line names an MPI library that has the Fortran calls */
	size_t mpi_at;		/* index of the first argument that names an MPI library */
};

/* Reads a line. args[0] is the first word after the compiler's name. */
void fathom_line_read(struct fathom_line *line, char *const *args, size_t count);

/* The kinds of words. The command that compiles a source again chooses words by their kinds. */
enum fathom_word_kind {
	FATHOM_WORD_FLAG,	/* an option for the compiler itself */
	FATHOM_WORD_SOURCE,
	FATHOM_WORD_LINKED,	/* an object file, a library, or an option for the linker */
	FATHOM_WORD_OUTPUT,	/* -o and its file */
	FATHOM_WORD_LANGUAGE,	/* -x and the language */
	FATHOM_WORD_STAGE,	/* -c, -S */
	FATHOM_WORD_DEPENDENCY,	/* -MD and similar options with their values */
	FATHOM_WORD_TEMPS,	/* -save-temps */
};

/* The words of a line one by one; options files are replaced by the words that they contain. */
struct fathom_line_words {
	struct fathom_words words;
	/* For each word: the language that -x sets at this point, "" if there is no -x. */
	struct fathom_words languages;
	enum fathom_word_kind *kinds;
	size_t room;			/* of kinds */
};

/* Cuts a line into words. */
void fathom_line_cut(struct fathom_line_words *cut, char *const *args, size_t count);
void fathom_line_words_fini(struct fathom_line_words *cut);

/* Returns whether configure scripts use a file of this name for their test programs. */
int fathom_line_is_probe_name(const char *path);

/* Returns whether a library, named as in -lNAME or libNAME.so, is an MPI library. */
int fathom_line_is_mpi_library(const char *name, size_t length);

#endif
