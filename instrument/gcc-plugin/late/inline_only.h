/*
 * inline_only: functions that can only be compiled because GCC copies them into their callers.
 *
 * There an argument becomes a constant, where the instruction of an intrinsic, an assembler's operand or a check of
 * the program's own wants one. With hooks of either kind such a function would be compiled by itself as well.
 *
 * Only read after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_INLINE_ONLY_H
#define FATHOM_PLUGIN_INLINE_ONLY_H

/* What needs a constant in a function that would not be compiled by itself without hooks; NULL: nothing is known. */
const char *fathom_inline_only_why(tree function);

#endif
