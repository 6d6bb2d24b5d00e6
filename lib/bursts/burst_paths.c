#include "bursts/burst_paths.h"

#include <stdlib.h>

#include "otf2/memory.h"

struct child {
	struct fathom_table_entry entry;	/* parent, region */
	uint32_t path;
};

void fathom_burst_paths_init(struct fathom_burst_paths *tree)
{
	*tree = (struct fathom_burst_paths){ 0 };
	fathom_table_init(&tree->children, sizeof(struct child));
}

void fathom_burst_paths_fini(struct fathom_burst_paths *tree)
{
	free(tree->paths);
	fathom_table_fini(&tree->children);
}

static uint32_t find_or_make(struct fathom_burst_paths *tree, uint32_t parent, uint32_t region)
{
	struct child *child = fathom_table_find(&tree->children, parent, region, 0);

	if (child)
		return child->path;
	tree->paths = fathom_otf2_memory_grow(tree->paths, tree->count, &tree->room, sizeof(*tree->paths));
	tree->paths[tree->count] = (struct fathom_burst_path){ region, parent, FATHOM_NO_BURST_PATH };
	child = fathom_table_add(&tree->children, parent, region, 0);
	child->path = tree->count;
	return tree->count++;
}

uint32_t fathom_burst_paths_child(struct fathom_burst_paths *tree, uint32_t parent, uint32_t region)
{
	uint32_t last = parent == FATHOM_NO_BURST_PATH ? FATHOM_NO_BURST_PATH : tree->paths[parent].last_child;
	uint32_t path;

	if (last != FATHOM_NO_BURST_PATH && tree->paths[last].region == region)
		return last;
	path = find_or_make(tree, parent, region);
	if (parent != FATHOM_NO_BURST_PATH)
		tree->paths[parent].last_child = path;
	return path;
}
