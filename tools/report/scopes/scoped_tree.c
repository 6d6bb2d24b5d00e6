#include "tools/report/scopes/scoped_tree.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { NONE = -1 };

struct making {
	struct fathom_scoped_tree *tree;
	struct fathom_code_scopes *scopes;
	const struct fathom_cube *cube;
	const bool *is_sampled;		/* by call path */
	int32_t *function_of;		/* by call path: the node of the function, or one of them; NONE: none yet */
	int32_t *last_of;		/* by call path: the last of its nodes */
};

static bool are_equal_texts(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Returns whether two scopes are the same for people: calls of one inlined function from several lines are. */
static bool are_same(const struct fathom_code_scope *a, const struct fathom_code_scope *b)
{
	if (!a || !b || a == b)
		return a == b;
	if (a->kind != b->kind)
		return false;
	if (a->kind == FATHOM_SCOPE_INLINED)
		return are_equal_texts(a->name, b->name) && are_equal_texts(a->source, b->source);
	return a->line == b->line && are_equal_texts(a->file, b->file) && (a->line || a->address == b->address);
}

/* Returns the node for a call path, or a scope of it, below a node; it is made if there is none. */
static int32_t child(struct making *making, int32_t parent, uint32_t call_path, const struct fathom_code_scope *scope)
{
	struct fathom_scoped_tree *tree = making->tree;
	int32_t node = parent >= 0 ? tree->nodes[parent].first_child : NONE;

	while (node >= 0 && (tree->nodes[node].call_path != call_path || !are_same(tree->nodes[node].scope, scope)))
		node = tree->nodes[node].sibling;
	if (node >= 0)
		return node;
	tree->nodes = fathom_tool_grow(tree->nodes, tree->count, &tree->room, sizeof(*tree->nodes));
	node = (int32_t)tree->count++;
	tree->nodes[node] = (struct fathom_scoped_node){
		.parent = parent, .first_child = NONE, .last_child = NONE, .sibling = NONE, .next = NONE,
		.call_path = call_path, .scope = scope,
	};
	tree->scope_count += scope != NULL;
	if (parent >= 0 && tree->nodes[parent].last_child >= 0)
		tree->nodes[tree->nodes[parent].last_child].sibling = node;
	else if (parent >= 0)
		tree->nodes[parent].first_child = node;
	if (parent >= 0)
		tree->nodes[parent].last_child = node;
	if (making->last_of[call_path] >= 0)
		tree->nodes[making->last_of[call_path]].next = node;
	else
		tree->first_of[call_path] = node;
	making->last_of[call_path] = node;
	return node;
}

/* Returns the node for a scope below that of its function, or of the region inside the function that has it. */
static int32_t scope_node(struct making *making, int32_t function_node, uint32_t call_path,
			  const struct fathom_code_function *function, const struct fathom_code_scope *scope)
{
	int32_t outer;

	if (!scope || fathom_code_scopes_surround(making->scopes, call_path, scope))
		return function_node;
	outer = scope_node(making, function_node, call_path, function, scope->parent);
	return fathom_code_scope_shown(function, scope) == scope ? child(making, outer, call_path, scope) : outer;
}

/* Returns a node for a call path itself, one of those that there are, or else one below its parent. */
static int32_t function_node(struct making *making, uint32_t call_path)
{
	int32_t parent = making->cube->cnodes[call_path].parent, above = NONE;
	const struct fathom_path_code *code = &making->scopes->paths[call_path];

	if (making->function_of[call_path] >= 0)
		return making->function_of[call_path];
	if (parent >= 0)
		above = function_node(making, (uint32_t)parent);
	if (parent >= 0 && !making->is_sampled[call_path])
		above = scope_node(making, above, (uint32_t)parent, code->caller, code->inside);
	making->function_of[call_path] = child(making, above, call_path, NULL);
	return making->function_of[call_path];
}

/* Returns the node in which the samples of a path are, and what it calls. nodes: those of the paths before it. */
static int32_t path_node(struct making *making, const struct fathom_sample_path *path, const int32_t *nodes)
{
	uint32_t call_path = path->call_path;
	int32_t parent = path->parent < 0 ? NONE : nodes[path->parent], node;
	const struct fathom_code_function *function = NULL;
	const struct fathom_code_scope *scope = fathom_code_scopes_at(making->scopes, path, &function);

	if (!making->is_sampled[call_path] || parent < 0 ||
	    (int32_t)making->tree->nodes[parent].call_path != making->cube->cnodes[call_path].parent) {
		node = function_node(making, call_path);
	} else {
		node = child(making, parent, call_path, NULL);
		if (making->function_of[call_path] < 0)
			making->function_of[call_path] = node;
	}
	return scope_node(making, node, call_path, function, scope);
}

static void add_samples(struct fathom_scoped_node *node, const struct fathom_sample_records *file,
			const struct fathom_sample_path *path)
{
	node->samples += path->samples;
	for (size_t i = path->first_count; i < path[1].first_count; i++) {
		node->counts = fathom_tool_grow(node->counts, node->count_count, &node->count_room,
						sizeof(*node->counts));
		node->counts[node->count_count++] = file->counts[i];
	}
}

/* Notes the order in which the nodes stand in the file: parents before their children, subtrees together. */
static void put_in_order(struct fathom_scoped_tree *tree)
{
	uint32_t count = 0;

	tree->order = fathom_tool_alloc(tree->count, sizeof(*tree->order));
	for (size_t root = 0; root < tree->count; root++) {
		int32_t node = (int32_t)root;

		if (tree->nodes[root].parent >= 0)
			continue;
		while (node >= 0) {
			tree->order[count++] = (uint32_t)node;
			if (tree->nodes[node].first_child >= 0) {
				node = tree->nodes[node].first_child;
				continue;
			}
			while (node >= 0 && tree->nodes[node].sibling < 0)
				node = tree->nodes[node].parent;
			node = node >= 0 ? tree->nodes[node].sibling : NONE;
		}
	}
}

void fathom_scoped_tree_init(struct fathom_scoped_tree *tree, struct fathom_code_scopes *scopes,
			     const bool *is_sampled)
{
	const struct fathom_cube *cube = scopes->cube;
	const struct fathom_sample_records *file = scopes->modules.file;
	struct making making = {
		.tree = tree, .scopes = scopes, .cube = cube, .is_sampled = is_sampled,
		.function_of = fathom_tool_alloc(cube->cnode_count, sizeof(*making.function_of)),
		.last_of = fathom_tool_alloc(cube->cnode_count, sizeof(*making.last_of)),
	};
	int32_t *nodes = fathom_tool_alloc(file->path_count, sizeof(*nodes));

	*tree = (struct fathom_scoped_tree){ 0 };
	tree->first_of = fathom_tool_alloc(cube->cnode_count, sizeof(*tree->first_of));
	for (uint32_t c = 0; c < cube->cnode_count; c++)
		making.function_of[c] = making.last_of[c] = tree->first_of[c] = NONE;
	for (uint32_t c = 0; c < cube->cnode_count; c++)
		if (!is_sampled[c])
			function_node(&making, c);
	for (size_t p = 0; p < file->path_count; p++) {
		nodes[p] = path_node(&making, &file->paths[p], nodes);
		add_samples(&tree->nodes[nodes[p]], file, &file->paths[p]);
	}
	for (uint32_t c = 0; c < cube->cnode_count; c++)
		function_node(&making, c);
	put_in_order(tree);
	free(nodes);
	free(making.function_of);
	free(making.last_of);
}

void fathom_scoped_tree_fini(struct fathom_scoped_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->nodes[i].counts);
	free(tree->nodes);
	free(tree->first_of);
	free(tree->order);
	*tree = (struct fathom_scoped_tree){ 0 };
}
