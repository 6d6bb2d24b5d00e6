#include "profile/result/call_path_merging.h"

#include <errno.h>
#include <string.h>

#include "profile/result/region_merging.h"

/* The properties of a region that the file contains. It does not contain the address of the code. */
static const uint32_t visible = FATHOM_REGION_ALL & ~FATHOM_REGION_OBJECT;

/* Whether a region is a function that the compiler made of the body of an OpenMP construct: main._omp_fn.0,
 * main.omp_outlined. */
static bool is_outlined(const struct fathom_region *region)
{
	return region->paradigm == FATHOM_PARADIGM_COMPILER &&
	       (strstr(region->name, "._omp_fn.") || strstr(region->name, ".omp_outlined"));
}

/* Whether a region is a function that calls main, in a program that has the C library in itself. */
static bool starts_program(const struct fathom_region *region)
{
	return region->paradigm == FATHOM_PARADIGM_COMPILER &&
	       (!strcmp(region->name, "_start") || !strncmp(region->name, "__libc_start", strlen("__libc_start")));
}

/*
 * Whether a sampled call path is left out; its values become those of the call path above it. sampled_call_paths.c
 * leaves out more, but does not know names. Call paths with visits stay: their functions have hooks.
 */
static bool is_left_out(const struct fathom_union *u, const struct fathom_tree_node *node, fathom_presence present,
			uint32_t parent)
{
	const struct fathom_region *region = &u->regions[node->key];

	if (present & fathom_presence_of(FATHOM_VALUE_VISITS))
		return false;
	return parent == 0 ? starts_program(region) :
	       u->regions[u->tree.nodes[parent].key].paradigm == FATHOM_PARADIGM_OPENMP && is_outlined(region);
}

/* Returns whether any call path is to be left out. */
static bool leaves_out_any(const struct fathom_union *u)
{
	for (uint32_t i = 1; i < u->tree.count; i++)
		if (is_left_out(u, &u->tree.nodes[i], u->present[i], u->tree.nodes[i].parent))
			return true;
	return false;
}

/* Makes a tree in which call paths of the same distinct regions are one node. 0 or -ENOMEM. */
static int merge_nodes(struct fathom_union *u, const uint32_t *distinct_region, uint32_t *merged)
{
	uint32_t count = u->tree.count;
	fathom_presence *present = fathom_arena_alloc(&u->arena, ((size_t)count + 1) * sizeof(*present));
	const struct fathom_tree_node *nodes = u->tree.nodes;	/* they stay in the arena */

	if (!present || fathom_tree_init(&u->tree, &u->arena, distinct_region[nodes[0].key]))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		struct fathom_tree_node node = { .key = distinct_region[nodes[i].key] };

		if (i && is_left_out(u, &node, u->present[i], merged[nodes[i].parent])) {
			merged[i] = merged[nodes[i].parent];
		} else if (i) {
			merged[i] = fathom_tree_child(&u->tree, merged[nodes[i].parent], node.key);
			if (!merged[i])
				return -ENOMEM;
		}
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
	if (distinct.count == u->region_count && !leaves_out_any(u))
		return 0;
	for (uint32_t i = 0; i < distinct.count; i++) {
		u->regions[i] = u->regions[distinct.region[i]];
		u->regions[i].id = i;
	}
	u->region_count = distinct.count;
	return merge_nodes(u, distinct.index, merged);
}
