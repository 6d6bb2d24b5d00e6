#include "profile/region_merging.h"

#include <errno.h>

int fathom_distinct_regions_find(struct fathom_distinct_regions *distinct, struct fathom_arena *arena,
				 const struct fathom_region *regions, uint32_t count, uint32_t mask)
{
	uint32_t size = 256, *table;	/* number + 1 by hash; 0: empty; at most half full */

	while (size < count * 2)
		size *= 2;
	table = fathom_arena_alloc(arena, size * sizeof(*table));
	distinct->count = 0;
	distinct->index = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*distinct->index));
	distinct->region = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*distinct->region));
	if (!table || !distinct->index || !distinct->region)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot = (uint32_t)fathom_region_hash(&regions[i], mask) & (size - 1);

		while (table[slot] &&
		       !fathom_region_same(&regions[distinct->region[table[slot] - 1]], &regions[i], mask))
			slot = (slot + 1) & (size - 1);
		if (!table[slot]) {
			distinct->region[distinct->count] = i;
			table[slot] = ++distinct->count;
		}
		distinct->index[i] = table[slot] - 1;
	}
	return 0;
}
