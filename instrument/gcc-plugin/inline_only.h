/*
 * inline_only: finds functions that GCC can compile only because it inlines them into their callers.
 *
 * When such a function is inlined, an argument becomes a constant that the instruction of an intrinsic, an assembler
 * operand or a check of the program itself needs. With hooks of either kind GCC would also compile the function by
 * itself, where the argument is no constant, and would fail.
 *
 * To be included after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_INLINE_ONLY_H
#define FATHOM_PLUGIN_INLINE_ONLY_H

/* Returns what needs a constant argument in a function that GCC would not compile by itself without hooks; NULL:
 * nothing was found. */
const char *fathom_inline_only_why(tree function);

#endif
