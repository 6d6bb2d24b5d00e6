#include "symbols/symbols_library.h"

#include <stddef.h>

#include "platform/sibling_library.h"
#include "define/region.h"
#include "platform/log.h"

/* It is there in static programs alone: hidden, so that shared libraries do not ask for it. */
extern __typeof__(fathom_symbols_table) fathom_symbols_table __attribute__((weak, visibility("hidden")));

static const struct fathom_symbols_table missing;

/* Two threads that come here at once find the same. */
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
