#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

void fathom_omp_elsewhere(void)
{
}

/* Where a program uses nothing of OpenMP but locks, the linker may have left out the runtime (--as-needed),
 * since all that the rewritten program calls is us. By way of dlsym, for a static program would be warned of dlopen. */
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
	/* Two threads that look at once find the same. */
	__atomic_store_n(&function->found, real, __ATOMIC_RELAXED);
	errno = saved;
	return real;
}
