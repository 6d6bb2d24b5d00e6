/*
 * lock_call: calls the runtime's lock functions for the program, inside a region of their own.
 *
 * OPARI2 has rewritten the program's calls of lock functions, so these functions must always call the runtime's,
 * measured or not.
 */
#ifndef FATHOM_POMP2_LOCK_CALL_H
#define FATHOM_POMP2_LOCK_CALL_H

#include "define/region.h"
#include "event/locks/locks.h"
#include "nesting.h"
#include "runtime.h"

/* What a function does to its lock, for traces. */
enum fathom_lock_effect {
	FATHOM_LOCK_FORGET,			/* makes or destroys it */
	FATHOM_LOCK_ACQUIRE,
	FATHOM_LOCK_RELEASE,
};

struct fathom_lock_call {
	const char *name;			/* as people write it; C and Fortran share a region */
	enum fathom_role role;
	enum fathom_lock_effect effect;
	struct fathom_omp_function function;
	const struct fathom_region *region;	/* NULL: not defined yet */
};

#define FATHOM_LOCK_CALL(shown, linked, kind, does) \
	{ .name = shown, .role = FATHOM_ROLE_##kind, .effect = FATHOM_LOCK_##does, \
	  .function = FATHOM_OMP_FUNCTION(linked) }

/* Ends the program with a message: no runtime library has the function. Context: hook. */
FATHOM_COLD _Noreturn void fathom_lock_call_fail(const struct fathom_lock_call *call);

/* Enter and exit the region of the function, if anything is measured. Context: hook; the first call: birth. */
void fathom_lock_call_enter(struct fathom_lock_call *call);
void fathom_lock_call_exit(struct fathom_lock_call *call);

/* Returns the function of the runtime; never NULL. Context: hook; the first call: birth. */
static inline void (*fathom_lock_call_real(struct fathom_lock_call *call))(void)
{
	void (*real)(void) = fathom_omp_real(&call->function);

	if (unlikely(!real))
		fathom_lock_call_fail(call);
	return real;
}

/* Calls a function of the runtime that takes the lock alone. Context: hook; the first: birth. */
static inline __attribute__((always_inline)) void fathom_lock_call(struct fathom_lock_call *call, void *lock)
{
	void (*real)(void *) = (void (*)(void *))fathom_lock_call_real(call);

	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_lock_call_enter(call);
	if (call->effect == FATHOM_LOCK_RELEASE)
		fathom_event_lock_release(lock, FATHOM_PARADIGM_OPENMP);
	real(lock);
	if (call->effect == FATHOM_LOCK_ACQUIRE)
		fathom_event_lock_acquired(lock, FATHOM_PARADIGM_OPENMP);
	else if (call->effect == FATHOM_LOCK_FORGET)
		fathom_event_lock_forget(lock);
	fathom_lock_call_exit(call);
}

/* Makes a lock with a hint, for C or for Fortran. Not all runtimes take hints (libgomp 12 does not): there plain makes
 * the same lock without the hint. Context: hook; the first: birth. */
void fathom_lock_call_with_hint_c(struct fathom_lock_call *hinted, struct fathom_lock_call *plain, void *lock,
				  int hint);
void fathom_lock_call_with_hint_fortran(struct fathom_lock_call *hinted, struct fathom_lock_call *plain, void *lock,
					void *hint);

/* Calls a function of the runtime that may acquire the lock; returns its result. Context: hook; the first: birth. */
static inline __attribute__((always_inline)) int fathom_lock_call_test(struct fathom_lock_call *call, void *lock)
{
	int (*real)(void *) = (int (*)(void *))fathom_lock_call_real(call);
	int result;

	fathom_pomp2_look_for_end(FATHOM_POMP2_HERE);
	fathom_lock_call_enter(call);
	result = real(lock);
	if (result)
		fathom_event_lock_acquired(lock, FATHOM_PARADIGM_OPENMP);
	fathom_lock_call_exit(call);
	return result;
}

#endif
