/*
 * unloading: libraries that dlclose takes away.
 *
 * Code of functions may be read and changed (patching.h) only where it is mapped. While any thread is inside dlclose,
 * that is not known: hooks are then taken out and put back later. When dlclose has returned, what is known of
 * functions in modules that are gone is forgotten. A module is known by more than its addresses: another thread may
 * have loaded another library there before dlclose returned.  All under the lock of hooks.c.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_UNLOADING_H
#define FATHOM_WRAPPERS_COMPILER_UNLOADING_H

#include <stdbool.h>

struct fathom_module;

/* A function of the module, or a call of one, is known from now on. Context: birth. */
void fathom_unloading_note(const struct fathom_module *module);

/* The calling thread enters dlclose; and has returned. Calls nest. Context: birth. */
void fathom_unloading_begin(void);
void fathom_unloading_end(void);

/* Some thread is inside dlclose: code must be left alone. Context: birth. */
bool fathom_unloading_is_on(void);

/* After fathom_unloading_end, under the same lock: whether what is known of address is still true, because the module
 * that it was code of is there: 1 or 0. Context: birth. */
int fathom_unloading_is_kept(const void *address);

#endif
