/*
 * work: estimates how much work one call of a compiled function is, from GCC's final intermediate code (GIMPLE).
 *
 * To be included after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_WORK_H
#define FATHOM_PLUGIN_WORK_H

/*
 * Returns whether one call of the function certainly takes fewer than `least` machine instructions: it has only loops
 * of a few constant steps, and calls only functions for which the same is known. Paths that GCC takes to be never
 * executed, such as those that throw exceptions, do not count. The estimate is kept for the callers of the function;
 * least must be the same in all calls. GCC compiles most functions after those that they call.
 */
bool fathom_work_is_small(function *body, unsigned least);

#endif
