/*
 * patching: takes the hooks of functions with disabled regions out of the code, and puts them back.
 *
 * This is done when a region is drained (define/region.h): none of its recorded visits is active, so no exit is
 * missed; or the active visits last so long that fathom does not wait for them (fathom_event_abandon_switches). (The
 * enters of sleds are taken out at once, because the stack pointer shows which exit is recorded.) A thread may just be
 * entering the function without having noted it: event/switch.h waits for it, and if it comes even later, its visit
 * ends with the function around it. When hooks are put back, exits come first, so that each recorded enter has its
 * exit.
 *
 * Where the function was inlined it calls the hooks, too. That is found out when such a call comes; so is, at the first
 * exit of all, that a call is of the exit hook: the dynamic linker looks up only then where it leads.
 *
 * Where libfathom-patch is not there, or the system lets nobody change code, hooks stay, and find out at each call
 * that there is nothing to do. Under the lock of hooks.c.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_PATCHING_H
#define FATHOM_WRAPPERS_COMPILER_PATCHING_H

#include <stdbool.h>

#include "platform/compiler.h"

struct fathom_region;

/* The hooks as they are in this library: not what a program that is not position-independent takes for their
 * addresses. In hooks.c. */
FATHOM_HIDDEN void fathom_hook_enter(void *function, void *call_site);
FATHOM_HIDDEN void fathom_hook_exit(void *function, void *call_site);

/* Load what is needed, if anything may be switched off in this run. Context: start. */
void fathom_patching_start(void);

/* What is done with function, whose region has been switched. False: its hooks could not be put back; it can be tried
 * again. Context: birth. */
bool fathom_patching_follow(const void *function, const struct fathom_region *region);

/* Whether the callers of drained functions are checked. */
FATHOM_HIDDEN extern bool fathom_patching_checks;

/* A hook was called for a function that is drained, by code that continues at from. Context: birth. */
void fathom_patching_check(const void *function, const void *from);

/* What is known of functions that are not kept is forgotten: their libraries were unloaded. Context: birth. */
void fathom_patching_forget(int (*is_kept)(const void *address));

#endif
