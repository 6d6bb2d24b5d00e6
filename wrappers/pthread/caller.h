/*
 * caller: finds the code that made a thread call, and decides by it whether the call is recorded.
 *
 * Calls from the program and from its libraries are recorded. Calls from a runtime system (OpenMP, MPI and the
 * libraries below it) are not: its threads and locks are not those of the program. Libraries of languages (C++,
 * Fortran) make some calls for the program, and only these are recorded.
 *
 * The caller is found by the return address: an address in the program itself by a comparison, others in a table of
 * pages.
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
/* A range of addresses. */
struct fathom_pthread_code {
	uintptr_t begin;
	uintptr_t bytes;
};

/* The program's own code, and the code of this library; empty before the start. */
extern FATHOM_HIDDEN struct fathom_pthread_code fathom_pthread_program;
extern FATHOM_HIDDEN struct fathom_pthread_code fathom_pthread_library;

/* Returns whether address is in the program's own code. Context: hook. */
static inline bool fathom_pthread_is_program(uintptr_t address)
{
	return address - fathom_pthread_program.begin < fathom_pthread_program.bytes;
}

/* Returns whether address is in this library: whether it is that of a wrapper. Context: hook. */
static inline bool fathom_pthread_is_wrapper(uintptr_t address)
{
	return address - fathom_pthread_library.begin < fathom_pthread_library.bytes;
}

/*
 * Returns the function that the instruction before a return address called, if that is a function of another module. A
 * library's function that ends with a tail call of a wrapper (gfortran's WRITE: of an unlock) makes the wrapper return
 * to the program. 0: the instruction called no function of another module. Context: hook.
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

/* Finds the program's own code. Context: start. */
void fathom_pthread_caller_start(void);
#else
/* In a static program all code is in one file, in the order in which it was linked: behind fathom's code there are the
 * libraries of MPI and of compilers, and the C library. */
static inline bool fathom_pthread_is_program(uintptr_t address)
{
	return address < (uintptr_t)pthread_join;
}

static inline bool fathom_pthread_is_wrapper(uintptr_t address)
{
	(void)address;
	return false;
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

/* Returns the groups of calls (FATHOM_PTHREAD_GROUP_...) that are recorded from an address outside the program's own
 * code. Keeps errno. Context: hook; a page's first call: birth. */
unsigned int fathom_pthread_caller_look(uintptr_t address);

/* Returns the groups of calls that are recorded where caller is the return address. Context: hook; a page's first call:
 * birth. */
static inline unsigned int fathom_pthread_caller_groups(const void *caller)
{
	/* The address of the call itself: behind a call that does not return there may be other code, or none. */
	uintptr_t address = (uintptr_t)caller - 1, called;

	if (unlikely(!fathom_pthread_is_program(address)))
		return fathom_pthread_caller_look(address);
	called = fathom_pthread_called(caller);
	/* Most calls lead to the wrapper at once; a call that is not bound yet leads back into the program. */
	if (!called || likely(fathom_pthread_is_wrapper(called)) || fathom_pthread_is_program(called))
		return FATHOM_PTHREAD_GROUPS;
	return fathom_pthread_caller_look(called);
}

#endif
