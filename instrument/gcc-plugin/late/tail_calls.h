/*
 * tail_calls: decides which tail calls of marked functions (sleds.h) stay jumps.
 *
 * A jump leaves its function before the next function is entered, so a function that is called at the end of another
 * would not be below it in the call tree. In marked functions, tail calls are therefore made calls. An exception are
 * functions that may tail-call each other in a ring without end: as calls they would use up the stack.
 *
 * To be included after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_TAIL_CALLS_H
#define FATHOM_PLUGIN_TAIL_CALLS_H

#ifndef FATHOM_WITHOUT_LATE_HOOKS

/* Registers the compiler pass. Called by plugin_init. */
void fathom_tail_calls_init(const char *plugin_name);

#else

static inline void fathom_tail_calls_init(const char *)
{
}

#endif

#endif
