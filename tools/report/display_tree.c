#include "tools/report/display_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/report/phases.h"

struct making {
	struct fathom_display_tree *shape;
	const struct fathom_profile *profile;
	const struct fathom_values *values;
	uint32_t *node_of;		/* by call path */
	int32_t *newest, *next;		/* lists of the children of nodes, while the tree is made */
};

/* --- which call paths are one node ------------------------------------------------------------------- */

static bool are_alike(const struct fathom_cube *cube, uint32_t a, uint32_t b)
{
	const struct fathom_cube_cnode *x = &cube->cnodes[a], *y = &cube->cnodes[b];

	if (x->region != y->region || x->parameter_count != y->parameter_count)
		return false;
	for (uint32_t p = 0; p < x->parameter_count; p++) {
		const struct fathom_cube_parameter *left = &cube->parameters[x->first_parameter + p];
		const struct fathom_cube_parameter *right = &cube->parameters[y->first_parameter + p];

		if (strcmp(left->key, right->key) != 0 || strcmp(left->value, right->value) != 0)
			return false;
	}
	return true;
}

static uint32_t add_node(struct making *making, uint32_t cnode, int32_t parent)
{
	struct fathom_display_tree *shape = making->shape;
	uint32_t node = shape->count++;

	shape->cnode[node] = cnode;
	shape->parent[node] = parent;
	making->newest[node] = -1;
	if (parent >= 0) {
		making->next[node] = making->newest[parent];
		making->newest[parent] = (int32_t)node;
	}
	return node;
}

static int32_t find_node(const struct making *making, uint32_t cnode, uint32_t parent)
{
	int32_t node = making->newest[parent];

	while (node >= 0 && !are_alike(making->profile->cube, making->shape->cnode[node], cnode))
		node = making->next[node];
	return node;
}

static void find_nodes(struct making *making, bool together)
{
	const struct fathom_cube *cube = making->profile->cube;
	bool *is_inside = fathom_tool_alloc(cube->cnode_count, sizeof(*is_inside));	/* phases and below */

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		int32_t above = cube->cnodes[c].parent, found = -1;

		is_inside[c] = together && ((above >= 0 && is_inside[above]) ||
					    fathom_phase_is(making->profile, c));
		if (above >= 0 && is_inside[above])
			found = fathom_phase_is_part(making->profile, c) ?
				(int32_t)making->node_of[above] : find_node(making, c, making->node_of[above]);
		making->node_of[c] = found >= 0 ? (uint32_t)found :
				     add_node(making, c, above >= 0 ? (int32_t)making->node_of[above] : -1);
		making->shape->is_together |= found >= 0;
		making->shape->paths[making->node_of[c]]++;
	}
	free(is_inside);
}

static void list_children(struct fathom_display_tree *shape)
{
	uint32_t *next;

	shape->first_child = fathom_tool_alloc((size_t)shape->count + 1, sizeof(*shape->first_child));
	shape->child = fathom_tool_alloc(shape->count, sizeof(*shape->child));
	next = fathom_tool_alloc(shape->count, sizeof(*next));
	for (uint32_t n = 0; n < shape->count; n++)
		if (shape->parent[n] >= 0)
			shape->first_child[shape->parent[n] + 1]++;
	for (uint32_t n = 0; n < shape->count; n++) {
		shape->first_child[n + 1] += shape->first_child[n];
		next[n] = shape->first_child[n];
	}
	for (uint32_t n = 0; n < shape->count; n++)
		if (shape->parent[n] >= 0)
			shape->child[next[shape->parent[n]]++] = n;
	free(next);
}

/* --- values of nodes ------------------------------------------------------------------------------------ */

static void combine(enum fathom_values_kind kind, double *into, double value)
{
	if (kind == FATHOM_VALUES_SUM)
		*into += value;
	else
		*into = kind == FATHOM_VALUES_LEAST ? fmin(*into, value) : fmax(*into, value);
}

/* Adds the values of call paths to their nodes. The inclusive value of a phase already contains its iterations. */
static void add_values(struct making *making)
{
	struct fathom_display_tree *shape = making->shape;
	const struct fathom_values *values = making->values;
	const struct fathom_cube *cube = making->profile->cube;

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		uint32_t node = making->node_of[c];
		int32_t above = cube->cnodes[c].parent;

		if (shape->cnode[node] == c) {
			shape->own[node] = values->own[c];
			shape->inclusive[node] = values->inclusive[c];
			continue;
		}
		combine(values->kind, &shape->own[node], values->own[c]);
		if (values->kind != FATHOM_VALUES_SUM || making->node_of[above] != node)
			combine(values->kind, &shape->inclusive[node], values->inclusive[c]);
	}
}

/* Returns whether a node is the root of a tree of explicit tasks, whose time is already in the inclusive values of
 * stubs. */
static bool heads_tasks(const struct fathom_profile *profile, const struct fathom_display_tree *shape, uint32_t node)
{
	int32_t parent = shape->parent[node];

	return profile->in_tasks[shape->cnode[node]] && (parent < 0 || !profile->in_tasks[shape->cnode[parent]]);
}

/* Computes ratios: the ratio of own sums, and that of inclusive sums. */
static void add_ratios(struct making *making)
{
	struct fathom_display_tree *shape = making->shape;
	double *above = fathom_tool_alloc(shape->count, sizeof(*above));
	double *below = fathom_tool_alloc(shape->count, sizeof(*below));

	for (uint32_t c = 0; c < making->profile->cube->cnode_count; c++) {
		above[making->node_of[c]] += making->values->above[c];
		below[making->node_of[c]] += making->values->below[c];
	}
	for (uint32_t n = 0; n < shape->count; n++)
		shape->own[n] = fathom_ratio_of(making->values->factor, above[n], below[n]);
	for (uint32_t n = shape->count; n-- > 0;) {
		int32_t parent = shape->parent[n];

		shape->inclusive[n] = fathom_ratio_of(making->values->factor, above[n], below[n]);
		if (parent >= 0 && !heads_tasks(making->profile, shape, n)) {
			above[parent] += above[n];
			below[parent] += below[n];
		}
	}
	free(above);
	free(below);
}

void fathom_display_tree_init(struct fathom_display_tree *shape, const struct fathom_profile *profile,
			      const struct fathom_values *values, const struct fathom_values *visits, bool together)
{
	uint32_t count = profile->cube->cnode_count;
	struct making making = {
		.shape = shape,
		.profile = profile,
		.values = values,
		.node_of = fathom_tool_alloc(count, sizeof(uint32_t)),
		.newest = fathom_tool_alloc(count, sizeof(int32_t)),
		.next = fathom_tool_alloc(count, sizeof(int32_t)),
	};

	memset(shape, 0, sizeof(*shape));
	shape->cnode = fathom_tool_alloc(count, sizeof(*shape->cnode));
	shape->paths = fathom_tool_alloc(count, sizeof(*shape->paths));
	shape->parent = fathom_tool_alloc(count, sizeof(*shape->parent));
	find_nodes(&making, together);
	list_children(shape);
	shape->inclusive = fathom_tool_alloc(shape->count, sizeof(*shape->inclusive));
	shape->own = fathom_tool_alloc(shape->count, sizeof(*shape->own));
	shape->visits = fathom_tool_alloc(shape->count, sizeof(*shape->visits));
	add_values(&making);
	if (values->kind == FATHOM_VALUES_RATIO && shape->is_together)
		add_ratios(&making);
	for (uint32_t c = 0; visits->own && c < count; c++)
		shape->visits[making.node_of[c]] += visits->own[c];
	free(making.node_of);
	free(making.newest);
	free(making.next);
}

void fathom_display_tree_fini(struct fathom_display_tree *shape)
{
	free(shape->cnode);
	free(shape->paths);
	free(shape->parent);
	free(shape->first_child);
	free(shape->child);
	free(shape->inclusive);
	free(shape->own);
	free(shape->visits);
	memset(shape, 0, sizeof(*shape));
}
