/* Finds locations that are listed one by one or are in the pattern of their group. Declared in cube.h. */
#include "cube/cube.h"

/* Returns the last group that begins at the location or before it; empty groups have the begin of the next one. */
int32_t fathom_cube_location_group(const struct fathom_cube *cube, uint32_t location)
{
	uint32_t low = 0, high = cube->group_count;

	if (cube->locations)
		return cube->locations[location].group;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (cube->groups[middle].first_location <= location)
			low = middle;
		else
			high = middle;
	}
	return (int32_t)low;
}

struct fathom_cube_location fathom_cube_location(const struct fathom_cube *cube, uint32_t location)
{
	struct fathom_cube_location result;
	const struct fathom_cube_group *group;

	if (cube->locations)
		return cube->locations[location];
	result.group = fathom_cube_location_group(cube, location);
	group = &cube->groups[result.group];
	result = cube->patterns[group->first_pattern + (location - group->first_location)];
	result.group = (int32_t)(group - cube->groups);
	return result;
}

uint32_t fathom_cube_group_end(const struct fathom_cube *cube, uint32_t location)
{
	int32_t group = fathom_cube_location_group(cube, location);

	if (!cube->locations)
		return (uint32_t)group + 1 < cube->group_count ? cube->groups[group + 1].first_location :
								 cube->location_count;
	while (location < cube->location_count && cube->locations[location].group == group)
		location++;
	return location;
}
