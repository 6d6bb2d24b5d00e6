/*
 * outlined: functions that clang made of the bodies of OpenMP constructs.
 *
 * These functions are not in the source. They are called between a parallel region and its parts, which the OpenMP
 * adapter reports, so the profile leaves them out. (The GCC plugin recognises the functions that GCC makes and never
 * instruments them.) They are recognised by their names. The names are looked up at the start, because this must not
 * happen at the first enter of a function. Outlined functions of libraries that are loaded later stay in the profile.
 */
#ifndef FATHOM_SYMBOLS_OUTLINED_H
#define FATHOM_SYMBOLS_OUTLINED_H

#include <stdbool.h>

/* Finds the outlined functions of the program and of the libraries that are loaded now. Context: start. */
void fathom_outlined_start(void);

/* Returns whether the function at address is an outlined one. Context: birth. */
bool fathom_outlined_has(const void *address);

#endif
