#include "tools/merge/folded_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* --- the tree ------------------------------------------------------------------------------------ */

static bool is_cluster(const struct fathom_cube *cube, uint32_t cnode)
{
	const struct fathom_cube_cnode *node = &cube->cnodes[cnode];

	return node->parent >= 0 && strncmp(cube->regions[node->region].name, "cluster=", 8) == 0 &&
	       strcmp(cube->regions[cube->cnodes[node->parent].region].role, "dynamic") == 0;
}

bool fathom_folded_tree_needed(const struct fathom_cube *cube)
{
	for (uint32_t c = 0; c < cube->cnode_count; c++)
		if (is_cluster(cube, c))
			return true;
	return false;
}

static bool same_parameters(const struct fathom_cube *cube, const struct fathom_cube_cnode *x,
			    const struct fathom_cube_cnode *y)
{
	if (x->parameter_count != y->parameter_count)
		return false;
	for (uint32_t p = 0; p < x->parameter_count; p++) {
		const struct fathom_cube_parameter *a = &cube->parameters[x->first_parameter + p];
		const struct fathom_cube_parameter *b = &cube->parameters[y->first_parameter + p];

		if (strcmp(a->key, b->key) != 0 || strcmp(a->value, b->value) != 0)
			return false;
	}
	return true;
}

/* Returns whether two children of the same call path are merged. */
static bool are_one(const struct fathom_cube *cube, uint32_t x, uint32_t y)
{
	return cube->cnodes[x].region == cube->cnodes[y].region &&
	       same_parameters(cube, &cube->cnodes[x], &cube->cnodes[y]);
}

/* The folded tree by call paths of the file: the first of several merged call paths, the head, stands for all. */
struct tree {
	uint32_t *head;			/* by call path of the file: its head */
	int32_t *child, *last, *sibling;	/* by head: heads in the order of the file; -1: none */
};

static void find_heads(const struct fathom_cube *cube, struct tree *tree)
{
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		int32_t parent = cube->cnodes[c].parent, at = -1;

		tree->child[c] = tree->last[c] = tree->sibling[c] = -1;
		tree->head[c] = c;
		if (parent < 0)
			continue;
		parent = (int32_t)tree->head[parent];
		if (is_cluster(cube, c)) {	/* its values and children go to the phase */
			tree->head[c] = (uint32_t)parent;
			continue;
		}
		for (at = tree->child[parent]; at >= 0 && !are_one(cube, (uint32_t)at, c); at = tree->sibling[at])
			;
		if (at >= 0) {
			tree->head[c] = (uint32_t)at;
			continue;
		}
		if (tree->child[parent] < 0)
			tree->child[parent] = (int32_t)c;
		else
			tree->sibling[tree->last[parent]] = (int32_t)c;
		tree->last[parent] = (int32_t)c;
	}
}

/* Numbers the heads of the sub-tree at root, parents before their children. */
static void number(struct fathom_folded_tree *fold, const struct fathom_cube *cube, const struct tree *tree,
		   uint32_t root)
{
	int64_t at = root;

	while (at >= 0) {
		struct fathom_cube_cnode *cnode = &fold->cube.cnodes[fold->cube.cnode_count];

		*cnode = cube->cnodes[at];
		if (cnode->parent >= 0)
			cnode->parent = (int32_t)fold->of[tree->head[cnode->parent]];
		fold->of[at] = fold->cube.cnode_count++;
		if (tree->child[at] >= 0) {
			at = tree->child[at];
			continue;
		}
		while (at >= 0 && (at == root || tree->sibling[at] < 0))
			at = at == root || cube->cnodes[at].parent < 0 ? -1 :
			     (int64_t)tree->head[cube->cnodes[at].parent];
		if (at >= 0)
			at = tree->sibling[at];
	}
}

void fathom_folded_tree_init(struct fathom_folded_tree *fold, const struct fathom_cube *cube)
{
	uint32_t count = cube->cnode_count;
	struct tree tree;

	tree.head = fathom_tool_alloc(count, sizeof(*tree.head));
	tree.child = fathom_tool_alloc(count, sizeof(*tree.child));
	tree.last = fathom_tool_alloc(count, sizeof(*tree.last));
	tree.sibling = fathom_tool_alloc(count, sizeof(*tree.sibling));
	fold->cube = *cube;
	fold->cube.cnodes = fathom_tool_alloc(count, sizeof(*fold->cube.cnodes));
	fold->cube.cnode_count = 0;
	fold->of = fathom_tool_alloc(count, sizeof(*fold->of));
	fold->first = fathom_tool_alloc(count, sizeof(*fold->first));
	fold->next = fathom_tool_alloc(count, sizeof(*fold->next));
	find_heads(cube, &tree);
	for (uint32_t c = 0; c < count; c++)
		if (cube->cnodes[c].parent < 0)
			number(fold, cube, &tree, c);
	for (uint32_t c = 0; c < count; c++)
		fold->first[c] = -1;
	for (uint32_t c = count; c-- > 0;) {
		fold->of[c] = fold->of[tree.head[c]];
		fold->next[c] = fold->first[fold->of[c]];
		fold->first[fold->of[c]] = (int32_t)c;
	}
	free(tree.head);
	free(tree.child);
	free(tree.last);
	free(tree.sibling);
}

void fathom_folded_tree_fini(struct fathom_folded_tree *fold)
{
	free(fold->cube.cnodes);
	free(fold->of);
	free(fold->first);
	free(fold->next);
}

/* --- values -------------------------------------------------------------------------------------- */

bool fathom_folded_tree_present(const struct fathom_folded_tree *fold, struct fathom_cube_reader *reader,
				uint32_t metric, uint32_t cnode)
{
	for (int32_t at = fold->first[cnode]; at >= 0; at = fold->next[at])
		if (fathom_cube_reader_present(reader, metric, (uint32_t)at))
			return true;
	return false;
}

static void add_tuple(struct fathom_cube_tuple *sum, const struct fathom_cube_tuple *part)
{
	sum->count = sum->count > part->count ? sum->count : part->count;
	sum->minimum = sum->minimum < part->minimum ? sum->minimum : part->minimum;
	sum->maximum = sum->maximum > part->maximum ? sum->maximum : part->maximum;
	sum->sum += part->sum;
	sum->squares += part->squares;
}

/* Adds count values of a type to the values in sum. */
static void add_values(enum fathom_cube_dtype dtype, char *sum, const char *part, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		double *a = (double *)(void *)sum + i;
		const double *b = (const double *)(const void *)part + i;

		switch (dtype) {
		case FATHOM_CUBE_DOUBLE:
			*a += *b;
			break;
		case FATHOM_CUBE_MINDOUBLE:
			*a = *b < *a ? *b : *a;
			break;
		case FATHOM_CUBE_MAXDOUBLE:
			*a = *b > *a ? *b : *a;
			break;
		case FATHOM_CUBE_UINT64:
		case FATHOM_CUBE_INT64:
			((uint64_t *)(void *)sum)[i] += ((const uint64_t *)(const void *)part)[i];
			break;
		case FATHOM_CUBE_TUPLE:
			add_tuple((struct fathom_cube_tuple *)(void *)sum + i,
				  (const struct fathom_cube_tuple *)(const void *)part + i);
			break;
		default:	/* fathom's profiles have no other type than the number of threads */
			if (((uint32_t *)(void *)sum)[i] < ((const uint32_t *)(const void *)part)[i])
				((uint32_t *)(void *)sum)[i] = ((const uint32_t *)(const void *)part)[i];
			break;
		}
	}
}

int fathom_folded_tree_raw_row(const struct fathom_folded_tree *fold, struct fathom_cube_reader *reader,
			       uint32_t metric, uint32_t cnode, void *values, struct fathom_cube_error *error)
{
	const struct fathom_cube *cube = fathom_cube_reader_cube(reader);
	int32_t at = fold->first[cnode];
	int err = fathom_cube_reader_raw_row(reader, metric, (uint32_t)at, values, error);
	char *row = fathom_tool_alloc(cube->location_count, sizeof(struct fathom_cube_tuple));

	while (!err && (at = fold->next[at]) >= 0) {
		if (!fathom_cube_reader_present(reader, metric, (uint32_t)at))
			continue;
		err = fathom_cube_reader_raw_row(reader, metric, (uint32_t)at, row, error);
		if (!err)
			add_values(cube->metrics[metric].dtype, values, row, cube->location_count);
	}
	free(row);
	return err;
}

int fathom_folded_tree_row(const struct fathom_folded_tree *fold, struct fathom_cube_reader *reader, uint32_t metric,
			   uint32_t cnode, double *values, struct fathom_cube_error *error)
{
	uint32_t count = fold->cube.location_count;
	double *row = fathom_tool_alloc(count, sizeof(*row));
	int err = 0;

	memset(values, 0, count * sizeof(*values));
	for (int32_t at = fold->first[cnode]; !err && at >= 0; at = fold->next[at]) {
		err = fathom_cube_reader_row(reader, metric, (uint32_t)at, row, error);
		for (uint32_t l = 0; !err && l < count; l++)
			values[l] += row[l];
	}
	free(row);
	return err;
}
