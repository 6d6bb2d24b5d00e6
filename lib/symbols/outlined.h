/*
 * outlined: functions that clang made of the bodies of OpenMP constructs.
 *
 * They are not in the source, and stand between a parallel region and its parts, where an adapter tells of both.
 * (GCC's are never instrumented: its plugin knows them.) They are known by name; names are looked up at the start,
 * as that cannot be done when a function is first entered. Those of libraries that are loaded later are shown.
 */
#ifndef FATHOM_SYMBOLS_OUTLINED_H
#define FATHOM_SYMBOLS_OUTLINED_H

#include <stdbool.h>

/* Find those of the program and of the libraries that are loaded. Context: start. */
void fathom_outlined_start(void);

/* Whether the function at address is one. Context: birth. */
bool fathom_outlined_has(const void *address);

#endif
