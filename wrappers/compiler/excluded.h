/*
 * excluded: the functions that the filter excludes.
 *
 * The filter must be applied to a function before its first enter is recorded. That enter may be in a signal handler,
 * where names cannot be looked up, because this needs libraries that allocate memory. So the filter is applied to all
 * functions of the program and its libraries at the start. To a library that is loaded later it is applied at the first
 * event of one of its functions.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_EXCLUDED_H
#define FATHOM_WRAPPERS_COMPILER_EXCLUDED_H

#include <stdbool.h>
#include <stdint.h>

/* Applies the filter to the program and all libraries that are loaded, if there is a filter. Context: start. */
void fathom_excluded_start(void);

/* Returns whether functions may be excluded, which is so if there is a filter. Context: birth. */
bool fathom_excluded_any(void);

/* Applies the filter to all modules again, because the rank is known now. Disables regions of functions that are
 * excluded now. Context: start. */
void fathom_excluded_again(void);

/* Returns 1 if the function at offset (in bytes) of the module is excluded, 0 if it is not; or -ENOENT: the filter has
 * not been applied to the module yet. Takes no lock. Context: birth. */
int fathom_excluded_has(const char *module, uint64_t offset);

/* Applies the filter to a module. Returns 0 or -ENOMEM. The caller has suspended its thread (run/filtering.h), because
 * this allocates memory, with a malloc that may be the program's. Context: finish. */
int fathom_excluded_judge(const char *module);

#endif
