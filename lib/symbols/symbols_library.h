/*
 * symbols_library: the door to libfathom-symbols, which finds out what functions are called.
 *
 * It needs elfutils, and that needs four more libraries. Names are looked up when the measurement is over, by one
 * process of all; so the others never load them, and no program waits for them at its start. Static programs cannot
 * load anything, and have it linked. (Nor can a program that crashes in the constructor of a library that it loads: its
 * functions have no names.)
 */
#ifndef FATHOM_SYMBOLS_SYMBOLS_LIBRARY_H
#define FATHOM_SYMBOLS_SYMBOLS_LIBRARY_H

#include "symbols/symbols.h"

/* A fathom_region_resolver (run/runtime.h). Context: finish. */
void fathom_symbols_library_resolve(struct fathom_region *region, bool may_allocate);

/* As fathom_symbols_each. Context: finish; any thread. */
void fathom_symbols_library_each(const char *path, bool with_files,
		       void (*visit)(const struct fathom_symbol *symbol, void *data), void *data);

#endif
