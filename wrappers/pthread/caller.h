/*
 * caller: whose call it is.
 *
 * Calls of the program and of its libraries are recorded. A runtime system (OpenMP, MPI and what is below it)
 * has threads and locks of its own, which say nothing about the program: what is called from its code is not
 * recorded. Of the languages' libraries only what the program asks them for is.
 *
 * The question is answered by the return address: in the program itself by a comparison, elsewhere from
 * a table of pages.
 */
#ifndef FATHOM_WRAPPERS_PTHREAD_CALLER_H
#define FATHOM_WRAPPERS_PTHREAD_CALLER_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"
#include "pthread/calls.h"

/* Groups of calls; bits. */
#define FATHOM_PTHREAD_GROUP_THREADS 1u
#define FATHOM_PTHREAD_GROUP_LOCKS 2u
#define FATHOM_PTHREAD_GROUP_ONCE 4u
#define FATHOM_PTHREAD_GROUPS 7u

#ifndef FATHOM_PTHREAD_STATIC
/* The program's own code. Nothing before the start. */
struct fathom_pthread_code {
	uintptr_t begin;
	uintptr_t bytes;
};

extern FATHOM_HIDDEN struct fathom_pthread_code fathom_pthread_program;

static inline bool fathom_pthread_is_program(uintptr_t address)
{
	return address - fathom_pthread_program.begin < fathom_pthread_program.bytes;
}

/* Context: start. */
void fathom_pthread_caller_start(void);
#else
/* All code is in the program's file, in the order in which it was linked: what stands behind us are the libraries
 * of MPI, of compilers and the C library. */
static inline bool fathom_pthread_is_program(uintptr_t address)
{
	return address < (uintptr_t)pthread_join;
}

static inline void fathom_pthread_caller_start(void)
{
}
#endif

/* The groups of calls that are recorded from address, outside the program itself. Keeps errno. Context: hook;
 * a page's first: birth. */
unsigned int fathom_pthread_caller_look(uintptr_t address);

/* The groups of calls that are recorded where caller is the return address. Context: hook; a page's first: birth. */
static inline unsigned int fathom_pthread_caller_groups(const void *caller)
{
	/* Behind a call that does not return there may be other code, or none. */
	uintptr_t address = (uintptr_t)caller - 1;

	return likely(fathom_pthread_is_program(address)) ? FATHOM_PTHREAD_GROUPS : fathom_pthread_caller_look(address);
}

#endif
