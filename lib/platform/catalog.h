/*
 * catalog: a hash table that threads search without a lock while another thread adds entries.
 *
 * The table contains addresses of things. A thing is complete when it is added; the members that are compared never
 * change, and the thing neither moves nor is freed, so the thread that found it may keep its address. Things are never
 * removed. The table uses open addressing and is at most half full. When it grows, the old places stay in the arena
 * unchanged, because other threads may be searching them.
 *
 * To find, in any thread, also in a signal handler:
 *
 *	struct fathom_catalog_search search = fathom_catalog_search(&catalog, hash);
 *	const struct thing *thing;
 *
 *	while ((thing = fathom_catalog_next(&search)) != NULL && !is_wanted(thing))
 *		;
 *
 * To add a thing, take a lock of the owner and search again, because another thread may have added the thing; then call
 * fathom_catalog_make_room, make the thing, and call fathom_catalog_add.
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

/* Empty and ready for use if all members except hash are zero. */
struct fathom_catalog {
	size_t (*hash)(const void *thing);	/* must always return the same for a thing */
	struct fathom_catalog_places *places;	/* NULL: none yet. Released; pairs with fathom_catalog_search */
	size_t count;			/* number of things; only for the thread that adds */
};

/* The state of a search. */
struct fathom_catalog_search {
	const struct fathom_catalog_places *places;
	size_t next;			/* not yet reduced by the mask */
};

/* Starts a search for things with a hash. Context: hook. */
static inline struct fathom_catalog_search fathom_catalog_search(const struct fathom_catalog *catalog, size_t hash)
{
	return (struct fathom_catalog_search){ __atomic_load_n(&catalog->places, __ATOMIC_ACQUIRE), hash };
}

/* Returns the next thing that may have the hash. NULL: there are no more. Context: hook. */
static inline void *fathom_catalog_next(struct fathom_catalog_search *search)
{
	if (unlikely(!search->places))
		return NULL;
	/* Pairs with the release in fathom_catalog_add. */
	return __atomic_load_n(&search->places->things[search->next++ & search->places->mask], __ATOMIC_ACQUIRE);
}

/* Makes space for one more thing. 0, or -ENOMEM and nothing has changed. One thread at a time. Context: birth. */
FATHOM_API int fathom_catalog_make_room(struct fathom_catalog *catalog, struct fathom_arena *arena);

/* Adds a thing, for which there must be space. One thread at a time. Context: birth. */
FATHOM_API void fathom_catalog_add(struct fathom_catalog *catalog, void *thing);

#endif
