/*
 * fortran_locks: in place of the runtime's lock functions in Fortran. They go to the runtime's own entry points for
 * Fortran: a lock of Fortran is an integer, and not what it is in C.
 */
#include <stddef.h>

#include "lock_call.h"
#include "pomp2.h"

extern void omp_init_lock_(void *lock);
extern void omp_init_lock_with_hint_(void *lock, void *hint) __attribute__((weak));
extern void omp_destroy_lock_(void *lock);
extern void omp_set_lock_(void *lock);
extern void omp_unset_lock_(void *lock);
extern int omp_test_lock_(void *lock);
extern void omp_init_nest_lock_(void *lock);
extern void omp_init_nest_lock_with_hint_(void *lock, void *hint) __attribute__((weak));
extern void omp_destroy_nest_lock_(void *lock);
extern void omp_set_nest_lock_(void *lock);
extern void omp_unset_nest_lock_(void *lock);
extern int omp_test_nest_lock_(void *lock);

static struct fathom_lock_call
	init_lock = FATHOM_LOCK_CALL("omp_init_lock", omp_init_lock_, WRAPPER, FORGET),
	init_lock_with_hint = FATHOM_LOCK_CALL("omp_init_lock_with_hint", omp_init_lock_with_hint_, WRAPPER, FORGET),
	destroy_lock = FATHOM_LOCK_CALL("omp_destroy_lock", omp_destroy_lock_, WRAPPER, FORGET),
	set_lock = FATHOM_LOCK_CALL("omp_set_lock", omp_set_lock_, LOCK, ACQUIRE),
	unset_lock = FATHOM_LOCK_CALL("omp_unset_lock", omp_unset_lock_, WRAPPER, RELEASE),
	test_lock = FATHOM_LOCK_CALL("omp_test_lock", omp_test_lock_, LOCK, ACQUIRE),
	init_nest_lock = FATHOM_LOCK_CALL("omp_init_nest_lock", omp_init_nest_lock_, WRAPPER, FORGET),
	init_nest_lock_with_hint =
		FATHOM_LOCK_CALL("omp_init_nest_lock_with_hint", omp_init_nest_lock_with_hint_, WRAPPER, FORGET),
	destroy_nest_lock = FATHOM_LOCK_CALL("omp_destroy_nest_lock", omp_destroy_nest_lock_, WRAPPER, FORGET),
	set_nest_lock = FATHOM_LOCK_CALL("omp_set_nest_lock", omp_set_nest_lock_, LOCK, ACQUIRE),
	unset_nest_lock = FATHOM_LOCK_CALL("omp_unset_nest_lock", omp_unset_nest_lock_, WRAPPER, RELEASE),
	test_nest_lock = FATHOM_LOCK_CALL("omp_test_nest_lock", omp_test_nest_lock_, LOCK, ACQUIRE);

/* Not all runtimes take hints, libgomp 12 does not; plain makes the same lock without. */
static void init_with_hint(struct fathom_lock_call *hinted, struct fathom_lock_call *plain, void *lock, void *hint)
{
	void (*real)(void *, void *) = (void (*)(void *, void *))fathom_omp_real(&hinted->function);
	void (*without)(void *) = real ? NULL : (void (*)(void *))fathom_lock_call_real(plain);

	fathom_lock_call_enter(hinted);
	if (real)
		real(lock, hint);
	else
		without(lock);
	fathom_event_lock_forget(lock);
	fathom_lock_call_exit(hinted);
}

void pomp2_init_lock_(void *lock)
{
	fathom_lock_call(&init_lock, lock);
}

void pomp2_init_lock_with_hint_(void *lock, void *hint)
{
	init_with_hint(&init_lock_with_hint, &init_lock, lock, hint);
}

void pomp2_destroy_lock_(void *lock)
{
	fathom_lock_call(&destroy_lock, lock);
}

void pomp2_set_lock_(void *lock)
{
	fathom_lock_call(&set_lock, lock);
}

void pomp2_unset_lock_(void *lock)
{
	fathom_lock_call(&unset_lock, lock);
}

int64_t pomp2_test_lock_(void *lock)
{
	return fathom_lock_call_test(&test_lock, lock);
}

void pomp2_init_nest_lock_(void *lock)
{
	fathom_lock_call(&init_nest_lock, lock);
}

void pomp2_init_nest_lock_with_hint_(void *lock, void *hint)
{
	init_with_hint(&init_nest_lock_with_hint, &init_nest_lock, lock, hint);
}

void pomp2_destroy_nest_lock_(void *lock)
{
	fathom_lock_call(&destroy_nest_lock, lock);
}

void pomp2_set_nest_lock_(void *lock)
{
	fathom_lock_call(&set_nest_lock, lock);
}

void pomp2_unset_nest_lock_(void *lock)
{
	fathom_lock_call(&unset_nest_lock, lock);
}

int64_t pomp2_test_nest_lock_(void *lock)
{
	return fathom_lock_call_test(&test_nest_lock, lock);
}
