/*
 * options: what a user asks of fathom itself when compiling and linking.
 */
#ifndef FATHOM_DRIVER_OPTIONS_H
#define FATHOM_DRIVER_OPTIONS_H

#include "driver/mpi.h"

enum fathom_choice { FATHOM_CHOICE_AUTO, FATHOM_CHOICE_ON, FATHOM_CHOICE_OFF };

/* By what OpenMP is measured. */
enum fathom_openmp_way {
	FATHOM_OPENMP_AUTO,	/* POMP2 with GCC, OMPT with clang */
	FATHOM_OPENMP_POMP2,	/* sources are rewritten by OPARI2 */
	FATHOM_OPENMP_OMPT,	/* LLVM's runtime tells */
	FATHOM_OPENMP_OFF,
};

struct fathom_options {
	int compiler;			/* 0: --no-compiler, the functions are not instrumented */
	int user;			/* 0: --no-user, the calls of fathom/fathom.h are nothing */
	enum fathom_choice mpi;
	enum fathom_mpi mpi_kind;	/* the one that is meant, where the user says it */
	enum fathom_openmp_way openmp;
	int openmp_atomic;		/* --openmp-atomic: atomic and flush, too */
	char *filter;			/* absolute path, or NULL */
	int keep;
	int verbose;
	unsigned long min_insns;	/* FATHOM_INSTRUMENT_MIN_INSNS */
	int has_min_insns;		/* it is set */
	const char *hooks;		/* FATHOM_INSTRUMENT_HOOKS: "late", "early", or NULL */
};

/* Defaults, then FATHOM_DRIVER_OPTIONS and FATHOM_INSTRUMENT_*. A wrong value ends the command with one line. */
void fathom_options_init(struct fathom_options *options);

/* Take one word of the command line. 1 if it was an option; ends the command if it is a wrong one. */
int fathom_options_take(struct fathom_options *options, const char *word);

void fathom_options_fini(struct fathom_options *options);

#endif
