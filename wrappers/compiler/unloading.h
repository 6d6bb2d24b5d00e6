/*
 * unloading: finds the libraries that dlclose has unloaded.
 *
 * The code of functions may be read and patched (patching.h) only while it is mapped. While any thread is inside
 * dlclose, this is uncertain, so patching waits until the thread has left. When dlclose has returned, hooks.c removes
 * the functions of unloaded modules from its table. A module is identified by its addresses and its name, because
 * another thread may have loaded another library at the same addresses before dlclose returned. All functions are
 * called under the lock of hooks.c.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_UNLOADING_H
#define FATHOM_WRAPPERS_COMPILER_UNLOADING_H

#include <stdbool.h>

struct fathom_module;

/* Notes the module, because from now on the table of hooks.c contains a function of it, or a call in it. Without memory
 * the module is not noted. Context: birth. */
void fathom_unloading_note(const struct fathom_module *module);

/* Is called before the calling thread enters dlclose. Calls may nest, and several threads may be inside. Context:
 * birth. */
void fathom_unloading_begin(void);

/* Is called after the calling thread has returned from dlclose: finds out which modules are unloaded. Context:
 * birth. */
void fathom_unloading_end(void);

/* Returns whether any thread is inside dlclose. Then code must not be read or patched. Context: birth. */
bool fathom_unloading_is_on(void);

/* Returns 1 if the module that had code at address is still loaded, 0 if it was unloaded. To be called after
 * fathom_unloading_end before the lock is released. Context: birth. */
int fathom_unloading_is_kept(const void *address);

#endif
