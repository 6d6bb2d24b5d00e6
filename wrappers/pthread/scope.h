/*
 * scope: one call of a thread function, from its enter to its exit.
 *
 * Each wrapper begins with fathom_pthread_enter. A call is recorded where its group is enabled (FATHOM_PTHREAD) and the
 * program or a library of the program makes it, and not a runtime system like OpenMP's or MPI's (caller.h). A call that
 * is not recorded is only passed on.
 *
 * Constructors of other libraries may call wrappers before this library has started: then the region of the call stays
 * undefined, and the call is passed on.
 */
#ifndef FATHOM_WRAPPERS_PTHREAD_SCOPE_H
#define FATHOM_WRAPPERS_PTHREAD_SCOPE_H

#include <stdbool.h>

#include "define/region.h"
#include "event/event.h"
#include "event/locks/locks.h"
#include "platform/compiler.h"
#include "pthread/c_library.h"
#include "pthread/caller.h"

struct fathom_pthread_facts {
	const char *name;
	enum fathom_role role;
	enum fathom_activity activity;
	unsigned int group;	/* FATHOM_PTHREAD_GROUP_ ... */
};

/* Generated from calls.txt. */
extern FATHOM_HIDDEN const struct fathom_pthread_facts fathom_pthread_facts[FATHOM_PTHREAD_CALLS];

/* By call: its region; NULL where the call is never recorded; &fathom_pthread_undefined before its first use. Threads
 * that set a value at the same time set the same value. If the region of a call is not undefined, the call's member of
 * fathom_pthread_real is filled in. */
extern FATHOM_HIDDEN const struct fathom_region *fathom_pthread_regions[FATHOM_PTHREAD_CALLS];
extern FATHOM_HIDDEN const struct fathom_region fathom_pthread_undefined;

/* True from the start of this library to the end; false with FATHOM_MODE=none and in a forked child. */
extern FATHOM_HIDDEN bool fathom_pthread_tracking;

/* True if a trace is written. */
extern FATHOM_HIDDEN bool fathom_pthread_tracing;

/* True if the acquisitions and releases of locks are recorded. */
extern FATHOM_HIDDEN bool fathom_pthread_locking;

/* Records that the calling thread has waited for the end of thread. Defined in thread.c. Context: hook. */
void fathom_pthread_joined(pthread_t thread);

/* Handles the first use of a call: finds the C library's function and defines the region. Returns the region, or NULL
 * if the call is not recorded. Keeps errno. Context: birth. */
const struct fathom_region *fathom_pthread_region_birth(enum fathom_pthread_call call);

/* Returns the region of a call, or NULL. Context: hook; first use: birth. */
static inline const struct fathom_region *fathom_pthread_region(enum fathom_pthread_call call)
{
	/* Pairs with the store in fathom_pthread_region_birth: the function looked up is seen with it. */
	const struct fathom_region *region = __atomic_load_n(&fathom_pthread_regions[call], __ATOMIC_ACQUIRE);

	return unlikely(region == &fathom_pthread_undefined) ? fathom_pthread_region_birth(call) : region;
}

/*
 * Enters the region of a call that returns to caller. NULL: the call is not recorded. Always inlined, so that the stack
 * address of the enter is that of the wrapper. Context: hook.
 */
__attribute__((always_inline)) static inline const struct fathom_region *
fathom_pthread_enter(enum fathom_pthread_call call, unsigned int group, const void *caller)
{
	const struct fathom_region *region = fathom_pthread_region(call);

	if (!region || !(fathom_pthread_caller_groups(caller) & group))
		return NULL;
	fathom_event_enter(region);
	return region;
}

/* Exits the region of a call that calls a function of the program, however that function ends. Context: hook. */
static inline void fathom_pthread_leave(const struct fathom_region **region)
{
	if (*region)
		fathom_event_exit(*region);
}

#define FATHOM_PTHREAD_SCOPED __attribute__((cleanup(fathom_pthread_leave)))

#endif
