/*
 * c_library: the C library's own thread functions, which the wrappers call.
 */
#ifndef FATHOM_WRAPPERS_PTHREAD_C_LIBRARY_H
#define FATHOM_WRAPPERS_PTHREAD_C_LIBRARY_H

#include "pthread/calls.h"

/*
 * Fills in the member of fathom_pthread_real for call, if it is NULL. Members are filled in one by one, and several
 * threads may do so at the same time: dlsym may call other thread functions (in an allocator of the program).
 * Context: birth.
 */
#ifndef FATHOM_PTHREAD_STATIC
void fathom_pthread_real_find(enum fathom_pthread_call call);
#else
static inline void fathom_pthread_real_find(enum fathom_pthread_call call)
{
	(void)call;	/* the linker has done it */
}
#endif

#endif
