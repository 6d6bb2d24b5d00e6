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
#include <string.h>

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

/*
 * What the instruction before a return address called, if that is a function of another module: a library's function
 * that ends in a call of ours (gfortran's WRITE in an unlock) returns to the program for it. 0: nothing of the kind.
 * Context: hook.
 */
static inline uintptr_t fathom_pthread_called(const unsigned char *caller)
{
#if defined(__x86_64__)
	const unsigned char *stub;
	uintptr_t target;
	int32_t distance;

	memcpy(&distance, caller - 4, sizeof(distance));
	if (caller[-6] == 0xff && caller[-5] == 0x15) {		/* call *place */
		memcpy(&target, caller + distance, sizeof(target));
		return target;
	}
	if (caller[-5] != 0xe8)					/* call function */
		return 0;
	stub = caller + distance;
	if (!fathom_pthread_is_program((uintptr_t)stub))
		return 0;
	if (stub[0] == 0xf3 && stub[1] == 0x0f && stub[2] == 0x1e && stub[3] == 0xfa)	/* endbr64 */
		stub += 4;
	if (stub[0] == 0xf2)					/* bnd */
		stub++;
	if (stub[0] != 0xff || stub[1] != 0x25)			/* jmp *place */
		return 0;
	memcpy(&distance, stub + 2, sizeof(distance));
	memcpy(&target, stub + 6 + distance, sizeof(target));
	return target;
#else
	(void)caller;
	return 0;
#endif
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

static inline uintptr_t fathom_pthread_called(const unsigned char *caller)
{
	(void)caller;
	return 0;
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
	uintptr_t address = (uintptr_t)caller - 1, called;

	if (unlikely(!fathom_pthread_is_program(address)))
		return fathom_pthread_caller_look(address);
	called = fathom_pthread_called(caller);
	if (!called || fathom_pthread_is_program(called))	/* not bound yet, it leads back into the program */
		return FATHOM_PTHREAD_GROUPS;
	return fathom_pthread_caller_look(called);
}

#endif
