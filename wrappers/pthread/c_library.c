#include "pthread/c_library.h"

#ifndef FATHOM_PTHREAD_STATIC
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "platform/log.h"

/*
 * Returns the C library's function of this name. The C library has an old and a present kind of condition variables,
 * and until its version 2.36 dlsym finds the old functions. The present version is asked for only where dlsym has found
 * the old one: a search that fails would leave a message for dlerror.
 */
static void *find(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
#ifdef __x86_64__
	static const char old[] = "GLIBC_2.2.5", present[] = "GLIBC_2.3.2";

	if (!strncmp(name, "pthread_cond_", 13) && strcmp(name, "pthread_cond_clockwait") &&
	    found == dlvsym(RTLD_NEXT, name, old))
		found = dlvsym(RTLD_NEXT, name, present);
#endif
	return found;
}

void fathom_pthread_real_find(enum fathom_pthread_call call, const char *name)
{
	void **place = (void **)&fathom_pthread_real + call;	/* members are in the order of the calls */
	void *found;

	_Static_assert(sizeof(fathom_pthread_real) == FATHOM_PTHREAD_CALLS * sizeof(void *), "a table of pointers");
	if (__atomic_load_n(place, __ATOMIC_RELAXED))
		return;
	found = find(name);
	if (!found) {
		/* No program can have been linked to a function that the C library does not have. */
		fathom_log(FATHOM_LOG_ERROR, "%s: the C library does not have it", name);
		abort();
	}
	__atomic_store_n(place, found, __ATOMIC_RELAXED);
}
#else
extern int fathom_pthread_nothing;	/* exists because a source file must not be empty */
#endif
