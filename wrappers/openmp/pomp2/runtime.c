#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

void fathom_omp_elsewhere(void)
{
}

/* Loads libgomp. Where a program uses only locks of OpenMP, the rewritten program calls nothing but this library, and
 * the linker may have left out the runtime (--as-needed). dlopen is found by dlsym, because linking it into a static
 * program gives a warning. */
static void *runtime_library(void)
{
	void *(*open)(const char *, int);

	*(void **)&open = dlsym(RTLD_DEFAULT, "dlopen");
	return open ? open("libgomp.so.1", RTLD_LAZY | RTLD_GLOBAL) : NULL;
}

void (*fathom_omp_find(struct fathom_omp_function *function))(void)
{
	void (*real)(void) = function->linked;
	int saved = errno;

	if (real == fathom_omp_elsewhere) {
		*(void **)&real = dlsym(RTLD_DEFAULT, function->symbol);	/* of several versions, the newest */
		if (!real) {
			void *library = runtime_library();

			*(void **)&real = library ? dlsym(library, function->symbol) : NULL;
		}
	}
	/* Threads that search at the same time find the same function. */
	__atomic_store_n(&function->found, real, __ATOMIC_RELAXED);
	errno = saved;
	return real;
}
