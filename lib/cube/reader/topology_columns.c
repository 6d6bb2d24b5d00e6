#include "cube/reader/topology_columns.h"

#include <errno.h>
#include <stdlib.h>

#include "cube/cube.h"
#include "cube/reader/error_line.h"

static int find(struct fathom_cube_error *error, const char *path, const struct fathom_cube *cube,
		const struct fathom_cube_topology *topology, const uint32_t *of_column)
{
	for (uint32_t p = 0; p < topology->place_count; p++) {
		uint32_t *location = &topology->locations[p];

		if (*location >= cube->location_count)
			return fathom_cube_error_set(error, -EILSEQ, path,
						     "anchor.xml: location %u is in topology %s, and is not defined",
						     *location, topology->name);
		*location = of_column[*location];
	}
	return 0;
}

int fathom_cube_topologies_find(struct fathom_cube_error *error, const char *path, struct fathom_cube *cube,
				const uint32_t *columns)
{
	uint32_t *of_column;
	int err = 0;

	if (!cube->topology_count)
		return 0;
	of_column = malloc(((size_t)cube->location_count + 1) * sizeof(*of_column));
	if (!of_column)
		return fathom_cube_error_set(error, -ENOMEM, path, "out of memory");
	for (uint32_t l = 0; l < cube->location_count; l++)
		of_column[columns ? columns[l] : l] = l;
	for (uint32_t t = 0; t < cube->topology_count && !err; t++)
		err = find(error, path, cube, &cube->topologies[t], of_column);
	free(of_column);
	return err;
}

void fathom_cube_topologies_free(struct fathom_cube *cube)
{
	for (uint32_t t = 0; t < cube->topology_count; t++) {
		free(cube->topologies[t].dimensions);
		free(cube->topologies[t].locations);
		free(cube->topologies[t].at);
	}
	free(cube->topologies);
}
