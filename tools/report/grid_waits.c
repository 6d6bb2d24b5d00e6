#include "tools/report/grid_waits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/profile.h"

double *fathom_grid_totals(struct fathom_profile *profile, uint32_t metric)
{
	const struct fathom_cube *cube = profile->cube;
	double *row = fathom_tool_alloc(cube->location_count + 1, sizeof(*row));
	double *totals = fathom_tool_alloc(cube->location_count + 1, sizeof(*totals));
	uint32_t c, l;

	for (c = 0; c < cube->cnode_count; c++) {
		if (!profile->counted[c])
			continue;
		if (fathom_profile_own_row(profile, metric, c, row)) {
			free(row);
			free(totals);
			return NULL;
		}
		for (l = profile->first_location; l < profile->location_end; l++)
			totals[l] += row[l];
	}
	free(row);
	return totals;
}

/* --- groupings --------------------------------------------------------------------------------------- */

static uint32_t coordinate(const struct fathom_cube_topology *topology, uint32_t place, uint32_t dimension)
{
	return topology->at[(size_t)place * topology->dimension_count + dimension];
}

/* Returns whether processes at the ends of a dimension have fewer neighbours than others. */
static bool has_ends(const struct fathom_cube_dimension *dimension)
{
	return dimension->size > 2 && !dimension->is_periodic;
}

static uint32_t group_of(const struct fathom_cube_topology *topology, int dimension, uint32_t place)
{
	uint32_t ends = 0, d, at;

	if (dimension != FATHOM_GRID_BORDER)
		return coordinate(topology, place, (uint32_t)dimension);
	for (d = 0; d < topology->dimension_count; d++) {
		at = coordinate(topology, place, d);
		ends += has_ends(&topology->dimensions[d]) && (at == 0 || at + 1 == topology->dimensions[d].size);
	}
	return ends;
}

/* Computes F: 0 if it is not defined. */
static double variance_ratio(const struct fathom_grid_waits *waits, const struct fathom_grid_grouping *grouping)
{
	uint32_t count = waits->topology->place_count, used = 0, p, g;
	double mean = waits->sum / count, between = 0, within = 0;

	for (g = 0; g < grouping->group_count; g++) {
		const struct fathom_grid_group *group = &grouping->groups[g];

		if (!group->count)
			continue;
		used++;
		between += group->count * pow(group->sum / group->count - mean, 2);
	}
	for (p = 0; p < count; p++) {
		const struct fathom_grid_group *group =
			&grouping->groups[group_of(waits->topology, grouping->dimension, p)];

		within += pow(waits->values[p] - group->sum / group->count, 2);
	}
	if (used < 2 || used >= count || between <= 0)
		return 0;
	between /= used - 1;
	within /= count - used;
	return within * FATHOM_GRID_MOST_F <= between ? FATHOM_GRID_MOST_F : between / within;
}

static void add_grouping(struct fathom_grid_waits *waits, int dimension, uint32_t group_count)
{
	struct fathom_grid_grouping *grouping = &waits->groupings[waits->grouping_count++];
	uint32_t p;

	grouping->dimension = dimension;
	grouping->group_count = group_count;
	grouping->groups = fathom_tool_alloc(group_count, sizeof(*grouping->groups));
	for (p = 0; p < waits->topology->place_count; p++) {
		struct fathom_grid_group *group = &grouping->groups[group_of(waits->topology, dimension, p)];

		group->sum += waits->values[p];
		group->count++;
	}
	grouping->f = variance_ratio(waits, grouping);
	if (grouping->f > (waits->best ? waits->best->f : 0))
		waits->best = grouping;
}

/* Returns the value of a location; of the first location of a process, that of the whole process, because the position
 * of a process is that of its first location. */
static double value_of(const struct fathom_cube *cube, uint32_t location, const double *totals)
{
	int32_t group = fathom_cube_location_group(cube, location);
	double value = totals[location];
	uint32_t l;

	if (location > 0 && fathom_cube_location_group(cube, location - 1) == group)
		return value;
	for (l = location + 1; l < cube->location_count && fathom_cube_location_group(cube, l) == group; l++)
		value += totals[l];
	return value;
}

void fathom_grid_waits_init(struct fathom_grid_waits *waits, const struct fathom_cube *cube,
			    const struct fathom_cube_topology *topology, const double *totals)
{
	uint32_t d, p, most = 0;

	memset(waits, 0, sizeof(*waits));
	waits->topology = topology;
	waits->values = fathom_tool_alloc(topology->place_count + 1, sizeof(*waits->values));
	for (p = 0; p < topology->place_count; p++) {
		waits->values[p] = value_of(cube, topology->locations[p], totals);
		waits->sum += waits->values[p];
	}
	for (d = 0; d < topology->dimension_count && d < FATHOM_CUBE_MOST_DIMENSIONS; d++) {
		most += has_ends(&topology->dimensions[d]);
		if (topology->dimensions[d].size > 1 && topology->place_count)
			add_grouping(waits, (int)d, topology->dimensions[d].size);
	}
	if (most && topology->place_count)
		add_grouping(waits, FATHOM_GRID_BORDER, topology->dimension_count + 1);
}

void fathom_grid_waits_fini(struct fathom_grid_waits *waits)
{
	uint32_t g;

	for (g = 0; g < waits->grouping_count; g++)
		free(waits->groupings[g].groups);
	free(waits->values);
	memset(waits, 0, sizeof(*waits));
}

/* A process alone has most of a group's value from this share on. */
#define ALONE_FROM 0.75

/* Returns the largest value of a place of a group. */
static double largest_in(const struct fathom_grid_waits *waits, const struct fathom_grid_grouping *grouping,
			 uint32_t group)
{
	double most = 0;
	uint32_t p;

	for (p = 0; p < waits->topology->place_count; p++)
		if (group_of(waits->topology, grouping->dimension, p) == group && waits->values[p] > most)
			most = waits->values[p];
	return most;
}

const struct fathom_grid_grouping *fathom_grid_main_group(const struct fathom_grid_waits *waits, double share,
							  uint32_t *group)
{
	uint32_t i, g;

	for (i = 0; i < waits->grouping_count && waits->sum > 0; i++) {
		const struct fathom_grid_grouping *grouping = &waits->groupings[i];

		if (grouping->dimension == FATHOM_GRID_BORDER || grouping->group_count < 3)
			continue;
		for (g = 0; g < grouping->group_count; g++) {
			double sum = grouping->groups[g].sum;

			if (grouping->groups[g].count < 2 || sum < share * waits->sum ||
			    largest_in(waits, grouping, g) >= ALONE_FROM * sum)
				continue;
			*group = g;
			return grouping;
		}
	}
	return NULL;
}

/* --- names ------------------------------------------------------------------------------------------- */

const char *fathom_grid_grouping_name(const struct fathom_grid_waits *waits,
				      const struct fathom_grid_grouping *grouping, char *text, size_t bytes)
{
	const struct fathom_cube_dimension *dimension;

	if (grouping->dimension == FATHOM_GRID_BORDER) {
		snprintf(text, bytes, "the distance from the border");
		return text;
	}
	dimension = &waits->topology->dimensions[grouping->dimension];
	if (dimension->name && *dimension->name)
		snprintf(text, bytes, "dimension %d (%.60s)", grouping->dimension + 1, dimension->name);
	else
		snprintf(text, bytes, "dimension %d", grouping->dimension + 1);
	return text;
}

const char *fathom_grid_group_name(const struct fathom_grid_waits *waits, const struct fathom_grid_grouping *grouping,
				   uint32_t group, char *text, size_t bytes)
{
	static const char *const places[] = { "inside", "at a face", "at an edge", "at a corner" };
	uint32_t dimensions = 0, d;

	for (d = 0; d < waits->topology->dimension_count; d++)
		dimensions += has_ends(&waits->topology->dimensions[d]);
	if (grouping->dimension != FATHOM_GRID_BORDER)
		snprintf(text, bytes, "%u", group);
	else if (group == 0)
		snprintf(text, bytes, "inside");
	else if (dimensions == 1)
		snprintf(text, bytes, "at an end");
	else if (dimensions <= 3)
		snprintf(text, bytes, "%s", places[group + 3 - dimensions]);
	else
		snprintf(text, bytes, "at an end of %u dimensions", group);
	return text;
}

/* --- gradients --------------------------------------------------------------------------------------- */

double fathom_grid_gradient(const struct fathom_grid_waits *waits, uint32_t dimension)
{
	const struct fathom_cube_topology *topology = waits->topology;
	uint32_t count = topology->place_count, p;
	double mean_at = 0, mean = waits->sum / (count ? count : 1), product = 0, square_at = 0, square = 0;

	for (p = 0; p < count; p++)
		mean_at += (double)coordinate(topology, p, dimension) / count;
	for (p = 0; p < count; p++) {
		double at = coordinate(topology, p, dimension) - mean_at, value = waits->values[p] - mean;

		product += at * value;
		square_at += at * at;
		square += value * value;
	}
	return square_at > 0 && square > 0 ? product / sqrt(square_at * square) : 0;
}
