#include "symbols/symbols_library.h"

#include <stddef.h>

#include "platform/sibling_library.h"
#include "define/region.h"
#include "platform/log.h"

/* The symbol exists only in statically linked programs. It is hidden so that no shared library has a reference to
 * it. */
extern __typeof__(fathom_symbols_table) fathom_symbols_table __attribute__((weak, visibility("hidden")));

static const struct fathom_symbols_table missing;

/* Returns the table of functions, and loads the library at the first call. Two threads that do this at the same time
 * find the same table. */
static const struct fathom_symbols_table *symbols(void)
{
	static const struct fathom_symbols_table *found;
	const struct fathom_symbols_table *table = __atomic_load_n(&found, __ATOMIC_ACQUIRE);

	if (table)
		return table;
	table = &fathom_symbols_table ? &fathom_symbols_table :
					fathom_sibling_library_symbol(FATHOM_SYMBOLS_LIBRARY, FATHOM_SYMBOLS_ENTRY);
	if (!table) {
		table = &missing;
		fathom_log(FATHOM_LOG_ERROR, FATHOM_SYMBOLS_LIBRARY " cannot be loaded: functions have no names");
	}
	__atomic_store_n(&found, table, __ATOMIC_RELEASE);
	return table;
}

void fathom_symbols_library_resolve(struct fathom_region *region, bool may_allocate)
{
	if (may_allocate && region->module && symbols()->resolve)
		symbols()->resolve(region, may_allocate);
}

void fathom_symbols_library_each(const char *path, bool with_files,
		       void (*visit)(const struct fathom_symbol *symbol, void *data), void *data)
{
	if (symbols()->each)
		symbols()->each(path, with_files, visit, data);
}
