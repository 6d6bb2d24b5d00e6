#include "tools/algebra/united_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/match_key.h"
#include "tools/common/scope_region.h"

/* Writes the key of a loop: its name, "loop FILE:LINE", without the line. */
static void loop_key(const struct fathom_cube_region *region, char *key, size_t bytes)
{
	const char *colon = strrchr(region->name, ':');

	snprintf(key, bytes, "%.*s", colon ? (int)(colon - region->name) : (int)strlen(region->name), region->name);
}

/* Writes the key of a call path: the key of its region and its parameters. */
static void key_of(const struct fathom_profile *profile, uint32_t c, char *key, size_t bytes)
{
	const struct fathom_cube *cube = profile->cube;
	const struct fathom_cube_cnode *cnode = &cube->cnodes[c];
	size_t length;

	if (fathom_profile_is_program(profile, c)) {
		snprintf(key, bytes, "(program)");
		return;
	}
	if (fathom_scope_is_loop(fathom_profile_region(profile, c))) {
		loop_key(fathom_profile_region(profile, c), key, bytes);
		return;
	}
	fathom_match_key(fathom_profile_region(profile, c)->name, key, bytes / 2);
	length = strlen(key);
	for (uint32_t i = 0; i < cnode->parameter_count && length < bytes; i++) {
		const struct fathom_cube_parameter *parameter = &cube->parameters[cnode->first_parameter + i];

		length += (size_t)snprintf(key + length, bytes - length, "|%s=%s", parameter->key, parameter->value);
	}
}

/* The parent and key of a node. */
struct place {
	int32_t parent;
	const char *key;
};

static bool is_at(const void *nodes, uint32_t number, const void *wanted)
{
	const struct fathom_united_node *node = (const struct fathom_united_node *)nodes + number;
	const struct place *place = wanted;

	return node->parent == place->parent && strcmp(node->key, place->key) == 0;
}

static uint64_t hash_of(const struct place *place)
{
	return fathom_index_hash_text(fathom_index_hash_number(0, place->parent), place->key);
}

/* Returns the first node of that place; -1: there is none. */
static int64_t first_at(const struct fathom_united_tree *tree, const struct place *place)
{
	return fathom_index_find(&tree->index, hash_of(place), is_at, tree->nodes, place);
}

static bool is_alike(const struct fathom_cube_region *a, const struct fathom_cube_region *b,
		     enum fathom_likeness likeness)
{
	if (likeness == FATHOM_SAME_KEY)
		return true;
	if (strcmp(a->name, b->name) != 0 || strcmp(a->role, b->role) != 0)
		return false;
	if (likeness == FATHOM_SAME_NAME)
		return true;
	if (strcmp(a->file, b->file) != 0 || strcmp(a->paradigm, b->paradigm) != 0)
		return false;
	return likeness == FATHOM_SAME_FILE ||
	       (a->begin_line == b->begin_line && strcmp(a->mangled, b->mangled) == 0);
}

/* Returns the region of the function that has the code of a loop, which may be an inlined one. */
static const struct fathom_cube_region *function_of_loop(const struct fathom_profile *profile, uint32_t cnode)
{
	int32_t c = profile->cube->cnodes[cnode].parent;

	while (c >= 0 && fathom_scope_is_loop(fathom_profile_region(profile, (uint32_t)c)))
		c = profile->cube->cnodes[c].parent;
	return c >= 0 ? fathom_profile_region(profile, (uint32_t)c) : NULL;
}

/* Returns whether two loops of one function, in two profiles, are the same: they are as many lines behind the begin of
 * the function. If the function was edited, which its number of lines shows, loops match in their order, at last. */
static bool are_same_loops(const struct fathom_united_node *node, const struct fathom_profile *profile, uint32_t cnode,
			   enum fathom_likeness likeness)
{
	const struct fathom_cube_region *loop = fathom_profile_region(profile, cnode);
	const struct fathom_cube_region *other = fathom_profile_region(node->origin, node->cnode);
	const struct fathom_cube_region *function = function_of_loop(profile, cnode);
	const struct fathom_cube_region *other_function = function_of_loop(node->origin, node->cnode);

	if (!function || !other_function || function->begin_line <= 0 || other_function->begin_line <= 0)
		return loop->begin_line == other->begin_line;
	if (loop->begin_line - function->begin_line == other->begin_line - other_function->begin_line)
		return true;
	return likeness == FATHOM_SAME_KEY && function->end_line - function->begin_line !=
					      other_function->end_line - other_function->begin_line;
}

static bool is_match(const struct fathom_united_node *node, const struct fathom_profile *profile, uint32_t cnode,
		     enum fathom_likeness likeness)
{
	const struct fathom_cube_region *region = fathom_profile_region(profile, cnode);

	if (fathom_scope_is_loop(region))
		return are_same_loops(node, profile, cnode, likeness);
	return is_alike(fathom_profile_region(node->origin, node->cnode), region, likeness);
}

int32_t fathom_united_tree_find(const struct fathom_united_tree *tree, const struct fathom_profile *profile,
				uint32_t number, uint32_t cnode, int32_t parent, enum fathom_likeness likeness)
{
	char key[2048];
	struct place place = { parent, key };

	key_of(profile, cnode, key, sizeof(key));
	for (int64_t at = first_at(tree, &place); at >= 0; at = tree->nodes[at].next_alike) {
		const struct fathom_united_node *node = &tree->nodes[at];

		if (node->taken != number && is_match(node, profile, cnode, likeness))
			return (int32_t)at;
	}
	return -1;
}

int32_t fathom_united_tree_find_in_scopes(const struct fathom_united_tree *tree, const struct fathom_profile *profile,
					  uint32_t number, uint32_t cnode, int32_t function,
					  enum fathom_likeness likeness)
{
	int32_t found = fathom_united_tree_find(tree, profile, number, cnode, function, likeness);

	for (int32_t child = tree->nodes[function].first_child; child >= 0 && found < 0;
	     child = tree->nodes[child].next_child) {
		const struct fathom_united_node *node = &tree->nodes[child];

		if (fathom_scope_is(fathom_profile_region(node->origin, node->cnode)))
			found = fathom_united_tree_find_in_scopes(tree, profile, number, cnode, child, likeness);
	}
	return found;
}

int32_t fathom_united_tree_add(struct fathom_united_tree *tree, const struct fathom_profile *profile, uint32_t cnode,
			       int32_t parent)
{
	int32_t number = (int32_t)tree->count;
	struct place place = { .parent = parent };
	char key[2048];
	int64_t alike;

	key_of(profile, cnode, key, sizeof(key));
	tree->nodes = fathom_tool_grow(tree->nodes, tree->count, &tree->room, sizeof(*tree->nodes));
	tree->nodes[tree->count++] = (struct fathom_united_node){
		.origin = profile, .cnode = cnode, .parent = parent, .first_child = -1, .last_child = -1,
		.next_child = -1, .next_alike = -1, .key = strdup(key),
	};
	if (!tree->nodes[number].key)
		fathom_tool_out_of_memory(strlen(key));
	if (parent >= 0) {
		if (tree->nodes[parent].last_child >= 0)
			tree->nodes[tree->nodes[parent].last_child].next_child = number;
		else
			tree->nodes[parent].first_child = number;
		tree->nodes[parent].last_child = number;
	}
	place.key = tree->nodes[number].key;
	alike = first_at(tree, &place);
	if (alike < 0) {
		fathom_index_add(&tree->index, hash_of(&place), (uint32_t)number);
		return number;
	}
	while (tree->nodes[alike].next_alike >= 0)
		alike = tree->nodes[alike].next_alike;
	tree->nodes[alike].next_alike = number;
	return number;
}

/* --- the result ------------------------------------------------------------------------------------ */

static bool is_same_region(const void *regions, uint32_t number, const void *wanted)
{
	const struct fathom_cube_region *region = (const struct fathom_cube_region *)regions + number;

	return is_alike(region, wanted, FATHOM_SAME_LINE) &&
	       region->end_line == ((const struct fathom_cube_region *)wanted)->end_line;
}

/* Returns the number of a region in the cube, which gets it if it is new. */
static uint32_t add_region(struct fathom_cube *cube, struct fathom_index *index,
			   const struct fathom_cube_region *region)
{
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_text(0, region->name), region->begin_line);
	int64_t known = fathom_index_find(index, hash, is_same_region, cube->regions, region);

	if (known >= 0)
		return (uint32_t)known;
	cube->regions[cube->region_count] = *region;
	fathom_index_add(index, hash, cube->region_count);
	return cube->region_count++;
}

static void copy_node(struct fathom_united_tree *tree, struct fathom_cube *cube, struct fathom_index *regions,
		      int32_t number)
{
	struct fathom_united_node *node = &tree->nodes[number];
	const struct fathom_cube *from = node->origin->cube;
	const struct fathom_cube_cnode *cnode = &from->cnodes[node->cnode];

	node->number = cube->cnode_count;
	cube->cnodes[cube->cnode_count++] = (struct fathom_cube_cnode){
		.region = add_region(cube, regions, &from->regions[cnode->region]),
		.parent = node->parent < 0 ? -1 : (int32_t)tree->nodes[node->parent].number,
		.first_parameter = cube->parameter_count, .parameter_count = cnode->parameter_count,
	};
	for (uint32_t i = 0; i < cnode->parameter_count; i++)
		cube->parameters[cube->parameter_count++] = from->parameters[cnode->first_parameter + i];
}

void fathom_united_tree_finish(struct fathom_united_tree *tree, struct fathom_cube *cube)
{
	int32_t *stack = fathom_tool_alloc(tree->count, sizeof(*stack));
	struct fathom_index regions = { 0 };
	size_t parameters = 0, top = 0;

	for (size_t i = 0; i < tree->count; i++)
		parameters += tree->nodes[i].origin->cube->cnodes[tree->nodes[i].cnode].parameter_count;
	cube->cnodes = fathom_tool_alloc(tree->count, sizeof(*cube->cnodes));
	cube->regions = fathom_tool_alloc(tree->count, sizeof(*cube->regions));
	cube->parameters = fathom_tool_alloc(parameters, sizeof(*cube->parameters));
	for (size_t i = tree->count; i-- > 0;)
		if (tree->nodes[i].parent < 0)
			stack[top++] = (int32_t)i;
	while (top > 0) {
		int32_t number = stack[--top];
		size_t begin = top, end;

		copy_node(tree, cube, &regions, number);
		/* The last one is taken from the stack first, so the order is reversed below. */
		for (int32_t child = tree->nodes[number].first_child; child >= 0; child = tree->nodes[child].next_child)
			stack[top++] = child;
		for (end = top; begin + 1 < end; begin++) {
			int32_t swapped = stack[begin];

			stack[begin] = stack[--end];
			stack[end] = swapped;
		}
	}
	fathom_index_fini(&regions);
	free(stack);
}

void fathom_united_tree_fini(struct fathom_united_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->nodes[i].key);
	free(tree->nodes);
	fathom_index_fini(&tree->index);
}
