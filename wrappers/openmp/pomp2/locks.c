/*
 * locks: in place of the runtime's lock functions in C and C++.
 */
#include <stddef.h>

#include "lock_call.h"
#include "pomp2.h"

extern void omp_init_lock(void *lock);
extern void omp_init_lock_with_hint(void *lock, int hint) __attribute__((weak));
extern void omp_destroy_lock(void *lock);
extern void omp_set_lock(void *lock);
extern void omp_unset_lock(void *lock);
extern int omp_test_lock(void *lock);
extern void omp_init_nest_lock(void *lock);
extern void omp_init_nest_lock_with_hint(void *lock, int hint) __attribute__((weak));
extern void omp_destroy_nest_lock(void *lock);
extern void omp_set_nest_lock(void *lock);
extern void omp_unset_nest_lock(void *lock);
extern int omp_test_nest_lock(void *lock);

static struct fathom_lock_call
	init_lock = FATHOM_LOCK_CALL("omp_init_lock", omp_init_lock, WRAPPER, FORGET),
	init_lock_with_hint = FATHOM_LOCK_CALL("omp_init_lock_with_hint", omp_init_lock_with_hint, WRAPPER, FORGET),
	destroy_lock = FATHOM_LOCK_CALL("omp_destroy_lock", omp_destroy_lock, WRAPPER, FORGET),
	set_lock = FATHOM_LOCK_CALL("omp_set_lock", omp_set_lock, LOCK, ACQUIRE),
	unset_lock = FATHOM_LOCK_CALL("omp_unset_lock", omp_unset_lock, WRAPPER, RELEASE),
	test_lock = FATHOM_LOCK_CALL("omp_test_lock", omp_test_lock, LOCK, ACQUIRE),
	init_nest_lock = FATHOM_LOCK_CALL("omp_init_nest_lock", omp_init_nest_lock, WRAPPER, FORGET),
	init_nest_lock_with_hint =
		FATHOM_LOCK_CALL("omp_init_nest_lock_with_hint", omp_init_nest_lock_with_hint, WRAPPER, FORGET),
	destroy_nest_lock = FATHOM_LOCK_CALL("omp_destroy_nest_lock", omp_destroy_nest_lock, WRAPPER, FORGET),
	set_nest_lock = FATHOM_LOCK_CALL("omp_set_nest_lock", omp_set_nest_lock, LOCK, ACQUIRE),
	unset_nest_lock = FATHOM_LOCK_CALL("omp_unset_nest_lock", omp_unset_nest_lock, WRAPPER, RELEASE),
	test_nest_lock = FATHOM_LOCK_CALL("omp_test_nest_lock", omp_test_nest_lock, LOCK, ACQUIRE);

/* Not all runtimes take hints, libgomp 12 does not; plain makes the same lock without. */
static void init_with_hint(struct fathom_lock_call *hinted, struct fathom_lock_call *plain, void *lock, int hint)
{
	void (*real)(void *, int) = (void (*)(void *, int))fathom_omp_real(&hinted->function);
	void (*without)(void *) = real ? NULL : (void (*)(void *))fathom_lock_call_real(plain);

	fathom_lock_call_enter(hinted);
	if (real)
		real(lock, hint);
	else
		without(lock);
	fathom_event_lock_forget(lock);
	fathom_lock_call_exit(hinted);
}

void POMP2_Init_lock(void *lock)
{
	fathom_lock_call(&init_lock, lock);
}

void POMP2_Init_lock_with_hint(void *lock, int hint)
{
	init_with_hint(&init_lock_with_hint, &init_lock, lock, hint);
}

void POMP2_Destroy_lock(void *lock)
{
	fathom_lock_call(&destroy_lock, lock);
}

void POMP2_Set_lock(void *lock)
{
	fathom_lock_call(&set_lock, lock);
}

void POMP2_Unset_lock(void *lock)
{
	fathom_lock_call(&unset_lock, lock);
}

int POMP2_Test_lock(void *lock)
{
	return fathom_lock_call_test(&test_lock, lock);
}

void POMP2_Init_nest_lock(void *lock)
{
	fathom_lock_call(&init_nest_lock, lock);
}

void POMP2_Init_nest_lock_with_hint(void *lock, int hint)
{
	init_with_hint(&init_nest_lock_with_hint, &init_nest_lock, lock, hint);
}

void POMP2_Destroy_nest_lock(void *lock)
{
	fathom_lock_call(&destroy_nest_lock, lock);
}

void POMP2_Set_nest_lock(void *lock)
{
	fathom_lock_call(&set_nest_lock, lock);
}

void POMP2_Unset_nest_lock(void *lock)
{
	fathom_lock_call(&unset_nest_lock, lock);
}

int POMP2_Test_nest_lock(void *lock)
{
	return fathom_lock_call_test(&test_nest_lock, lock);
}
