#include "excluded.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "define/region.h"
#include "run/filtering.h"
#include "event/switch.h"
#include "filter/filter.h"
#include "platform/lock.h"
#include "symbols/calling_modules.h"
#include "symbols/symbols_library.h"

struct offset_list {
	size_t count, room;
	uint64_t offsets[];		/* of the excluded functions, sorted */
};

/* A module to which the filter has been applied. It is never freed, because other threads may be reading it. */
struct module_entry {
	struct module_entry *next;
	struct offset_list *list;	/* replaced as a whole when the filter is applied again */
	char module[];			/* path */
};

static struct module_entry *modules;	/* stored with release; pairs with the loads with acquire below */

bool fathom_excluded_any(void)
{
	return fathom_event_filters();
}

/* --- applying the filter --------------------------------------------------------------------------- */

struct list_builder {
	const char *module;
	struct offset_list *list;		/* NULL: no memory */
};

static void add_if_excluded(const struct fathom_symbol *symbol, void *data)
{
	struct list_builder *builder = data;
	struct fathom_filter_subject subject = {
		.kind = FATHOM_FILTER_FUNCTION,
		.name = symbol->name,
		.mangled = symbol->linker_name,
		.file = symbol->file,
		.object = builder->module,
	};
	struct offset_list *list = builder->list;

	if (!list || !fathom_event_excludes(&subject))
		return;
	if (list->count == list->room) {
		size_t room = list->room * 2;

		list = realloc(list, sizeof(*list) + room * sizeof(list->offsets[0]));
		if (!list)
			free(builder->list);
		else
			list->room = room;
		builder->list = list;
	}
	if (list)
		list->offsets[list->count++] = symbol->offset;
}

static int compare_offsets(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* Returns the list of the excluded functions of a module; NULL: no memory. The list of a module that cannot be read is
 * empty, because the names of its functions are not known. */
static struct offset_list *list_excluded(const char *module)
{
	enum { FIRST = 64 };
	struct list_builder builder = { .module = module };

	builder.list = malloc(sizeof(*builder.list) + FIRST * sizeof(builder.list->offsets[0]));
	if (!builder.list)
		return NULL;
	builder.list->count = 0;
	builder.list->room = FIRST;
	fathom_symbols_library_each(module, fathom_event_filters_files(), add_if_excluded, &builder);
	if (builder.list)
		qsort(builder.list->offsets, builder.list->count, sizeof(builder.list->offsets[0]), compare_offsets);
	return builder.list;
}

int fathom_excluded_judge(const char *module)
{
	size_t length = strlen(module) + 1;
	struct module_entry *entry = malloc(sizeof(*entry) + length);

	if (!entry)
		return -ENOMEM;
	memcpy(entry->module, module, length);
	entry->list = list_excluded(module);
	if (!entry->list) {
		free(entry);
		return -ENOMEM;
	}
	entry->next = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(&modules, &entry->next, entry, false, __ATOMIC_RELEASE,
					    __ATOMIC_ACQUIRE))
		;
	return 0;
}

/* --- looking up a function ------------------------------------------------------------------------- */

int fathom_excluded_has(const char *module, uint64_t offset)
{
	const struct module_entry *entry = __atomic_load_n(&modules, __ATOMIC_ACQUIRE);
	const struct offset_list *list;
	size_t low = 0, high;

	while (entry && strcmp(entry->module, module))
		entry = entry->next;
	if (!entry)
		return -ENOENT;
	list = __atomic_load_n(&entry->list, __ATOMIC_ACQUIRE);
	for (high = list->count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (list->offsets[middle] == offset)
			return 1;
		if (list->offsets[middle] < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

/* --- all modules ----------------------------------------------------------------------------------- */

/* Applies the filter to all modules that call the hook. */
static void apply_to_callers(const char *hook)
{
	struct fathom_module_name *names = fathom_modules_calling(hook);

	while (names) {
		struct fathom_module_name *next = names->next;

		if (fathom_excluded_has(names->path, 0) == -ENOENT)
			fathom_excluded_judge(names->path);
		free(names);
		names = next;
	}
}

void fathom_excluded_start(void)
{
	if (!fathom_excluded_any())
		return;
	apply_to_callers("__cyg_profile_func_enter");
	apply_to_callers("fathom_sled_enter");
}

void fathom_excluded_again(void)
{
	uint32_t count = fathom_region_count();
	sigset_t signals;
	void *before;

	fathom_signals_block(&signals);
	before = fathom_event_hide();
	for (struct module_entry *entry = __atomic_load_n(&modules, __ATOMIC_ACQUIRE); entry; entry = entry->next) {
		struct offset_list *list = list_excluded(entry->module);

		if (list)	/* the old list is not freed, because other threads may be reading it */
			__atomic_store_n(&entry->list, list, __ATOMIC_RELEASE);
	}
	fathom_event_show(before);
	fathom_signals_restore(&signals);
	for (uint32_t id = 0; id < count; id++) {
		const struct fathom_region *region = fathom_region_by_id(id);

		if (region->paradigm != FATHOM_PARADIGM_COMPILER || fathom_region_is_disabled(region) ||
		    fathom_excluded_has(region->module, region->offset) != 1)
			continue;
		fathom_event_switch(region, false);
		fathom_event_left_out(region);
	}
}
