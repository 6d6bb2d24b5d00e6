#include "cube/writer/validation.h"

#include <stddef.h>
#include <string.h>

/* Returns whether count elements form a forest in pre-order: the parent of each element is the element before it, or an
 * element that contains the one before it. parents points to the first parent; the next one is stride bytes further. */
static bool is_preorder(const int32_t *parents, size_t stride, uint32_t count)
{
	int64_t open = -1;

	for (uint32_t i = 0; i < count; i++) {
		int32_t parent = *(const int32_t *)((const char *)parents + i * stride);

		while (open != parent) {
			if (open == -1)
				return false;
			open = *(const int32_t *)((const char *)parents + (size_t)open * stride);
		}
		open = i;
	}
	return true;
}

static bool metrics_valid(const struct fathom_cube *cube)
{
	if (!is_preorder(&cube->metrics[0].parent, sizeof(cube->metrics[0]), cube->metric_count))
		return false;
	for (uint32_t i = 0; i < cube->metric_count; i++) {
		const struct fathom_cube_metric *metric = &cube->metrics[i];

		if (!metric->uniq_name || !*metric->uniq_name)
			return false;
		if (metric->type == FATHOM_CUBE_DERIVED && (!metric->expression || metric->dtype != FATHOM_CUBE_DOUBLE))
			return false;
		/* Formulas are not among the definitions of the file, so nothing can be below a formula. */
		if (metric->parent >= 0 && cube->metrics[metric->parent].type == FATHOM_CUBE_DERIVED)
			return false;
		if ((unsigned)metric->dtype > FATHOM_CUBE_TUPLE)
			return false;
		/* Readers refuse inclusive minima, maxima and tuples, and have errors if ghosts are between other
		 * metrics. */
		if (metric->type == FATHOM_CUBE_INCLUSIVE && metric->dtype >= FATHOM_CUBE_MINDOUBLE)
			return false;
		if (i && cube->metrics[i - 1].ghost && !metric->ghost)
			return false;
	}
	return true;
}

static bool cnodes_valid(const struct fathom_cube *cube)
{
	if (!is_preorder(&cube->cnodes[0].parent, sizeof(cube->cnodes[0]), cube->cnode_count))
		return false;
	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		const struct fathom_cube_cnode *cnode = &cube->cnodes[i];

		if (cnode->region >= cube->region_count)
			return false;
		if (cnode->parameter_count &&
		    (uint64_t)cnode->first_parameter + cnode->parameter_count > cube->parameter_count)
			return false;
	}
	return true;
}

/* Returns whether text is one of three words. NULL means the first word. */
static bool is_one_of(const char *text, const char *first, const char *second, const char *third)
{
	return !text || strcmp(text, first) == 0 || strcmp(text, second) == 0 || strcmp(text, third) == 0;
}

static bool groups_valid(const struct fathom_cube *cube)
{
	for (uint32_t i = 0; i < cube->group_count; i++) {
		const struct fathom_cube_group *group = &cube->groups[i];

		if (group->rank < 0 || !is_one_of(group->type, "process", "metrics", "accelerator"))
			return false;
		if (group->node < (i ? group[-1].node : 0) || (uint32_t)group->node >= cube->node_count)
			return false;
	}
	return true;
}

/* Returns whether every group has a location and the groups of the locations ascend without a gap. */
static bool locations_valid(const struct fathom_cube *cube)
{
	int64_t group = -1;

	for (uint32_t i = 0; i < cube->location_count; i++) {
		const struct fathom_cube_location *location = &cube->locations[i];

		if (location->group < 0 || location->rank < 0)
			return false;
		if (!is_one_of(location->type, "thread", "accelerator stream", "metric"))
			return false;
		if (location->group == group ? location->rank <= location[-1].rank : location->group != group + 1)
			return false;
		group = location->group;
	}
	return group + 1 == cube->group_count;
}

/* Checks the coordinates that a walk over the topology provides. The walk starts again to write the file. */
static bool walk_valid(const struct fathom_cube *cube, const struct fathom_cube_topology *topology)
{
	uint32_t location, at[FATHOM_CUBE_MOST_DIMENSIONS];
	bool is_valid = topology->dimension_count <= FATHOM_CUBE_MOST_DIMENSIONS;

	while (is_valid && topology->places->next(topology->places->context, &location, at)) {
		is_valid = location < cube->location_count;
		for (uint32_t d = 0; d < topology->dimension_count; d++)
			is_valid &= at[d] < topology->dimensions[d].size;
	}
	return is_valid;
}

static bool topologies_valid(const struct fathom_cube *cube)
{
	for (uint32_t t = 0; t < cube->topology_count; t++) {
		const struct fathom_cube_topology *topology = &cube->topologies[t];
		const uint32_t *at = topology->at;

		if (!topology->dimension_count)
			return false;
		if (topology->places) {
			if (!walk_valid(cube, topology))
				return false;
			continue;
		}
		for (uint32_t p = 0; p < topology->place_count; p++)
			for (uint32_t d = 0; d < topology->dimension_count; d++)
				if (topology->locations[p] >= cube->location_count ||
				    *at++ >= topology->dimensions[d].size)
					return false;
	}
	return true;
}

bool fathom_cube_valid(const struct fathom_cube *cube)
{
	if (!cube->metric_count || !cube->region_count || !cube->cnode_count || !cube->location_count)
		return false;
	if (!cube->system && (!cube->node_count || !cube->group_count))
		return false;
	if (cube->metric_count > INT32_MAX || cube->cnode_count > INT32_MAX || cube->node_count > INT32_MAX ||
	    cube->group_count > INT32_MAX)
		return false;
	/* Offsets in the file are numbers of 63 bits. */
	if ((uint64_t)cube->cnode_count * cube->location_count > INT64_MAX / 64)
		return false;
	if (!metrics_valid(cube) || !cnodes_valid(cube) || !topologies_valid(cube))
		return false;
	if (cube->system)
		return true;		/* the writer checks the elements of the walk when it writes them */
	return is_preorder(&cube->nodes[0].parent, sizeof(cube->nodes[0]), cube->node_count) &&
	       groups_valid(cube) && locations_valid(cube);
}
