#include "profile/call_path_merging.h"

#include <errno.h>

#include "profile/region_merging.h"

/* The properties of a region that the file contains. It does not contain the address of the code. */
static const uint32_t visible = FATHOM_REGION_ALL & ~FATHOM_REGION_OBJECT;

/* Makes a tree in which call paths of the same distinct regions are one node. 0 or -ENOMEM. */
static int merge_nodes(struct fathom_union *u, const uint32_t *distinct_region, uint32_t *merged)
{
	uint32_t count = u->tree.count;
	fathom_presence *present = fathom_arena_alloc(&u->arena, ((size_t)count + 1) * sizeof(*present));
	const struct fathom_tree_node *nodes = u->tree.nodes;	/* they stay in the arena */

	if (!present || fathom_tree_init(&u->tree, &u->arena, distinct_region[nodes[0].key]))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			merged[i] = fathom_tree_child(&u->tree, merged[nodes[i].parent], distinct_region[nodes[i].key]);
		if (i && !merged[i])
			return -ENOMEM;
		present[merged[i]] |= u->present[i];
	}
	u->present = present;
	return 0;
}

int fathom_union_merge_call_paths(struct fathom_union *u, uint32_t *merged)
{
	struct fathom_distinct_regions distinct;

	if (fathom_distinct_regions_find(&distinct, &u->arena, u->regions, u->region_count, visible))
		return -ENOMEM;
	for (uint32_t i = 0; i < u->tree.count; i++)
		merged[i] = i;
	if (distinct.count == u->region_count)
		return 0;
	for (uint32_t i = 0; i < distinct.count; i++) {
		u->regions[i] = u->regions[distinct.region[i]];
		u->regions[i].id = i;
	}
	u->region_count = distinct.count;
	return merge_nodes(u, distinct.index, merged);
}
