/*
 * hierarchy: puts the points that are nearest to each other together, then the groups that this makes, until all are in
 * one group (hierarchical clustering).
 *
 * Takes O(n^2) memory and mostly O(n^2) time: for some thousand points. Context of all functions: any that may allocate
 * memory.
 */
#ifndef FATHOM_CLUSTERS_HIERARCHY_H
#define FATHOM_CLUSTERS_HIERARCHY_H

#include "clusters/points.h"

/* The distance of two groups: the mean, the least or the greatest of the distances of their points; or the square root
 * of twice what the sum of squared distances from the mean grows by when they are put together (Ward). */
enum fathom_linkage { FATHOM_LINKAGE_AVERAGE, FATHOM_LINKAGE_SINGLE, FATHOM_LINKAGE_COMPLETE, FATHOM_LINKAGE_WARD };

struct fathom_join {
	uint32_t a, b;			/* below the number of points: a point; else this number + index of a join */
	uint32_t size;			/* points in the new group */
	double height;			/* the distance of a and b */
};

/* Fills in the joins, one less than points, by rising height. The points may have any number of dimensions. 0 or
 * -ENOMEM. */
int fathom_hierarchy_make(const struct fathom_points *points, enum fathom_linkage linkage, struct fathom_join *joins);

/* Returns into how many groups points fall if they are cut where the height of the joins grows most. Joins below least
 * are never cut. count: of points. */
uint32_t fathom_hierarchy_groups(const struct fathom_join *joins, uint32_t count, double least);

/* Fills in the group of each point, from 1 in the order of the points, for that many groups. 0 or -ENOMEM. */
int fathom_hierarchy_cut(const struct fathom_join *joins, uint32_t count, uint32_t group_count, uint32_t *groups);

#endif
