/*
 * catalog: things that are found by a hash of theirs, without a lock, while more are added.
 *
 * It holds addresses of things only. A thing is complete when it is added; what is compared of it never changes, and it
 * neither moves nor ends: who has found it may keep it. Nothing is taken out. Open addressing, at most half full. The
 * places that were outgrown stay in the arena as they are, because somebody may be looking through them.
 *
 * To find, in any thread, also in a signal handler:
 *
 *	struct fathom_catalog_search search = fathom_catalog_search(&catalog, hash);
 *	const struct thing *thing;
 *
 *	while ((thing = fathom_catalog_next(&search)) != NULL && !is_wanted(thing))
 *		;
 *
 * To add, under a lock of the owner's: what was not found may have been added by another thread, so search again;
 * then fathom_catalog_make_room, make the thing, fathom_catalog_add.
 */
#ifndef FATHOM_PLATFORM_CATALOG_H
#define FATHOM_PLATFORM_CATALOG_H

#include <stddef.h>

#include "platform/arena.h"
#include "platform/compiler.h"

struct fathom_catalog_places {
	size_t mask;			/* their number - 1 */
	void *things[];			/* released when complete; NULL: free */
};

/* All zero but for the function: empty and ready. */
struct fathom_catalog {
	size_t (*hash)(const void *thing);	/* the same whenever it is asked */
	struct fathom_catalog_places *places;	/* NULL: none yet. Released; pairs with fathom_catalog_search */
	size_t count;			/* of things. For who adds */
};

/* Somebody looking. */
struct fathom_catalog_search {
	const struct fathom_catalog_places *places;
	size_t next;			/* not yet cut to the number of places */
};

/* Context: hook. */
static inline struct fathom_catalog_search fathom_catalog_search(const struct fathom_catalog *catalog, size_t hash)
{
	return (struct fathom_catalog_search){ __atomic_load_n(&catalog->places, __ATOMIC_ACQUIRE), hash };
}

/* One more thing that may have this hash. NULL: there are no more. Context: hook. */
static inline void *fathom_catalog_next(struct fathom_catalog_search *search)
{
	if (unlikely(!search->places))
		return NULL;
	/* Pairs with the release in fathom_catalog_add. */
	return __atomic_load_n(&search->places->things[search->next++ & search->places->mask], __ATOMIC_ACQUIRE);
}

/* Room for one more thing. 0, or -ENOMEM and all is as before. One thread at a time. Context: birth. */
FATHOM_API int fathom_catalog_make_room(struct fathom_catalog *catalog, struct fathom_arena *arena);

/* Add thing, for which there is room. One thread at a time. Context: birth. */
FATHOM_API void fathom_catalog_add(struct fathom_catalog *catalog, void *thing);

#endif
