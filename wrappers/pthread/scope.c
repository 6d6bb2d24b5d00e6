/*
 * scope: regions of thread calls are made at their first use, and the C library's own functions are found.
 */
#include "pthread/scope.h"

#include <errno.h>
#include <stdlib.h>

#include "run/runtime.h"
#include "platform/settings.h"
#include "pthread/c_library.h"

const struct fathom_region fathom_pthread_undefined;
bool fathom_pthread_tracking;
bool fathom_pthread_tracing;
static bool started;	/* set last, with release; pairs with the load in fathom_pthread_region_birth */

/* At first all calls have the undefined region. */
const struct fathom_region *fathom_pthread_regions[FATHOM_PTHREAD_CALLS] = {
	[0 ... FATHOM_PTHREAD_CALLS - 1] = &fathom_pthread_undefined,
};

/* Whether FATHOM_PTHREAD wants a group. */
static bool is_wanted(unsigned int group)
{
	switch (fathom_runtime_settings()->pthread) {
	case FATHOM_PTHREAD_ALL:
		return true;
	case FATHOM_PTHREAD_THREADS:
		return group == FATHOM_PTHREAD_GROUP_THREADS;
	}
	return false;
}

/*
 * In a static program GCC's startup code, which is among the program's, calls a function of libgcc that ends in a
 * jump to this. Who unlocks a mutex has locked it: as the first event of a thread it cannot be the program's.
 */
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

	fathom_pthread_real_find(call);
	if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE) || is_of_startup(call))
		goto restore;
	if (fathom_pthread_tracking && is_wanted(facts->group))
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
 * A child of fork measures nothing, and another thread may have held a lock. A daemon goes on with the measurement: its
 * parent had no other thread. The core's own handler, which decides that, has run before.
 */
static void stop_in_child(void)
{
	if (fathom_runtime_measures())
		return;
	fathom_pthread_tracking = false;
	fathom_pthread_tracing = false;
	for (int call = 0; call < FATHOM_PTHREAD_CALLS; call++)
		if (fathom_pthread_regions[call] != &fathom_pthread_undefined)
			fathom_pthread_regions[call] = NULL;
}

/* After the core, which starts at 101. */
__attribute__((constructor(102))) static void start(void)
{
	fathom_pthread_caller_start();
	fathom_pthread_tracking = fathom_runtime_measures();
	fathom_pthread_tracing = fathom_pthread_tracking && fathom_event_traces();
	if (fathom_pthread_tracking)
		pthread_atfork(NULL, NULL, stop_in_child);
	__atomic_store_n(&started, true, __ATOMIC_RELEASE);
}
