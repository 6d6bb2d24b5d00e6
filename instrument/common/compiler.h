/*
 * compiler: which compiler a name stands for, and whether the GCC plugin fits it.
 */
#ifndef FATHOM_INSTRUMENT_COMPILER_H
#define FATHOM_INSTRUMENT_COMPILER_H

#include <stddef.h>

enum fathom_family {
	FATHOM_FAMILY_OTHER,
	FATHOM_FAMILY_GCC,
	FATHOM_FAMILY_CLANG,
};

struct fathom_compiler {
	enum fathom_family family;
	char version[64];	/* of a GCC: "12.2.0" */
	char target[64];	/* of a GCC: "x86_64-linux-gnu" */
};

/* Returns whether a base name is that of a compiler: gcc, g++-12, aarch64-linux-gnu-gcc, mpicc.mpich, ... */
int fathom_compiler_is_name(const char *base);

/* Returns whether a base name is that of an MPI wrapper around a compiler. */
int fathom_compiler_is_mpi_wrapper(const char *base);

/* Returns whether a base name is that of a Fortran compiler, or of an MPI wrapper around one. */
int fathom_compiler_is_fortran(const char *base);

/* Returns whether a compiler of this base name compiles C files as C++. */
int fathom_compiler_is_cxx(const char *base);

/* Returns whether a base name is that of a program that runs the compiler named behind it (ccache, distcc). */
int fathom_compiler_is_launcher(const char *base);

/*
 * Finds out which compiler the program at path is. launched: the compiler's name where path is a launcher, else NULL.
 * Runs the compiler once, with -### and no work (2 ms). A program that does not answer gets FATHOM_FAMILY_OTHER.
 */
void fathom_compiler_ask(struct fathom_compiler *compiler, const char *path, const char *launched);

/* Returns whether the GCC plugin was built for this compiler. */
int fathom_compiler_fits_plugin(const struct fathom_compiler *compiler);

/* Runs a command and sets answer to what it prints on both streams, at most bytes - 1 characters. 0 or -errno. */
int fathom_compiler_answer(char *const *command, char *answer, size_t bytes);

#endif
