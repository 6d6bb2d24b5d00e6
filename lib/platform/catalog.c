#include "platform/catalog.h"

#include <errno.h>

enum { FIRST_PLACES = 256, GROWTH = 4 };

static void put(const struct fathom_catalog *catalog, struct fathom_catalog_places *places, void *thing)
{
	size_t place = catalog->hash(thing);

	while (places->things[place & places->mask])
		place++;
	/* Pairs with the acquire in fathom_catalog_next. */
	__atomic_store_n(&places->things[place & places->mask], thing, __ATOMIC_RELEASE);
}

int fathom_catalog_make_room(struct fathom_catalog *catalog, struct fathom_arena *arena)
{
	struct fathom_catalog_places *old = catalog->places, *places;
	size_t size = old ? (old->mask + 1) * GROWTH : FIRST_PLACES;

	if (old && (catalog->count + 1) * 2 <= old->mask + 1)
		return 0;
	places = fathom_arena_alloc(arena, sizeof(*places) + size * sizeof(*places->things));
	if (!places)
		return -ENOMEM;
	places->mask = size - 1;
	for (size_t i = 0; old && i <= old->mask; i++)
		if (old->things[i])
			put(catalog, places, old->things[i]);
	/* Pairs with the acquire in fathom_catalog_search. */
	__atomic_store_n(&catalog->places, places, __ATOMIC_RELEASE);
	return 0;
}

void fathom_catalog_add(struct fathom_catalog *catalog, void *thing)
{
	fathom_assert(catalog->places && (catalog->count + 1) * 2 <= catalog->places->mask + 1);
	put(catalog, catalog->places, thing);
	catalog->count++;
}
