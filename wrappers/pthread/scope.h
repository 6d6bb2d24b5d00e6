/*
 * scope: one call of a thread function, from its enter to its exit.
 *
 * Each wrapper begins with fathom_pthread_enter. A call is recorded where its group is switched on
 * (FATHOM_PTHREAD) and the program makes it, or a library of the program: what OpenMP, MPI and the like
 * do with threads is theirs (caller.h). A call that is not recorded is only passed on.
 *
 * Wrappers may be called before anything of ours was started, by constructors of other libraries: then a
 * call's region stays undefined, and the call is passed on.
 */
#ifndef FATHOM_WRAPPERS_PTHREAD_SCOPE_H
#define FATHOM_WRAPPERS_PTHREAD_SCOPE_H

#include <stdbool.h>

#include "define/region.h"
#include "event/event.h"
#include "event/locks.h"
#include "platform/compiler.h"
#include "pthread/caller.h"
#include "pthread/calls.h"	/* generated: enum fathom_pthread_call, struct fathom_pthread_real */

struct fathom_pthread_facts {
	const char *name;
	enum fathom_role role;
	enum fathom_activity activity;
	unsigned int group;	/* FATHOM_PTHREAD_GROUP_ ... */
};

/* Generated from calls.txt. */
extern FATHOM_HIDDEN const struct fathom_pthread_facts fathom_pthread_facts[FATHOM_PTHREAD_CALLS];
extern FATHOM_HIDDEN struct fathom_pthread_real fathom_pthread_real;

/* By call: its region, NULL where it is never recorded, undefined before its first use. Racing threads
 * find the same value. A call whose region is defined has its member of fathom_pthread_real. */
extern FATHOM_HIDDEN const struct fathom_region *fathom_pthread_regions[FATHOM_PTHREAD_CALLS];
extern FATHOM_HIDDEN const struct fathom_region fathom_pthread_undefined;

/* True from our start to the end, but not with FATHOM_MODE=none nor in a forked child. */
extern FATHOM_HIDDEN bool fathom_pthread_tracking;

/* Whether traces are written, too. */
extern FATHOM_HIDDEN bool fathom_pthread_tracing;

/* The calling thread has waited for the end of that one (thread.c). Context: hook. */
void fathom_pthread_joined(pthread_t thread);

/* First use of a call: looks up the C library's own. Returns its region or NULL. Keeps errno. Context: birth. */
const struct fathom_region *fathom_pthread_region_birth(enum fathom_pthread_call call);

/* The region of a call, or NULL. Context: hook; first use: birth. */
static inline const struct fathom_region *fathom_pthread_region(enum fathom_pthread_call call)
{
	/* Pairs with the store in fathom_pthread_region_birth: the function looked up is seen with it. */
	const struct fathom_region *region = __atomic_load_n(&fathom_pthread_regions[call], __ATOMIC_ACQUIRE);

	return unlikely(region == &fathom_pthread_undefined) ? fathom_pthread_region_birth(call) : region;
}

/*
 * Enter the region of a call made from caller. NULL: not recorded, pass the call on. Always inlined: the
 * region lasts as long as the wrapper. Context: hook.
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

/* Leaves the region of a call that calls back into the program, however that ends. */
static inline void fathom_pthread_leave(const struct fathom_region **region)
{
	if (*region)
		fathom_event_exit(*region);
}

#define FATHOM_PTHREAD_SCOPED __attribute__((cleanup(fathom_pthread_leave)))

#endif
