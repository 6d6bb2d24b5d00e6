/*
 * patching: takes the hooks of functions with disabled regions out of the code, and puts them back.
 *
 * Hooks are taken out when the region is drained (define/region.h): none of its recorded visits is active, so no exit
 * is missed; or the active visits last so long that fathom does not wait for them (fathom_event_abandon_switches). The
 * enters of sleds are taken out as soon as the region is disabled, because the stack pointer shows which exit belongs
 * to a recorded enter. At that time a thread may be entering the function without having noted it: event/switch.h waits
 * for the thread, and if the enter comes even later, the visit ends when the function around it ends. Hooks of exits
 * are put back before those of enters, so that each recorded enter has its exit.
 *
 * A function that was inlined calls the hooks in the code of its callers, too. fathom finds such a call when it happens
 * (patch check). Likewise it finds at the first exit that a call leads to the exit hook: the dynamic linker resolves
 * the call only then.
 *
 * If libfathom-patch is not installed, or the system does not let code be changed, the hooks stay and check at each
 * call that nothing has to be recorded. All functions are called under the lock of hooks.c.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_PATCHING_H
#define FATHOM_WRAPPERS_COMPILER_PATCHING_H

#include <stdbool.h>

#include "config.h"
#include "event/switch.h"
#include "platform/compiler.h"

struct fathom_region;

/* The early hooks under names whose addresses are those in this library. In a program that is not position-independent,
 * the names __cyg_profile_func_* may have other addresses: those of the program's linkage table. Defined in hooks.c.
 * Context of both: hook. */
FATHOM_HIDDEN void fathom_hook_enter(void *function, void *call_site);
FATHOM_HIDDEN void fathom_hook_exit(void *function, void *call_site);

#ifndef FATHOM_WITHOUT_LATE_HOOKS

/* Loads libfathom-patch, if regions may be disabled in this run. Context: start. */
void fathom_patching_start(void);

/* Patches the code of function, whose region has been enabled or disabled. Returns false if its hooks could not be put
 * back; the caller may try again. Context: birth. */
bool fathom_patching_follow(const void *function, const struct fathom_region *region);

/* True if patch checks are made for calls of drained functions. */
FATHOM_HIDDEN extern bool fathom_patching_checks;

/* Makes a patch check: a hook was called for a drained function, by code that continues at from. Context: birth. */
void fathom_patching_check(const void *function, const void *from);

/* Forgets the functions for which is_kept returns 0, because their libraries were unloaded. Context: birth. */
void fathom_patching_forget(int (*is_kept)(const void *address));

#else

/* configure --without-late-hooks: hooks stay, and find at each call that no event has to be recorded. */
static const bool fathom_patching_checks = false;

static inline void fathom_patching_start(void)
{
	fathom_event_note_hooks_stay();
}

static inline bool fathom_patching_follow(const void *function, const struct fathom_region *region)
{
	(void)function;
	(void)region;
	return true;
}

static inline void fathom_patching_check(const void *function, const void *from)
{
	(void)function;
	(void)from;
}

static inline void fathom_patching_forget(int (*is_kept)(const void *address))
{
	(void)is_kept;
}

#endif

#endif
