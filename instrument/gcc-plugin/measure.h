/*
 * measure: estimates how much work one call of a function is, from its source.
 *
 * To be included after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_MEASURE_H
#define FATHOM_PLUGIN_MEASURE_H

/*
 * Returns whether one call of the function certainly takes fewer than `least` machine instructions: it has only loops
 * of a few constant steps, and calls only functions for which the same is known. The count is rough, and does not
 * depend on the optimisation level.
 */
bool fathom_measure_is_small(tree function, unsigned least);

/* Returns whether the body of the function has fewer than `least` machine instructions, where each loop counts once and
 * the bodies of called functions do not count. */
bool fathom_measure_is_short(tree function, unsigned least);

#endif
