#include "frames/path_table.h"

#include <stdlib.h>

#include "otf2/memory.h"

enum { FIRST_SLOTS = 1024 };

static void add_path(struct fathom_path_table *table, struct fathom_path path)
{
	table->paths = fathom_otf2_memory_grow(table->paths, table->count, &table->room, sizeof(*table->paths));
	table->paths[table->count++] = path;
}

void fathom_path_table_init(struct fathom_path_table *table)
{
	*table = (struct fathom_path_table){ .slot_count = FIRST_SLOTS };
	table->slots = fathom_otf2_memory_alloc(table->slot_count, sizeof(*table->slots));
	add_path(table, (struct fathom_path){ UINT32_MAX, FATHOM_PATH_NOTHING, 0 });
	add_path(table, (struct fathom_path){ UINT32_MAX, FATHOM_PATH_SEVERAL, 0 });
}

void fathom_path_table_fini(struct fathom_path_table *table)
{
	free(table->paths);
	free(table->slots);
}

static uint32_t slot_of(const struct fathom_path_table *table, uint32_t parent, uint32_t region)
{
	uint64_t hash = ((uint64_t)parent << 32 | region) * 0x9e3779b97f4a7c15u;	/* 2^64 / golden ratio */

	return (uint32_t)(hash >> 32) & (table->slot_count - 1);
}

static void grow_slots(struct fathom_path_table *table)
{
	free(table->slots);
	table->slot_count *= 2;
	table->slots = fathom_otf2_memory_alloc(table->slot_count, sizeof(*table->slots));
	for (uint32_t path = FATHOM_PATH_SEVERAL + 1; path < table->count; path++) {
		uint32_t slot = slot_of(table, table->paths[path].parent, table->paths[path].region);

		while (table->slots[slot])
			slot = (slot + 1) & (table->slot_count - 1);
		table->slots[slot] = path;
	}
}

uint32_t fathom_path_child(struct fathom_path_table *table, uint32_t parent, uint32_t region)
{
	uint32_t slot = slot_of(table, parent, region), path;

	while ((path = table->slots[slot]) != 0) {
		if (table->paths[path].parent == parent && table->paths[path].region == region)
			return path;
		slot = (slot + 1) & (table->slot_count - 1);
	}
	if (table->is_complete || table->count >= FATHOM_PATHS_MOST)
		return UINT32_MAX;
	path = table->count;
	add_path(table, (struct fathom_path){ region, parent, table->paths[parent].depth + 1 });
	table->slots[slot] = path;
	if (table->count > table->slot_count / 2)
		grow_slots(table);
	return path;
}

uint32_t fathom_path_at_depth(const struct fathom_path_table *table, uint32_t path, uint32_t depth)
{
	while (table->paths[path].depth > depth)
		path = table->paths[path].parent;
	return path;
}
