#include "unloading.h"

#include <stddef.h>
#include <stdint.h>

#include "platform/arena.h"
#include "platform/module.h"

struct known_module {
	struct known_module *next;
	struct fathom_module_mark mark;
	/* GOING: it was found unloaded when dlclose returned last. GONE: it was found unloaded earlier. */
	enum { THERE, GOING, GONE } state;
};

static struct {
	struct fathom_arena arena;
	struct known_module *modules;	/* an entry whose state is GONE is used for another module */
	unsigned closing;		/* number of threads inside dlclose, nested calls included */
} unloading;

static bool is_same(const struct fathom_module_mark *a, const struct fathom_module_mark *b)
{
	return a->bias == b->bias && a->begin == b->begin && a->end == b->end && a->name == b->name;
}

/* Notes a module. Without memory the module is not noted; then only its addresses distinguish it from a module that is
 * loaded later. */
void fathom_unloading_note(const struct fathom_module *module)
{
	struct known_module *entry, *place = NULL;
	struct fathom_module_mark mark;

	fathom_module_mark(module, &mark);
	for (entry = unloading.modules; entry; entry = entry->next) {
		if (entry->state == GONE)
			place = entry;
		else if (entry->state == THERE && is_same(&entry->mark, &mark))
			return;
	}
	if (!place) {
		place = fathom_arena_alloc(&unloading.arena, sizeof(*place));
		if (!place)
			return;
		place->next = unloading.modules;
		unloading.modules = place;
	}
	place->mark = mark;
	place->state = THERE;
}

void fathom_unloading_begin(void)
{
	unloading.closing++;
}

void fathom_unloading_end(void)
{
	unloading.closing--;
	for (struct known_module *entry = unloading.modules; entry; entry = entry->next)
		if (entry->state != THERE)
			entry->state = GONE;
		else if (!fathom_module_is_there(&entry->mark))
			entry->state = GOING;
}

bool fathom_unloading_is_on(void)
{
	return unloading.closing;
}

int fathom_unloading_is_kept(const void *address)
{
	bool is_there = false;

	for (const struct known_module *entry = unloading.modules; entry; entry = entry->next) {
		if ((uintptr_t)address - entry->mark.begin >= entry->mark.end - entry->mark.begin)
			continue;
		if (entry->state == GOING)
			return 0;
		is_there = is_there || entry->state == THERE;
	}
	return is_there || fathom_module_is_loaded(address);
}
