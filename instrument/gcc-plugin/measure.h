/*
 * measure: how much a function does, as far as its source shows.
 *
 * Only read after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_MEASURE_H
#define FATHOM_PLUGIN_MEASURE_H

/*
 * Whether one call of the function is surely less work than `least` machine instructions: no
 * loop but over a few constant steps, and no call but of functions of which the same is known.
 * The count is a rough one, and the same for every optimisation level.
 */
bool fathom_measure_is_small(tree function, unsigned least);

/* Whether the body alone, counted once through and without what it calls, has fewer than `least`. */
bool fathom_measure_is_short(tree function, unsigned least);

#endif
