/*
 * caller: whose call it is.
 *
 * Calls of the program and of its libraries are recorded. A runtime system (OpenMP, MPI and what is below it)
 * has threads and locks of its own, which say nothing about the program: what is called from its code is not
 * recorded. Of the languages' libraries only what the program asks them for is.
 *
 * The question is answered by the return address: in the program itself by two comparisons, elsewhere from
 * a table of pages.
 */
#ifndef FATHOM_WRAPPERS_PTHREAD_CALLER_H
#define FATHOM_WRAPPERS_PTHREAD_CALLER_H

#include <stdint.h>

#include "platform/compiler.h"

/* Groups of calls; bits. */
#define FATHOM_PTHREAD_GROUP_THREADS 1u
#define FATHOM_PTHREAD_GROUP_LOCKS 2u
#define FATHOM_PTHREAD_GROUP_ONCE 4u
#define FATHOM_PTHREAD_GROUPS 7u

#ifdef PIC
/* The program's own code. Nothing before the start. */
struct fathom_pthread_code {
	uintptr_t begin;
	uintptr_t bytes;
};

extern FATHOM_HIDDEN struct fathom_pthread_code fathom_pthread_program;

/* Context: start. */
void fathom_pthread_caller_start(void);

/* The groups of calls that are recorded from address, outside the program itself. Keeps errno. Context: hook;
 * a page's first: birth. */
unsigned int fathom_pthread_caller_look(uintptr_t address);
#else
/* In a static program all code is the program's. But these two functions of libgomp stand one behind the other in
 * its file, and the first creates its threads. */
extern const char gomp_team_start[] __attribute__((weak)), gomp_team_end[] __attribute__((weak));

static inline void fathom_pthread_caller_start(void)
{
}
#endif

/* The groups of calls that are recorded where caller is the return address. Context: hook; a page's first: birth. */
static inline unsigned int fathom_pthread_caller_groups(const void *caller)
{
	/* Behind a call that does not return there may be other code, or none. */
	uintptr_t address = (uintptr_t)caller - 1;

#ifdef PIC
	if (likely(address - fathom_pthread_program.begin < fathom_pthread_program.bytes))
		return FATHOM_PTHREAD_GROUPS;
	return fathom_pthread_caller_look(address);
#else
	if (address - (uintptr_t)gomp_team_start < (uintptr_t)gomp_team_end - (uintptr_t)gomp_team_start)
		return FATHOM_PTHREAD_GROUP_LOCKS;
	return FATHOM_PTHREAD_GROUPS;
#endif
}

#endif
