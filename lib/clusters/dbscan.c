#include "clusters/dbscan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "clusters/point_tree.h"

enum { NO_CELL = 0xffffffff };

/* A cell is a node of the tree whose points all lie within eps of each other, and whose parent is no such node. */
struct search {
	struct fathom_point_tree tree;
	double square;			/* of eps */
	uint32_t min_points;
	bool *is_core;			/* by point of the tree */
	uint32_t *core_counts;		/* by node */
	uint32_t *cells;		/* the nodes */
	uint32_t *cell_of;		/* by node: index of the cell that it is or is in; NO_CELL: above cells */
	uint32_t cell_count;
	uint32_t *joined;		/* by cell: a cell of the same cluster with a lower index, or itself */
	uint32_t *numbers;		/* by cell: number of its cluster; 0: it has no core point */
};

static void fini(struct search *search)
{
	fathom_point_tree_fini(&search->tree);
	free(search->is_core);
	free(search->core_counts);
	free(search->cells);
	free(search->cell_of);
	free(search->joined);
	free(search->numbers);
}

/* --- cells -------------------------------------------------------------------------------------------- */

static void find_cells(struct search *search, uint32_t index, uint32_t cell)
{
	const struct fathom_point_node *node = &search->tree.nodes[index];
	const double *box = fathom_point_tree_box(&search->tree, index);

	if (cell == NO_CELL && fathom_square_of_points(box, box + search->tree.dimensions, search->tree.dimensions) <=
	    search->square) {
		cell = search->cell_count;
		search->cells[search->cell_count++] = index;
	}
	search->cell_of[index] = cell;
	if (!node->right)
		return;
	find_cells(search, index + 1, cell);
	find_cells(search, node->right, cell);
}

static int init(struct search *search, const struct fathom_points *points, double eps, uint32_t min_points)
{
	int err;

	*search = (struct search){ .square = eps * eps, .min_points = min_points };
	err = fathom_point_tree_init(&search->tree, points, eps);
	if (err)
		return err;
	search->is_core = calloc(points->count, sizeof(*search->is_core));
	search->core_counts = calloc(search->tree.node_count, sizeof(*search->core_counts));
	search->cells = calloc(search->tree.node_count, sizeof(*search->cells));
	search->cell_of = calloc(search->tree.node_count, sizeof(*search->cell_of));
	if (!search->is_core || !search->core_counts || !search->cells || !search->cell_of)
		return -ENOMEM;
	find_cells(search, 0, NO_CELL);
	search->joined = calloc(search->cell_count, sizeof(*search->joined));
	search->numbers = calloc(search->cell_count, sizeof(*search->numbers));
	return search->joined && search->numbers ? 0 : -ENOMEM;
}

/* --- core points -------------------------------------------------------------------------------------- */

/* Returns the number of points below a node within eps of a point; it may stop counting when there are enough. */
static uint32_t count_near(const struct search *search, uint32_t index, const double *point, uint32_t enough)
{
	const struct fathom_point_tree *tree = &search->tree;
	const struct fathom_point_node *node = &tree->nodes[index];
	const double *box = fathom_point_tree_box(tree, index);
	uint32_t count = 0;

	if (fathom_square_to_box(point, box, tree->dimensions) > search->square)
		return 0;
	if (fathom_square_through_box(point, box, tree->dimensions) <= search->square)
		return node->count;
	if (node->right) {
		count = count_near(search, index + 1, point, enough);
		return count >= enough ? count : count + count_near(search, node->right, point, enough - count);
	}
	for (uint32_t i = node->first; i < node->first + node->count && count < enough; i++)
		count += fathom_square_of_points(point, fathom_point_tree_at(tree, i), tree->dimensions) <=
			 search->square;
	return count;
}

static void find_core_points(struct search *search)
{
	const struct fathom_point_tree *tree = &search->tree;

	for (uint32_t c = 0; c < search->cell_count; c++) {
		const struct fathom_point_node *cell = &tree->nodes[search->cells[c]];

		for (uint32_t i = cell->first; i < cell->first + cell->count; i++)
			search->is_core[i] = cell->count >= search->min_points ||
				count_near(search, 0, fathom_point_tree_at(tree, i), search->min_points) >=
				search->min_points;
	}
	/* Children have greater indices than their parents. */
	for (uint32_t n = tree->node_count; n-- > 0; ) {
		const struct fathom_point_node *node = &tree->nodes[n];

		if (node->right) {
			search->core_counts[n] = search->core_counts[n + 1] + search->core_counts[node->right];
			continue;
		}
		for (uint32_t i = node->first; i < node->first + node->count; i++)
			search->core_counts[n] += search->is_core[i];
	}
}

/* --- clusters ----------------------------------------------------------------------------------------- */

static uint32_t first_of(struct search *search, uint32_t cell)
{
	while (search->joined[cell] != cell) {
		search->joined[cell] = search->joined[search->joined[cell]];
		cell = search->joined[cell];
	}
	return cell;
}

static bool have_near_leaves(const struct search *search, const struct fathom_point_node *a,
			     const struct fathom_point_node *b)
{
	const struct fathom_point_tree *tree = &search->tree;

	for (uint32_t i = a->first; i < a->first + a->count; i++)
		for (uint32_t j = b->first; search->is_core[i] && j < b->first + b->count; j++)
			if (search->is_core[j] &&
			    fathom_square_of_points(fathom_point_tree_at(tree, i), fathom_point_tree_at(tree, j),
						    tree->dimensions) <= search->square)
				return true;
	return false;
}

/* Returns whether a core point of one node lies within eps of a core point of the other one. */
static bool have_near_cores(const struct search *search, uint32_t a, uint32_t b)
{
	const struct fathom_point_tree *tree = &search->tree;
	const double *box_a = fathom_point_tree_box(tree, a), *box_b = fathom_point_tree_box(tree, b);

	if (!search->core_counts[a] || !search->core_counts[b] ||
	    fathom_square_of_boxes(box_a, box_b, tree->dimensions) > search->square)
		return false;
	if (fathom_square_across_boxes(box_a, box_b, tree->dimensions) <= search->square)
		return true;
	if (!tree->nodes[a].right && !tree->nodes[b].right)
		return have_near_leaves(search, &tree->nodes[a], &tree->nodes[b]);
	/* The node with more points is divided, unless it is a leaf. */
	if (!tree->nodes[a].right || (tree->nodes[b].right && tree->nodes[b].count > tree->nodes[a].count))
		return have_near_cores(search, a, b + 1) || have_near_cores(search, a, tree->nodes[b].right);
	return have_near_cores(search, a + 1, b) || have_near_cores(search, tree->nodes[a].right, b);
}

/* Joins a cell with the cells at or below a node that have a greater index and a near core point. */
static void join_neighbours(struct search *search, uint32_t cell, uint32_t index)
{
	const struct fathom_point_tree *tree = &search->tree;
	uint32_t node = search->cells[cell], neighbour = search->cell_of[index], a, b;

	if (!search->core_counts[index] ||
	    fathom_square_of_boxes(fathom_point_tree_box(tree, node), fathom_point_tree_box(tree, index),
				   tree->dimensions) > search->square)
		return;
	if (neighbour == NO_CELL) {
		join_neighbours(search, cell, index + 1);
		join_neighbours(search, cell, tree->nodes[index].right);
		return;
	}
	if (neighbour <= cell)
		return;
	a = first_of(search, cell);
	b = first_of(search, neighbour);
	if (a != b && have_near_cores(search, node, index))
		search->joined[a > b ? a : b] = a > b ? b : a;
}

/* A cluster: its first cell, and the lowest number of its core points among the user's points. */
struct found {
	uint32_t cell, lowest;
};

static int by_lowest(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->lowest < y->lowest ? -1 : x->lowest > y->lowest;
}

/* Numbers the clusters and returns how many there are, or -ENOMEM. */
static int number_clusters(struct search *search)
{
	struct found *found = calloc(search->cell_count, sizeof(*found));
	int count = 0;

	if (!found)
		return -ENOMEM;
	for (uint32_t c = 0; c < search->cell_count; c++)
		found[c] = (struct found){ c, UINT32_MAX };
	for (uint32_t c = 0; c < search->cell_count; c++) {
		const struct fathom_point_node *cell = &search->tree.nodes[search->cells[c]];
		struct found *cluster = &found[first_of(search, c)];

		for (uint32_t i = cell->first; i < cell->first + cell->count; i++)
			if (search->is_core[i] && search->tree.indices[i] < cluster->lowest)
				cluster->lowest = search->tree.indices[i];
	}
	qsort(found, search->cell_count, sizeof(*found), by_lowest);
	while ((uint32_t)count < search->cell_count && found[count].lowest != UINT32_MAX) {
		search->numbers[found[count].cell] = (uint32_t)count + 1;
		count++;
	}
	for (uint32_t c = 0; c < search->cell_count; c++)
		search->numbers[c] = search->numbers[first_of(search, c)];
	free(found);
	return count;
}

/* Finds the lowest number of a cluster with a core point within eps of a point. */
static void find_lowest(const struct search *search, uint32_t index, const double *point, uint32_t *lowest)
{
	const struct fathom_point_tree *tree = &search->tree;
	const struct fathom_point_node *node = &tree->nodes[index];
	uint32_t cell = search->cell_of[index];

	if (!search->core_counts[index] || (cell != NO_CELL && search->numbers[cell] >= *lowest) ||
	    fathom_square_to_box(point, fathom_point_tree_box(tree, index), tree->dimensions) > search->square)
		return;
	if (node->right) {
		find_lowest(search, index + 1, point, lowest);
		find_lowest(search, node->right, point, lowest);
		return;
	}
	for (uint32_t i = node->first; i < node->first + node->count; i++)
		if (search->is_core[i] && fathom_square_of_points(point, fathom_point_tree_at(tree, i),
								  tree->dimensions) <= search->square) {
			*lowest = search->numbers[cell];
			return;
		}
}

static void fill_in(const struct search *search, uint32_t *clusters)
{
	const struct fathom_point_tree *tree = &search->tree;

	for (uint32_t c = 0; c < search->cell_count; c++) {
		const struct fathom_point_node *cell = &tree->nodes[search->cells[c]];

		for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
			uint32_t lowest = UINT32_MAX;

			if (search->is_core[i])
				lowest = search->numbers[c];
			else
				find_lowest(search, 0, fathom_point_tree_at(tree, i), &lowest);
			clusters[tree->indices[i]] = lowest == UINT32_MAX ? FATHOM_NOISE : lowest;
		}
	}
}

int fathom_dbscan(const struct fathom_points *points, double eps, uint32_t min_points, uint32_t *clusters)
{
	struct search search;
	int count;

	if (points->count == 0)
		return 0;
	count = init(&search, points, eps, min_points);
	if (count == 0) {
		find_core_points(&search);
		for (uint32_t c = 0; c < search.cell_count; c++)
			search.joined[c] = c;
		for (uint32_t c = 0; c < search.cell_count; c++)
			if (search.core_counts[search.cells[c]])
				join_neighbours(&search, c, 0);
		count = number_clusters(&search);
		if (count >= 0)
			fill_in(&search, clusters);
	}
	fini(&search);
	return count;
}
