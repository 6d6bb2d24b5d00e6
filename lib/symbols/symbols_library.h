/*
 * symbols_library: loads libfathom-symbols, which finds the names of functions, when a name is first needed.
 *
 * libfathom-symbols needs elfutils, which needs four more libraries. One process looks up all names when the
 * measurement is over, so the other processes never load these libraries, and no program waits for them at its start.
 * Static programs cannot load a library and have libfathom-symbols linked. A program that crashes in the constructor
 * of a library cannot load one either: its functions have no names.
 */
#ifndef FATHOM_SYMBOLS_SYMBOLS_LIBRARY_H
#define FATHOM_SYMBOLS_SYMBOLS_LIBRARY_H

#include "symbols/symbols.h"

/* As fathom_symbols_resolve. Context: finish. */
void fathom_symbols_library_resolve(struct fathom_region *region, bool may_allocate);

/* As fathom_symbols_each. Context: finish; any thread. */
void fathom_symbols_library_each(const char *path, bool with_files,
		       void (*visit)(const struct fathom_symbol *symbol, void *data), void *data);

#endif
