/*
 * point_tree: a k-d tree over points, which finds near points.
 *
 * Each node has a range of the points, which are stored in the order of the tree, and the smallest box that contains
 * them. The children of a node have half of its points each, divided along the longest edge of the box. A leaf has few
 * points, and a box whose diagonal is not longer than the limit that the user gives. Making a tree takes O(n log n)
 * time. Context of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_POINT_TREE_H
#define FATHOM_CLUSTERS_POINT_TREE_H

#include <stdbool.h>

#include "clusters/points.h"

enum { FATHOM_POINT_TREE_LEAF = 16 };	/* most points of a leaf */

struct fathom_point_node {
	uint32_t first, count;		/* points */
	uint32_t right;			/* index of the second child; the first one follows its parent. 0: a leaf */
};

struct fathom_point_tree {
	uint32_t dimensions, count;
	double *values;			/* [point][dimension], in the order of the tree */
	uint32_t *indices;		/* by point of the tree: its number among the user's points */
	struct fathom_point_node *nodes;	/* parents before children; 0: the root */
	double *boxes;			/* [node][2][dimension]: lowest and highest coordinates */
	uint32_t node_count;
	size_t node_room;
};

/* Makes a tree of copies of the points; at least one. most_diagonal: see above; HUGE_VAL: no limit. 0, or -ENOMEM:
 * nothing is left to be freed. */
int fathom_point_tree_init(struct fathom_point_tree *tree, const struct fathom_points *points, double most_diagonal);
void fathom_point_tree_fini(struct fathom_point_tree *tree);

/* Returns the lowest coordinates of a node's box; the highest ones follow. */
static inline const double *fathom_point_tree_box(const struct fathom_point_tree *tree, uint32_t node)
{
	return tree->boxes + (size_t)node * 2 * tree->dimensions;
}

/* Returns the coordinates of a point of the tree. */
static inline const double *fathom_point_tree_at(const struct fathom_point_tree *tree, uint32_t place)
{
	return tree->values + (size_t)place * tree->dimensions;
}

/* Return squares of distances: between two points; from a point to the nearest and to the farthest place of a box;
 * between the nearest and between the farthest places of two boxes. */
double fathom_square_of_points(const double *a, const double *b, uint32_t dimensions);
double fathom_square_to_box(const double *point, const double *box, uint32_t dimensions);
double fathom_square_through_box(const double *point, const double *box, uint32_t dimensions);
double fathom_square_of_boxes(const double *a, const double *b, uint32_t dimensions);
double fathom_square_across_boxes(const double *a, const double *b, uint32_t dimensions);

/* Returns the distance from a point to the k-th nearest point of the tree (k from 1 to 256), the point with number self
 * not counted (UINT32_MAX: all are counted). HUGE_VAL: there are fewer. */
double fathom_point_tree_kth_distance(const struct fathom_point_tree *tree, const double *point, uint32_t k,
				      uint32_t self);

/* Returns the number of the nearest point within a radius, the lowest of those at the same distance; UINT32_MAX: there
 * is none. */
uint32_t fathom_point_tree_nearest(const struct fathom_point_tree *tree, const double *point, double radius);

#endif
