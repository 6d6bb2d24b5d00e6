/*
 * compiled_functions: decides which functions of the finished code have sleds.
 *
 * By default GCC makes the code that it makes without fathom: it inlines, clones and splits functions and merges
 * identical ones as usual, because it knows nothing of hooks. When it is about to generate the instructions of a
 * function that is left, the plugin estimates how much work one call is, with everything that was inlined into it, and
 * decides whether the function gets sleds. An inlined copy has none.
 *
 * f.constprop.0 and f.isra.0 are f with other arguments, and have sleds like f. f.part.0 is a piece of f, and a clone
 * for vectors (declare simd) works on several calls at once: they have none.
 *
 * To be included after gcc-plugin.h and tree.h.
 */
#ifndef FATHOM_PLUGIN_COMPILED_FUNCTIONS_H
#define FATHOM_PLUGIN_COMPILED_FUNCTIONS_H

#ifndef FATHOM_WITHOUT_LATE_HOOKS

/* Registers the compiler pass. min_insns: functions with a smaller estimate have no sleds; 0: all candidates have them.
 * verbose: 1: the decisions are printed to stderr. Called by plugin_init. */
void fathom_compiled_functions_init(const char *plugin_name, unsigned min_insns, int verbose);

/* Adds a function of the source as a candidate. in_any_case: it has sleds even if it is small. From now on GCC gives it
 * no early hooks. */
void fathom_compiled_functions_add(tree function, bool in_any_case);

/* Returns whether a function, for which the pass has run, was chosen. */
bool fathom_compiled_functions_has(tree function);

#else

static inline void fathom_compiled_functions_init(const char *, unsigned, int)
{
}

static inline void fathom_compiled_functions_add(tree, bool)
{
}

#endif

#endif
