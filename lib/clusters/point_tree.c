#include "clusters/point_tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- distances ---------------------------------------------------------------------------------------- */

double fathom_square_of_points(const double *a, const double *b, uint32_t dimensions)
{
	double square = 0;

	for (uint32_t d = 0; d < dimensions; d++)
		square += (a[d] - b[d]) * (a[d] - b[d]);
	return square;
}

double fathom_square_to_box(const double *point, const double *box, uint32_t dimensions)
{
	double square = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		double below = box[d] - point[d], above = point[d] - box[dimensions + d];
		double outside = below > 0 ? below : above > 0 ? above : 0;

		square += outside * outside;
	}
	return square;
}

double fathom_square_through_box(const double *point, const double *box, uint32_t dimensions)
{
	double square = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		double low = fabs(point[d] - box[d]), high = fabs(point[d] - box[dimensions + d]);
		double far = low > high ? low : high;

		square += far * far;
	}
	return square;
}

double fathom_square_of_boxes(const double *a, const double *b, uint32_t dimensions)
{
	double square = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		double below = b[d] - a[dimensions + d], above = a[d] - b[dimensions + d];
		double between = below > 0 ? below : above > 0 ? above : 0;

		square += between * between;
	}
	return square;
}

double fathom_square_across_boxes(const double *a, const double *b, uint32_t dimensions)
{
	double square = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		double left = a[dimensions + d] - b[d], right = b[dimensions + d] - a[d];
		double far = left > right ? left : right;

		square += far * far;
	}
	return square;
}

/* --- the tree ----------------------------------------------------------------------------------------- */

static void swap_points(struct fathom_point_tree *tree, uint32_t a, uint32_t b)
{
	double *x = tree->values + (size_t)a * tree->dimensions, *y = tree->values + (size_t)b * tree->dimensions;
	uint32_t index = tree->indices[a];

	tree->indices[a] = tree->indices[b];
	tree->indices[b] = index;
	for (uint32_t d = 0; d < tree->dimensions; d++) {
		double value = x[d];

		x[d] = y[d];
		y[d] = value;
	}
}

static double coordinate(const struct fathom_point_tree *tree, uint32_t place, uint32_t dimension)
{
	return tree->values[(size_t)place * tree->dimensions + dimension];
}

/* Returns the middle one of three coordinates of a range, as a guess of its median. */
static double guess_median(const struct fathom_point_tree *tree, uint32_t first, uint32_t last, uint32_t dimension)
{
	double a = coordinate(tree, first, dimension), b = coordinate(tree, last, dimension);
	double c = coordinate(tree, first + (last - first) / 2, dimension);

	if (a > b) {
		double greater = a;

		a = b;
		b = greater;
	}
	return c < a ? a : c > b ? b : c;
}

/* Orders the points from first to last such that none before middle has a greater coordinate than one behind it. */
static void divide(struct fathom_point_tree *tree, uint32_t first, uint32_t last, uint32_t middle, uint32_t dimension)
{
	while (first < last) {
		double pivot = guess_median(tree, first, last, dimension);
		uint32_t low = first, high = last;

		for (;;) {
			while (coordinate(tree, low, dimension) < pivot)
				low++;
			while (coordinate(tree, high, dimension) > pivot)
				high--;
			if (low >= high)
				break;
			swap_points(tree, low++, high--);
		}
		/* The points up to high are at most the pivot, those behind it at least the pivot, and there are some
		 * of both. */
		if (middle <= high)
			last = high;
		else
			first = high + 1;
	}
}

static void find_box(struct fathom_point_tree *tree, const struct fathom_point_node *node, double *box)
{
	uint32_t dimensions = tree->dimensions;
	const double *point = fathom_point_tree_at(tree, node->first);

	memcpy(box, point, dimensions * sizeof(*box));
	memcpy(box + dimensions, point, dimensions * sizeof(*box));
	for (uint32_t i = 1; i < node->count; i++) {
		point += dimensions;
		for (uint32_t d = 0; d < dimensions; d++) {
			if (point[d] < box[d])
				box[d] = point[d];
			if (point[d] > box[dimensions + d])
				box[dimensions + d] = point[d];
		}
	}
}

static int make_node_room(struct fathom_point_tree *tree)
{
	size_t room = tree->node_room ? 2 * tree->node_room : 64;
	struct fathom_point_node *nodes;
	double *boxes;

	if (tree->node_count < tree->node_room)
		return 0;
	nodes = reallocarray(tree->nodes, room, sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	tree->nodes = nodes;
	boxes = reallocarray(tree->boxes, room, 2 * tree->dimensions * sizeof(*boxes));
	if (!boxes)
		return -ENOMEM;
	tree->boxes = boxes;
	tree->node_room = room;
	return 0;
}

/* Makes the node of a range of points and all nodes below it. The depth is that of a balanced tree. */
static int make_node(struct fathom_point_tree *tree, uint32_t first, uint32_t count, double most_square)
{
	uint32_t node = tree->node_count, dimensions = tree->dimensions, longest = 0, half = count / 2;
	double square = 0;
	double *box;
	int err = make_node_room(tree);

	if (err)
		return err;
	tree->node_count++;
	tree->nodes[node] = (struct fathom_point_node){ .first = first, .count = count };
	box = tree->boxes + (size_t)node * 2 * dimensions;
	find_box(tree, &tree->nodes[node], box);
	for (uint32_t d = 0; d < dimensions; d++) {
		double edge = box[dimensions + d] - box[d];

		square += edge * edge;
		if (edge > box[dimensions + longest] - box[longest])
			longest = d;
	}
	if (square == 0 || (count <= FATHOM_POINT_TREE_LEAF && square <= most_square))
		return 0;
	divide(tree, first, first + count - 1, first + half, longest);
	err = make_node(tree, first, half, most_square);
	if (err)
		return err;
	tree->nodes[node].right = tree->node_count;
	return make_node(tree, first + half, count - half, most_square);
}

int fathom_point_tree_init(struct fathom_point_tree *tree, const struct fathom_points *points, double most_diagonal)
{
	int err = -ENOMEM;

	*tree = (struct fathom_point_tree){ .dimensions = points->dimensions, .count = points->count };
	tree->values = reallocarray(NULL, points->count, points->dimensions * sizeof(*tree->values));
	tree->indices = reallocarray(NULL, points->count, sizeof(*tree->indices));
	if (tree->values && tree->indices) {
		memcpy(tree->values, points->values, points->count * points->dimensions * sizeof(*tree->values));
		for (uint32_t i = 0; i < points->count; i++)
			tree->indices[i] = i;
		err = make_node(tree, 0, points->count, most_diagonal * most_diagonal);
	}
	if (err)
		fathom_point_tree_fini(tree);
	return err;
}

void fathom_point_tree_fini(struct fathom_point_tree *tree)
{
	free(tree->values);
	free(tree->indices);
	free(tree->nodes);
	free(tree->boxes);
	*tree = (struct fathom_point_tree){ 0 };
}

/* --- near points -------------------------------------------------------------------------------------- */

enum { MOST_NEIGHBOURS = 256 };

/* The squares of the distances to the nearest points so far, ascending. */
struct neighbours {
	const double *point;
	double squares[MOST_NEIGHBOURS];
	uint32_t count, wanted, self;
};

static void add_neighbour(struct neighbours *nearest, double square)
{
	uint32_t place = nearest->count;

	if (place == nearest->wanted) {
		if (square >= nearest->squares[place - 1])
			return;
		place--;
	} else {
		nearest->count++;
	}
	for (; place > 0 && nearest->squares[place - 1] > square; place--)
		nearest->squares[place] = nearest->squares[place - 1];
	nearest->squares[place] = square;
}

static bool is_near(const struct neighbours *nearest, double square)
{
	return nearest->count < nearest->wanted || square < nearest->squares[nearest->count - 1];
}

static void find_neighbours(const struct fathom_point_tree *tree, uint32_t index, struct neighbours *nearest)
{
	const struct fathom_point_node *node = &tree->nodes[index];
	uint32_t near = index + 1, far = node->right;
	double near_square, far_square;

	if (!node->right) {
		for (uint32_t i = node->first; i < node->first + node->count; i++)
			if (tree->indices[i] != nearest->self)
				add_neighbour(nearest, fathom_square_of_points(nearest->point,
					fathom_point_tree_at(tree, i), tree->dimensions));
		return;
	}
	near_square = fathom_square_to_box(nearest->point, fathom_point_tree_box(tree, near), tree->dimensions);
	far_square = fathom_square_to_box(nearest->point, fathom_point_tree_box(tree, far), tree->dimensions);
	if (far_square < near_square) {
		double square = near_square;

		near_square = far_square;
		far_square = square;
		near = node->right;
		far = index + 1;
	}
	if (is_near(nearest, near_square))
		find_neighbours(tree, near, nearest);
	if (is_near(nearest, far_square))
		find_neighbours(tree, far, nearest);
}

double fathom_point_tree_kth_distance(const struct fathom_point_tree *tree, const double *point, uint32_t k,
				      uint32_t self)
{
	struct neighbours nearest = { .point = point, .wanted = k < MOST_NEIGHBOURS ? k : MOST_NEIGHBOURS,
				      .self = self };

	find_neighbours(tree, 0, &nearest);
	return nearest.count < nearest.wanted ? HUGE_VAL : sqrt(nearest.squares[nearest.count - 1]);
}

static void find_nearest(const struct fathom_point_tree *tree, uint32_t index, const double *point, double *square,
			 uint32_t *nearest)
{
	const struct fathom_point_node *node = &tree->nodes[index];

	if (fathom_square_to_box(point, fathom_point_tree_box(tree, index), tree->dimensions) > *square)
		return;
	if (node->right) {
		find_nearest(tree, index + 1, point, square, nearest);
		find_nearest(tree, node->right, point, square, nearest);
		return;
	}
	for (uint32_t i = node->first; i < node->first + node->count; i++) {
		double found = fathom_square_of_points(point, fathom_point_tree_at(tree, i), tree->dimensions);

		if (found < *square || (found == *square && tree->indices[i] < *nearest)) {
			*square = found;
			*nearest = tree->indices[i];
		}
	}
}

uint32_t fathom_point_tree_nearest(const struct fathom_point_tree *tree, const double *point, double radius)
{
	double square = radius * radius;
	uint32_t nearest = UINT32_MAX;

	find_nearest(tree, 0, point, &square, &nearest);
	return nearest;
}
