/*
 * lock_call: the runtime's lock functions, called for the program inside a region of their own.
 *
 * The program's calls were rewritten to ours, so these must always reach the real ones, measured or not.
 */
#ifndef FATHOM_POMP2_LOCK_CALL_H
#define FATHOM_POMP2_LOCK_CALL_H

#include "define/region.h"
#include "nesting.h"
#include "runtime.h"

struct fathom_lock_call {
	const char *name;			/* as people write it; C and Fortran share a region */
	enum fathom_role role;
	struct fathom_omp_function function;
	const struct fathom_region *region;	/* NULL: not defined yet */
};

#define FATHOM_LOCK_CALL(shown, linked, kind) \
	{ .name = shown, .role = FATHOM_ROLE_##kind, .function = FATHOM_OMP_FUNCTION(linked) }

/* The program cannot go on: no runtime has the function. Context: hook. */
FATHOM_COLD _Noreturn void fathom_lock_call_fail(const struct fathom_lock_call *call);

/* Begin and end the region, if anything is measured. Context: hook; the first: birth. */
void fathom_lock_call_enter(struct fathom_lock_call *call);
void fathom_lock_call_exit(struct fathom_lock_call *call);

/* Never NULL. */
static inline void (*fathom_lock_call_real(struct fathom_lock_call *call))(void)
{
	void (*real)(void) = fathom_omp_real(&call->function);

	if (unlikely(!real))
		fathom_lock_call_fail(call);
	return real;
}

/* Functions that take the lock alone. */
static inline __attribute__((always_inline)) void fathom_lock_call(struct fathom_lock_call *call, void *lock)
{
	void (*real)(void *) = (void (*)(void *))fathom_lock_call_real(call);

	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_lock_call_enter(call);
	real(lock);
	fathom_lock_call_exit(call);
}

static inline __attribute__((always_inline)) int fathom_lock_call_test(struct fathom_lock_call *call, void *lock)
{
	int (*real)(void *) = (int (*)(void *))fathom_lock_call_real(call);
	int result;

	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_lock_call_enter(call);
	result = real(lock);
	fathom_lock_call_exit(call);
	return result;
}

#endif
