#include "lock_call.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "event/event.h"
#include "run/runtime.h"
#include "platform/log.h"

_Noreturn void fathom_lock_call_fail(const struct fathom_lock_call *call)
{
	/* Without OPARI2's changes, the dynamic linker would have refused to start the program, with this exit code. */
	fathom_log(FATHOM_LOG_ERROR, "%s is called, but no OpenMP runtime library has it", call->name);
	_exit(127);
}

static FATHOM_COLD const struct fathom_region *region_birth(struct fathom_lock_call *call)
{
	const struct fathom_region *region;
	int saved = errno;

	if (!fathom_runtime_measures())
		return NULL;
	region = fathom_region_define(&(struct fathom_region){
		.name = call->name,
		.file = "OMP",
		.paradigm = FATHOM_PARADIGM_OPENMP,
		.role = call->role,
		.activity = FATHOM_ACTIVITY_OMP_LOCK,
	});
	/* Pairs with the acquire in fathom_lock_call_enter and _exit. */
	__atomic_store_n(&call->region, region, __ATOMIC_RELEASE);
	errno = saved;
	return region;
}

void fathom_lock_call_enter(struct fathom_lock_call *call)
{
	const struct fathom_region *region = __atomic_load_n(&call->region, __ATOMIC_ACQUIRE);

	if (unlikely(!region))
		region = region_birth(call);
	if (likely(region))
		fathom_event_enter_block(region);
}

void fathom_lock_call_exit(struct fathom_lock_call *call)
{
	const struct fathom_region *region = __atomic_load_n(&call->region, __ATOMIC_ACQUIRE);

	if (likely(region))
		fathom_event_exit(region);
}

static void end_with_hint(struct fathom_lock_call *hinted, void *lock)
{
	fathom_event_lock_forget(lock);
	fathom_lock_call_exit(hinted);
}

void fathom_lock_call_with_hint_c(struct fathom_lock_call *hinted, struct fathom_lock_call *plain, void *lock,
				  int hint)
{
	void (*real)(void *, int) = (void (*)(void *, int))fathom_omp_real(&hinted->function);
	void (*without)(void *) = real ? NULL : (void (*)(void *))fathom_lock_call_real(plain);

	fathom_lock_call_enter(hinted);
	if (real)
		real(lock, hint);
	else
		without(lock);
	end_with_hint(hinted, lock);
}

void fathom_lock_call_with_hint_fortran(struct fathom_lock_call *hinted, struct fathom_lock_call *plain, void *lock,
					void *hint)
{
	void (*real)(void *, void *) = (void (*)(void *, void *))fathom_omp_real(&hinted->function);
	void (*without)(void *) = real ? NULL : (void (*)(void *))fathom_lock_call_real(plain);

	fathom_lock_call_enter(hinted);
	if (real)
		real(lock, hint);
	else
		without(lock);
	end_with_hint(hinted, lock);
}
