/* Converts stored values to inclusive and exclusive values. Cnodes are in pre-order, so one pass over the array is
 * enough. To add up, the pass goes backwards: every child is complete before its value is added to its parent. To
 * subtract, the pass goes forwards: every child is still unchanged when its value is subtracted from its parent. */
#include "cube/reader/reader.h"

#include <string.h>

/* Returns whether cnode is the node TASKS below a root. The times of explicit tasks below it are contained a second
 * time in the stub nodes of the rest of the tree. */
static bool is_tasks(const struct fathom_cube *cube, uint32_t cnode)
{
	int32_t parent = cube->cnodes[cnode].parent;
	const struct fathom_cube_region *region = &cube->regions[cube->cnodes[cnode].region];

	return parent >= 0 && cube->cnodes[parent].parent < 0 && strcmp(region->name, "TASKS") == 0 &&
	       strcmp(region->role, "artificial") == 0;
}

int32_t fathom_cube_tasks(const struct fathom_cube *cube, uint32_t root)
{
	for (uint32_t i = root + 1; i < cube->cnode_count && cube->cnodes[i].parent >= 0; i++) {
		if (cube->cnodes[i].parent == (int32_t)root && is_tasks(cube, i))
			return (int32_t)i;
	}
	return -1;
}

void fathom_cube_make_inclusive(const struct fathom_cube *cube, uint32_t metric, double *values)
{
	enum fathom_cube_dtype dtype = cube->metrics[metric].dtype;

	if (cube->metrics[metric].type != FATHOM_CUBE_EXCLUSIVE)
		return;
	for (uint32_t i = cube->cnode_count; i-- > 0;) {
		double *parent;

		if (cube->cnodes[i].parent < 0 || is_tasks(cube, i))
			continue;
		parent = &values[cube->cnodes[i].parent];
		if (dtype == FATHOM_CUBE_MINDOUBLE)
			*parent = values[i] < *parent ? values[i] : *parent;
		else if (dtype == FATHOM_CUBE_MAXDOUBLE)
			*parent = values[i] > *parent ? values[i] : *parent;
		else
			*parent += values[i];
	}
}

void fathom_cube_make_exclusive(const struct fathom_cube *cube, uint32_t metric, double *values)
{
	enum fathom_cube_dtype dtype = cube->metrics[metric].dtype;

	/* The exclusive minimum or maximum cannot be computed from that of the subtree. */
	if (cube->metrics[metric].type != FATHOM_CUBE_INCLUSIVE || dtype == FATHOM_CUBE_MINDOUBLE ||
	    dtype == FATHOM_CUBE_MAXDOUBLE)
		return;
	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		if (cube->cnodes[i].parent >= 0 && !is_tasks(cube, i))
			values[cube->cnodes[i].parent] -= values[i];
	}
}
