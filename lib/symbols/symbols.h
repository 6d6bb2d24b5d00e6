/*
 * symbols: what compiler regions and OpenMP constructs are called, and where they stand in the source.
 *
 * From debug information (also in a separate file) where there is some, else from the symbol table.
 * Looked up when the measurement is over, for the regions of the whole run at once, by one process.
 *
 * libfathom-symbols, which needs elfutils, has all this; symbols_library.c loads it.
 */
#ifndef FATHOM_SYMBOLS_SYMBOLS_H
#define FATHOM_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_region;

/* A fathom_region_resolver (run/runtime.h). Context: finish. */
void fathom_symbols_resolve(struct fathom_region *region, bool may_allocate);

/*
 * Visit the functions of a program or library by its symbols, with the names that a region of them would get; file is
 * known where it is asked for. The texts live as long as the visit. Context: finish; any thread.
 */
struct fathom_symbol {
	const char *name;		/* as people write it */
	const char *linker_name;
	const char *file;		/* NULL: not known */
	uint64_t offset;		/* as in struct fathom_region */
};
void fathom_symbols_each(const char *path, bool with_files,
			 void (*visit)(const struct fathom_symbol *symbol, void *data), void *data);

/* What the library shows under the name FATHOM_SYMBOLS_ENTRY. */
struct fathom_symbols_table {
	__typeof__(&fathom_symbols_resolve) resolve;
	__typeof__(&fathom_symbols_each) each;
};

#define FATHOM_SYMBOLS_ENTRY "fathom_symbols_table"
#define FATHOM_SYMBOLS_LIBRARY "libfathom-symbols.so.0"
extern const struct fathom_symbols_table fathom_symbols_table;

#endif
