/*
 * c_library: the C library's own thread functions, which the wrappers call.
 */
#ifndef FATHOM_WRAPPERS_PTHREAD_C_LIBRARY_H
#define FATHOM_WRAPPERS_PTHREAD_C_LIBRARY_H

#include "platform/compiler.h"
#include "pthread/calls.h"	/* generated: enum fathom_pthread_call, struct fathom_pthread_real */

/* The functions, in the order of the calls. Generated from calls.txt. */
extern FATHOM_HIDDEN struct fathom_pthread_real fathom_pthread_real;

/* Fills in the member of fathom_pthread_real for call, if it is NULL. name: the name of the function. Members are
 * filled in one by one, and several threads may do so at the same time: dlsym may call other thread functions (in an
 * allocator of the program). Context: birth. */
#ifndef FATHOM_PTHREAD_STATIC
void fathom_pthread_real_find(enum fathom_pthread_call call, const char *name);
#else
static inline void fathom_pthread_real_find(enum fathom_pthread_call call, const char *name)
{
	(void)call;	/* the linker has done it */
	(void)name;
}
#endif

#endif
