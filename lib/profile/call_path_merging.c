/*
 * Call paths that differ only in where the code of their functions is, see unification.h.
 */
#include <errno.h>
#include <string.h>

#include "profile/unification.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether two regions look the same in a file, whatever their code is. */
static bool reads_the_same(const struct fathom_region *a, const struct fathom_region *b)
{
	return a->name && b->name && !strcmp(a->name, b->name) && same_text(a->canonical, b->canonical) &&
	       same_text(a->file, b->file) && a->begin_line == b->begin_line && a->end_line == b->end_line &&
	       a->paradigm == b->paradigm && a->role == b->role && same_text(a->parameters, b->parameters);
}

/* index[i]: what region i is called when each is listed once; the list is made so. Returns how many, 0: no memory. */
static uint32_t list_once(struct fathom_union *u, uint32_t *index)
{
	uint32_t size = 256, count = 0;
	uint32_t *table;

	while (size < u->region_count * 2)
		size *= 2;
	table = fathom_arena_alloc(&u->arena, size * sizeof(*table));
	if (!table)
		return 0;
	for (uint32_t i = 0; i < u->region_count; i++) {
		const struct fathom_region region = u->regions[i];
		uint64_t hash = hash_text(hash_text(0xcbf29ce484222325u, region.name), region.file);
		uint32_t at;

		hash = (hash_text(hash, region.parameters) ^ region.begin_line) * 0x9e3779b97f4a7c15u;
		at = (uint32_t)(hash >> 32) & (size - 1);
		while (table[at] && !reads_the_same(&u->regions[table[at] - 1], &region))
			at = (at + 1) & (size - 1);
		if (!table[at]) {
			u->regions[count] = region;
			u->regions[count].id = count;
			table[at] = ++count;
		}
		index[i] = table[at] - 1;
	}
	return count;
}

int fathom_union_merge_twins(struct fathom_union *u, uint32_t *merged)
{
	uint32_t *index = fathom_arena_alloc(&u->arena, (u->region_count + 1) * sizeof(*index));
	fathom_presence *present = fathom_arena_alloc(&u->arena, (u->tree.count + 1) * sizeof(*present));
	struct fathom_tree_node *nodes = u->tree.nodes;
	uint32_t count;

	if (!index || !present)
		return -ENOMEM;
	count = list_once(u, index);
	if (!count)
		return -ENOMEM;
	for (uint32_t i = 0; i < u->tree.count; i++)
		merged[i] = i;
	if (count == u->region_count)
		return 0;
	u->region_count = count;
	count = u->tree.count;
	if (fathom_tree_init(&u->tree, &u->arena, index[nodes[0].key]))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			merged[i] = fathom_tree_child(&u->tree, merged[nodes[i].parent], index[nodes[i].key]);
		if (i && !merged[i])
			return -ENOMEM;
		present[merged[i]] |= u->present[i];
	}
	u->present = present;
	return 0;
}
