/*
 * excluded: the functions that the filter leaves out.
 *
 * A function must be judged before its first enter is recorded, perhaps in a signal handler, where names cannot be
 * looked up: that needs libraries that allocate. So all functions of the program and its libraries
 * are judged at the start. Libraries that are loaded later are judged when their first function is met.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_EXCLUDED_H
#define FATHOM_WRAPPERS_COMPILER_EXCLUDED_H

#include <stdbool.h>
#include <stdint.h>

/* Judge what is loaded, where there is a filter. Context: start. */
void fathom_excluded_start(void);

/* Whether functions may be excluded at all. */
bool fathom_excluded_any(void);

/* The same again, now that more is known; functions that are regions already are switched off. Context: start. */
void fathom_excluded_again(void);

/* Whether the function at offset of the module is left out: 1 or 0; -ENOENT: the module is not judged yet.
 * Context: birth. */
int fathom_excluded_has(const char *module, uint64_t offset);

/* Judges a module. The caller has hidden its thread (run/filtering.h): this allocates memory, by a malloc that may be
 * the program's. 0 or -ENOMEM. Context: finish. */
int fathom_excluded_judge(const char *module);

#endif
