/*
 * scope: defines the regions of thread calls and finds the C library's functions, at the first use of each call.
 */
#include "pthread/scope.h"

#include <errno.h>
#include <stdlib.h>

#include "run/runtime.h"
#include "platform/settings.h"

const struct fathom_region fathom_pthread_undefined;
bool fathom_pthread_tracking;
bool fathom_pthread_tracing;
bool fathom_pthread_locking;
static bool started;	/* set last, with release; pairs with the load in fathom_pthread_region_birth */

/* At first all calls have the undefined region. */
const struct fathom_region *fathom_pthread_regions[FATHOM_PTHREAD_CALLS] = {
	[0 ... FATHOM_PTHREAD_CALLS - 1] = &fathom_pthread_undefined,
};

/* Returns whether FATHOM_PTHREAD selects a group. */
static bool is_selected(unsigned int group)
{
	switch (fathom_runtime_settings()->pthread) {
	case FATHOM_PTHREAD_ALL:
		return true;
	case FATHOM_PTHREAD_THREADS:
		return group == FATHOM_PTHREAD_GROUP_THREADS;
	}
	return false;
}

/* Returns whether GCC's startup code makes a call. In a static program, this code lies among the program's code and
 * calls a function of libgcc that ends with a jump to pthread_mutex_unlock. A thread that unlocks a mutex has locked it
 * before; so an unlock that is the first event of a thread cannot be a call of the program. */
static bool is_of_startup(enum fathom_pthread_call call)
{
#ifdef FATHOM_PTHREAD_STATIC
	return call == FATHOM_CALL_PTHREAD_MUTEX_UNLOCK && !fathom_event_recording();
#else
	(void)call;
	return false;
#endif
}

FATHOM_COLD const struct fathom_region *fathom_pthread_region_birth(enum fathom_pthread_call call)
{
	const struct fathom_pthread_facts *facts = &fathom_pthread_facts[call];
	const struct fathom_region *region = NULL;
	int saved = errno;

	fathom_pthread_real_find(call, facts->name);
	if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE) || is_of_startup(call))
		goto restore;
	if (fathom_pthread_tracking && is_selected(facts->group))
		region = fathom_region_define(&(struct fathom_region){
			.name = facts->name,
			.file = "PTHREAD",
			.paradigm = FATHOM_PARADIGM_PTHREAD,
			.role = facts->role,
			.activity = (uint8_t)facts->activity,
		});
	/* Pairs with the load in fathom_pthread_region. */
	__atomic_store_n(&fathom_pthread_regions[call], region, __ATOMIC_RELEASE);
restore:
	errno = saved;
	return region;
}

/*
 * Stops tracking in a child of fork: the child measures nothing, and a thread of the parent may have held a lock at the
 * fork. A daemon continues the measurement, because its parent had no other thread. The core's handler, which decides
 * this, has run before.
 */
static void stop_in_child(void)
{
	if (fathom_runtime_measures())
		return;
	fathom_pthread_tracking = false;
	fathom_pthread_tracing = false;
	fathom_pthread_locking = false;
	for (int call = 0; call < FATHOM_PTHREAD_CALLS; call++)
		if (fathom_pthread_regions[call] != &fathom_pthread_undefined)
			fathom_pthread_regions[call] = NULL;
}

/* Runs after the constructor of the core, which has priority 101. */
__attribute__((constructor(102))) static void start(void)
{
	fathom_pthread_caller_start();
	fathom_pthread_tracking = fathom_runtime_measures();
	fathom_pthread_tracing = fathom_pthread_tracking && fathom_event_traces();
	fathom_pthread_locking = fathom_pthread_tracking && fathom_event_follows_locks();
	if (fathom_pthread_tracking)
		pthread_atfork(NULL, NULL, stop_in_child);
	__atomic_store_n(&started, true, __ATOMIC_RELEASE);
}
