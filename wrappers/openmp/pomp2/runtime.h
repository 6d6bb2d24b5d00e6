/*
 * runtime: functions of the program's OpenMP runtime library.
 *
 * In a static program they are linked. The shared library must not be: a program without OpenMP that links it
 * has to start all the same; and linked without the runtime at hand it would refer to names without versions, and so
 * would get libgomp's lock functions from before OpenMP 3, which have other locks. There (local.mk) all
 * these names stand for fathom_omp_elsewhere, and the real functions are looked up by name at their first use.
 */
#ifndef FATHOM_POMP2_RUNTIME_H
#define FATHOM_POMP2_RUNTIME_H

#include "platform/compiler.h"

struct fathom_omp_function {
	const char *symbol;
	void (*linked)(void);	/* or fathom_omp_elsewhere; NULL: the runtime has none (static programs) */
	void (*found)(void);	/* NULL: not looked for yet, or there is none */
};

#define FATHOM_OMP_FUNCTION(name) { .symbol = #name, .linked = (void (*)(void))name }

/* Is never called. If a member `linked` has the address of this function, the OpenMP function must be searched by name.
 * No context. */
void fathom_omp_elsewhere(void);

/* Searches a function by its name. NULL: no library has it. Context: birth. */
FATHOM_COLD void (*fathom_omp_find(struct fathom_omp_function *function))(void);

/* Returns a function, which is looked up at the first call. NULL: no library has it. Context: hook; the first call:
 * birth. */
static inline void (*fathom_omp_real(struct fathom_omp_function *function))(void)
{
	void (*real)(void) = __atomic_load_n(&function->found, __ATOMIC_RELAXED);

	return likely(real) ? real : fathom_omp_find(function);
}

#endif
