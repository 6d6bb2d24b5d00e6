/*
 * symbols: finds the names of functions and OpenMP constructs, and their places in the source, from code addresses.
 *
 * Names come from the symbol table (also of a separate file with debug information), files and lines from debug
 * information, which also has the names of functions without a symbol. One process looks up the regions of the whole
 * run when the measurement is over.
 *
 * This code needs elfutils and is in libfathom-symbols, which symbols_library.c loads. fathom filter and fathom-restore
 * contain it.
 */
#ifndef FATHOM_SYMBOLS_SYMBOLS_H
#define FATHOM_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_region;

/*
 * Fills in the name, file and lines of a region that has a module and an offset; a fathom_region_resolver
 * (run/runtime.h). A function of a library whose debug information is missing or not read gets the name of the library
 * as its file, and no lines. Does nothing if it may not allocate. Texts are never freed. One thread at a time. Context:
 * finish.
 */
void fathom_symbols_resolve(struct fathom_region *region, bool may_allocate);

/* Like fathom_symbols_resolve, but finds the file and the lines wherever there is debug information, which may take
 * tens of milliseconds for a library. Context: tool. */
void fathom_symbols_resolve_with_lines(struct fathom_region *region);

/* A function of a program or library. */
struct fathom_symbol {
	const char *name;		/* as people write it */
	const char *linker_name;
	const char *file;		/* NULL: not known */
	uint64_t offset;		/* as in struct fathom_region */
};

/*
 * Calls visit for each function in the symbol table of a program or library, with the name that a region of it would
 * get and, if with_files is set, its source file. The texts live as long as the visit. Context: finish; any thread.
 */
void fathom_symbols_each(const char *path, bool with_files,
			 void (*visit)(const struct fathom_symbol *symbol, void *data), void *data);

/* The functions of libfathom-symbols, which it exports under the name FATHOM_SYMBOLS_ENTRY. */
struct fathom_symbols_table {
	__typeof__(&fathom_symbols_resolve) resolve;
	__typeof__(&fathom_symbols_each) each;
};

#define FATHOM_SYMBOLS_ENTRY "fathom_symbols_table"
#define FATHOM_SYMBOLS_LIBRARY "libfathom-symbols.so.0"
extern const struct fathom_symbols_table fathom_symbols_table;

#endif
