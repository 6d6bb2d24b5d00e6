/*
 * symbols: what compiler regions and OpenMP constructs are called, and where they stand in the source.
 *
 * From debug information (also in a separate file) where there is some, else from the symbol table.
 * Looked up when the measurement is over, for the regions of the whole run at once, by one process.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_SYMBOLS_H
#define FATHOM_WRAPPERS_COMPILER_SYMBOLS_H

#include <stdbool.h>

struct fathom_region;

/* A fathom_region_resolver (event/runtime.h). Context: finish. */
void fathom_symbols_resolve(struct fathom_region *region, bool may_allocate);

#endif
