/*
 * grid_waits: a metric of the processes of a topology, grouped by where they are in its grid.
 *
 * A grouping puts processes with equal coordinates in one dimension into a group (rows and columns, or planes), or
 * processes with an equal number of coordinates that are at an end of their dimension (inside, edges, corners).
 * The grouping that explains most is the one with the largest F: the variance between groups, divided by that within
 * them. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_GRID_WAITS_H
#define FATHOM_TOOLS_REPORT_GRID_WAITS_H

#include <stddef.h>
#include <stdint.h>

#include "cube/cube.h"

struct fathom_profile;

#define FATHOM_GRID_BORDER (-1)		/* the grouping by the distance from the border */

struct fathom_grid_group {
	double sum;
	uint32_t count;		/* of places */
};

struct fathom_grid_grouping {
	int dimension;		/* or FATHOM_GRID_BORDER: group g has the places with g coordinates at an end */
	uint32_t group_count;
	struct fathom_grid_group *groups;
	double f;		/* at most FATHOM_GRID_MOST_F; 0: there is only one group, or one place in each group */
};

#define FATHOM_GRID_MOST_F 1e9

struct fathom_grid_waits {
	const struct fathom_cube_topology *topology;
	double *values;		/* by place */
	double sum;
	struct fathom_grid_grouping groupings[FATHOM_CUBE_MOST_DIMENSIONS + 1];
	uint32_t grouping_count;
	const struct fathom_grid_grouping *best;	/* the one with the largest F; NULL: none has an F */
};

/* Reads the sums of a metric over all call paths, by location. The caller frees them. NULL after an error message. */
double *fathom_grid_totals(struct fathom_profile *profile, uint32_t metric);

/* Groups the values of a topology's places. totals: by location. */
void fathom_grid_waits_init(struct fathom_grid_waits *waits, const struct fathom_cube *cube,
			    const struct fathom_cube_topology *topology, const double *totals);
void fathom_grid_waits_fini(struct fathom_grid_waits *waits);

/* Writes the name of a grouping: "dimension 2", "dimension 1 (x)", "the distance from the border". Returns text. */
const char *fathom_grid_grouping_name(const struct fathom_grid_waits *waits,
				      const struct fathom_grid_grouping *grouping, char *text, size_t bytes);

/* Writes the name of a group: "3", "inside", "at an edge". Returns text. */
const char *fathom_grid_group_name(const struct fathom_grid_waits *waits, const struct fathom_grid_grouping *grouping,
				   uint32_t group, char *text, size_t bytes);

/* Finds a row, column or plane, of three or more, whose processes have at least this share of the sum, while no process
 * alone has most of that. Returns its grouping, and its number in *group; NULL: there is none. */
const struct fathom_grid_grouping *fathom_grid_main_group(const struct fathom_grid_waits *waits, double share,
							  uint32_t *group);

/* Returns the correlation between the values of places and their coordinate in a dimension, from -1 to 1; 0: all values
 * or all coordinates are equal. */
double fathom_grid_gradient(const struct fathom_grid_waits *waits, uint32_t dimension);

#endif
