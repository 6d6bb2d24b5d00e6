/*
 * c_library: the C library's own thread functions, below our wrappers.
 */
#ifndef FATHOM_WRAPPERS_PTHREAD_REAL_H
#define FATHOM_WRAPPERS_PTHREAD_REAL_H

#include "pthread/calls.h"

/*
 * Fill in the member of fathom_pthread_real for call, if it is not yet. Each for itself, and any number of
 * threads at a time: finding one may call others (an allocator that the program brings, below dlsym).
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
