#include "profile/process_tree/call_tree.h"

#include <errno.h>
#include <string.h>

static uint64_t hash(uint32_t parent, uint32_t key)
{
	return ((uint64_t)parent << 32 | key) * 0x9e3779b97f4a7c15u;
}

static uint32_t *find_slot(const struct fathom_tree *tree, uint32_t parent, uint32_t key)
{
	uint32_t *slot = fathom_number_table_first(&tree->table, hash(parent, key));

	while (*slot && (tree->nodes[*slot - 1].parent != parent || tree->nodes[*slot - 1].key != key))
		slot = fathom_number_table_next(&tree->table, slot);
	return slot;
}

/* Makes room for twice as many nodes. 0 or -ENOMEM. */
static int grow(struct fathom_tree *tree)
{
	uint32_t room = tree->room ? tree->room * 2 : 256;
	struct fathom_tree_node *nodes = fathom_arena_alloc(tree->arena, room * sizeof(*nodes));
	int result = fathom_number_table_reserve(&tree->table, tree->arena, room);

	for (uint32_t i = 1; result > 0 && i < tree->count; i++)
		fathom_number_table_put(&tree->table, hash(tree->nodes[i].parent, tree->nodes[i].key), i);
	if (!nodes || result < 0)
		return -ENOMEM;
	if (tree->count)
		memcpy(nodes, tree->nodes, tree->count * sizeof(*nodes));
	tree->nodes = nodes;
	tree->room = room;
	return 0;
}

int fathom_tree_init(struct fathom_tree *tree, struct fathom_arena *arena, uint32_t root_key)
{
	memset(tree, 0, sizeof(*tree));
	tree->arena = arena;
	if (grow(tree))
		return -ENOMEM;
	tree->nodes[0].key = root_key;
	tree->count = 1;
	return 0;
}

uint32_t fathom_tree_child(struct fathom_tree *tree, uint32_t parent, uint32_t key)
{
	uint32_t *slot = find_slot(tree, parent, key);
	struct fathom_tree_node *above, *node;
	uint32_t child;

	if (*slot)
		return *slot - 1;
	if (tree->count == tree->room) {
		if (tree->count > UINT32_MAX / 8 || grow(tree))
			return 0;
		slot = find_slot(tree, parent, key);
	}
	child = tree->count++;
	*slot = child + 1;
	node = &tree->nodes[child];
	above = &tree->nodes[parent];
	node->key = key;
	node->parent = parent;
	if (above->last_child)
		tree->nodes[above->last_child].sibling = child;
	else
		above->first_child = child;
	above->last_child = child;
	return child;
}

void fathom_tree_order(const struct fathom_tree *tree, uint32_t *order)
{
	uint32_t node = 0, place = 0;

	for (;;) {
		order[place++] = node;
		if (tree->nodes[node].first_child) {
			node = tree->nodes[node].first_child;
			continue;
		}
		while (node && !tree->nodes[node].sibling)
			node = tree->nodes[node].parent;
		if (!node)
			return;
		node = tree->nodes[node].sibling;
	}
}
