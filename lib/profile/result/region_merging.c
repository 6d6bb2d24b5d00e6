#include "profile/result/region_merging.h"

#include <errno.h>

#include "platform/number_table.h"

int fathom_distinct_regions_find(struct fathom_distinct_regions *distinct, struct fathom_arena *arena,
				 const struct fathom_region *regions, uint32_t count, uint32_t mask)
{
	struct fathom_number_table table = { 0 };	/* the distinct regions by hash */

	distinct->count = 0;
	distinct->index = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*distinct->index));
	distinct->region = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*distinct->region));
	if (fathom_number_table_reserve(&table, arena, count) < 0 || !distinct->index || !distinct->region)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *slot = fathom_number_table_first(&table, fathom_region_hash(&regions[i], mask));

		while (*slot && !fathom_region_same(&regions[distinct->region[*slot - 1]], &regions[i], mask))
			slot = fathom_number_table_next(&table, slot);
		if (!*slot) {
			distinct->region[distinct->count] = i;
			*slot = ++distinct->count;
		}
		distinct->index[i] = *slot - 1;
	}
	return 0;
}
