#include "lock_call.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "event/event.h"
#include "event/runtime.h"
#include "platform/log.h"

void (*fathom_lock_call_find(struct fathom_lock_call *call))(void)
{
	void (*real)(void) = __atomic_load_n(&call->real, __ATOMIC_RELAXED);
#ifdef PIC
	void *library;

	if (real)
		return real;
	*(void **)&real = dlsym(RTLD_DEFAULT, call->symbol);	/* the newest version */
	if (!real) {
		library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_GLOBAL);
		if (library)
			*(void **)&real = dlsym(library, call->symbol);
	}
	/* Two threads that look at once find the same. */
	__atomic_store_n(&call->real, real, __ATOMIC_RELAXED);
#endif
	return real;
}

void (*fathom_lock_call_need(struct fathom_lock_call *call))(void)
{
	int saved = errno;
	void (*real)(void) = fathom_lock_call_find(call);

	if (!real) {
		/* The program itself would not have started without it. */
		fathom_log(FATHOM_LOG_ERROR, "%s is needed, and no OpenMP runtime library has it", call->name);
		_exit(127);
	}
	errno = saved;
	return real;
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
