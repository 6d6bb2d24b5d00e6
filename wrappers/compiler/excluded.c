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

struct list {
	size_t count, room;
	uint64_t offsets[];		/* of functions that are left out, in order */
};

/* A module that is judged. Never freed: others may be reading. */
struct judged {
	struct judged *next;
	struct list *list;		/* replaced as a whole */
	char module[];
};

static struct judged *judgements;		/* released when complete; pairs with the loads below */

bool fathom_excluded_any(void)
{
	return fathom_event_filters();
}

/* --- judging --------------------------------------------------------------------------------------- */

struct judge {
	const char *module;
	struct list *list;		/* NULL: no memory */
};

static void consider(const struct fathom_symbol *symbol, void *data)
{
	struct judge *judge = data;
	struct fathom_filter_subject subject = {
		.kind = FATHOM_FILTER_FUNCTION,
		.name = symbol->name,
		.mangled = symbol->linker_name,
		.file = symbol->file,
		.object = judge->module,
	};
	struct list *list = judge->list;

	if (!list || !fathom_event_excludes(&subject))
		return;
	if (list->count == list->room) {
		size_t room = list->room * 2;

		list = realloc(list, sizeof(*list) + room * sizeof(list->offsets[0]));
		if (!list)
			free(judge->list);
		else
			list->room = room;
		judge->list = list;
	}
	if (list)
		list->offsets[list->count++] = symbol->offset;
}

static int compare_offsets(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* NULL: no memory. What cannot be read has no functions that are left out: their names are not known. */
static struct list *judge_all(const char *module)
{
	enum { FIRST = 64 };
	struct judge judge = { module, malloc(sizeof(*judge.list) + FIRST * sizeof(judge.list->offsets[0])) };

	if (!judge.list)
		return NULL;
	judge.list->count = 0;
	judge.list->room = FIRST;
	fathom_symbols_library_each(module, fathom_event_filters_files(), consider, &judge);
	if (judge.list)
		qsort(judge.list->offsets, judge.list->count, sizeof(judge.list->offsets[0]), compare_offsets);
	return judge.list;
}

int fathom_excluded_judge(const char *module)
{
	size_t length = strlen(module) + 1;
	struct judged *judged = malloc(sizeof(*judged) + length);

	if (!judged)
		return -ENOMEM;
	memcpy(judged->module, module, length);
	judged->list = judge_all(module);
	if (!judged->list) {
		free(judged);
		return -ENOMEM;
	}
	judged->next = __atomic_load_n(&judgements, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(&judgements, &judged->next, judged, false, __ATOMIC_RELEASE,
					    __ATOMIC_ACQUIRE))
		;
	return 0;
}

/* --- asking ---------------------------------------------------------------------------------------- */

int fathom_excluded_has(const char *module, uint64_t offset)
{
	const struct judged *judged = __atomic_load_n(&judgements, __ATOMIC_ACQUIRE);
	const struct list *list;
	size_t low = 0, high;

	while (judged && strcmp(judged->module, module))
		judged = judged->next;
	if (!judged)
		return -ENOENT;
	list = __atomic_load_n(&judged->list, __ATOMIC_ACQUIRE);
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

/* --- all at once ----------------------------------------------------------------------------------- */

static void judge_calling(const char *hook)
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
	judge_calling("__cyg_profile_func_enter");
	judge_calling("fathom_sled_enter");
}

void fathom_excluded_again(void)
{
	uint32_t count = fathom_region_count();
	sigset_t signals;
	void *before;

	fathom_signals_block(&signals);
	before = fathom_event_hide();
	for (struct judged *judged = __atomic_load_n(&judgements, __ATOMIC_ACQUIRE); judged; judged = judged->next) {
		struct list *list = judge_all(judged->module);

		if (list)	/* the old one stays: somebody may be reading it */
			__atomic_store_n(&judged->list, list, __ATOMIC_RELEASE);
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
