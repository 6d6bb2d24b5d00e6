#include "tools/analyze/call_tree.h"

#include <stdlib.h>

#include "otf2/memory.h"

struct child {
	struct fathom_table_entry entry;	/* parent, region */
	uint32_t path;
};

void fathom_call_tree_init(struct fathom_call_tree *tree)
{
	*tree = (struct fathom_call_tree){ 0 };
	fathom_table_init(&tree->children, sizeof(struct child));
}

void fathom_call_tree_fini(struct fathom_call_tree *tree)
{
	free(tree->paths);
	fathom_table_fini(&tree->children);
	*tree = (struct fathom_call_tree){ 0 };
}

/* Returns the digest of a call path: one round of a multiplicative hash for each region. Never 0. */
static uint64_t digest(uint64_t parent, uint32_t region)
{
	uint64_t bits = (parent ^ (region + UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xff51afd7ed558ccd);

	bits ^= bits >> 33;
	bits *= UINT64_C(0xc4ceb9fe1a85ec53);
	bits ^= bits >> 33;
	return bits ? bits : 1;
}

static uint32_t add(struct fathom_call_tree *tree, uint32_t parent, uint32_t region)
{
	struct child *child = fathom_table_add(&tree->children, parent, region, 0);
	struct fathom_call_path *path;

	tree->paths = fathom_otf2_memory_grow(tree->paths, tree->count, &tree->room, sizeof(*tree->paths));
	path = &tree->paths[tree->count];
	path->region = region;
	path->parent = parent;
	path->last_child = FATHOM_NO_CALL_PATH;
	path->digest = digest(parent == FATHOM_NO_CALL_PATH ? 0 : tree->paths[parent].digest, region);
	child->path = tree->count;
	return tree->count++;
}

uint32_t fathom_call_tree_child(struct fathom_call_tree *tree, uint32_t parent, uint32_t region)
{
	uint32_t last = parent == FATHOM_NO_CALL_PATH ? FATHOM_NO_CALL_PATH : tree->paths[parent].last_child;
	const struct child *child;
	uint32_t path;

	if (last != FATHOM_NO_CALL_PATH && tree->paths[last].region == region)
		return last;
	child = fathom_table_find(&tree->children, parent, region, 0);
	path = child ? child->path : add(tree, parent, region);
	if (parent != FATHOM_NO_CALL_PATH)
		tree->paths[parent].last_child = path;
	return path;
}
