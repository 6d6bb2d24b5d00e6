#include "unloading.h"

#include <stddef.h>
#include <stdint.h>

#include "platform/arena.h"
#include "platform/module.h"

struct known {
	struct known *next;
	struct fathom_module_mark mark;
	enum { THERE, GOING, GONE } state;	/* GOING: it was found gone when dlclose returned last */
};

static struct {
	struct fathom_arena arena;
	struct known *known;		/* the place of one that is gone is used again */
	unsigned closing;		/* threads inside dlclose */
} unloading;

static bool is_same(const struct fathom_module_mark *a, const struct fathom_module_mark *b)
{
	return a->bias == b->bias && a->begin == b->begin && a->end == b->end && a->name == b->name;
}

/* Without memory the module is not noted: then only its addresses tell it from what is loaded there later. */
void fathom_unloading_note(const struct fathom_module *module)
{
	struct known *known, *place = NULL;
	struct fathom_module_mark mark;

	fathom_module_mark(module, &mark);
	for (known = unloading.known; known; known = known->next) {
		if (known->state == GONE)
			place = known;
		else if (known->state == THERE && is_same(&known->mark, &mark))
			return;
	}
	if (!place) {
		place = fathom_arena_alloc(&unloading.arena, sizeof(*place));
		if (!place)
			return;
		place->next = unloading.known;
		unloading.known = place;
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
	for (struct known *known = unloading.known; known; known = known->next)
		if (known->state != THERE)
			known->state = GONE;
		else if (!fathom_module_is_there(&known->mark))
			known->state = GOING;
}

bool fathom_unloading_is_on(void)
{
	return unloading.closing;
}

int fathom_unloading_is_kept(const void *address)
{
	bool is_there = false;

	for (const struct known *known = unloading.known; known; known = known->next) {
		if ((uintptr_t)address - known->mark.begin >= known->mark.end - known->mark.begin)
			continue;
		if (known->state == GOING)
			return 0;
		is_there = is_there || known->state == THERE;
	}
	return is_there || fathom_module_is_loaded(address);
}
