/* options: the user's choices for compiling and linking: options of fathom before the compiler, and environment
 * variables. */
#ifndef FATHOM_DRIVER_OPTIONS_H
#define FATHOM_DRIVER_OPTIONS_H

#include "driver/mpi.h"

enum fathom_choice { FATHOM_CHOICE_AUTO, FATHOM_CHOICE_ON, FATHOM_CHOICE_OFF };

/* How OpenMP is measured. */
enum fathom_openmp_way {
	FATHOM_OPENMP_AUTO,	/* POMP2 with GCC, OMPT with clang */
	FATHOM_OPENMP_POMP2,	/* sources are rewritten by OPARI2 */
	FATHOM_OPENMP_OMPT,	/* LLVM's runtime reports events */
	FATHOM_OPENMP_OFF,
};

struct fathom_options {
	int compiler;			/* 0: --no-compiler, functions are not instrumented */
	int user;			/* 0: --no-user, calls of fathom/fathom.h have no effect */
	int io;				/* --io: calls of POSIX files and of stdio are measured */
	enum fathom_choice mpi;
	enum fathom_mpi mpi_kind;	/* the MPI that the user named; FATHOM_MPI_UNKNOWN: none */
	enum fathom_openmp_way openmp;
	int openmp_atomic;		/* --openmp-atomic: the constructs atomic and flush are measured, too */
	char *filter;			/* absolute path, or NULL */
	int keep;
	int verbose;
	unsigned long min_insns;	/* FATHOM_INSTRUMENT_MIN_INSNS */
	int has_min_insns;		/* it is set */
	const char *hooks;		/* FATHOM_INSTRUMENT_HOOKS: "late", "early", or NULL */
	const char *calls;		/* FATHOM_INSTRUMENT_CALLS: "compiled", "all", or NULL */
};

/* Sets the defaults, then reads FATHOM_DRIVER_OPTIONS and FATHOM_INSTRUMENT_*. A wrong value ends the command with a
 * message. */
void fathom_options_init(struct fathom_options *options);

/* Takes one word of the command line. Returns 1 if the word is an option. A wrong option ends the command. */
int fathom_options_take(struct fathom_options *options, const char *word);

void fathom_options_fini(struct fathom_options *options);

#endif
