#include "tools/report/json/json_topologies.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/json_writer.h"
#include "tools/report/grid_waits.h"
#include "tools/report/report.h"

static json_t *dimensions(const struct fathom_cube_topology *topology)
{
	json_t *list = json_array();

	for (uint32_t d = 0; d < topology->dimension_count; d++) {
		const struct fathom_cube_dimension *dimension = &topology->dimensions[d];
		json_t *object = json_object();

		fathom_json_set_text(object, "name", dimension->name ? dimension->name : "");
		fathom_json_set_number(object, "size", dimension->size);
		json_object_set_new(object, "periodic", json_boolean(dimension->is_periodic));
		json_array_append_new(list, object);
	}
	return list;
}

/* The first location of a process also stands for the process. */
static json_t *places(const struct fathom_cube *cube, const struct fathom_cube_topology *topology)
{
	const uint32_t *at = topology->at;
	json_t *list = json_array();

	for (uint32_t p = 0; p < topology->place_count; p++) {
		struct fathom_cube_location location = fathom_cube_location(cube, topology->locations[p]);
		json_t *object = json_object(), *numbers = json_array();

		fathom_json_set_number(object, "rank", (double)cube->groups[location.group].rank);
		fathom_json_set_number(object, "thread", (double)location.rank);
		for (uint32_t d = 0; d < topology->dimension_count; d++)
			json_array_append_new(numbers, fathom_json_number(*at++));
		json_object_set_new(object, "at", numbers);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *groups_of(const struct fathom_grid_waits *waits, const struct fathom_grid_grouping *grouping)
{
	json_t *list = json_array();
	char name[48];
	uint32_t g;

	for (g = 0; g < grouping->group_count; g++) {
		json_t *object;

		if (!grouping->groups[g].count)
			continue;
		object = json_object();
		fathom_json_set_text(object, "name", fathom_grid_group_name(waits, grouping, g, name, sizeof(name)));
		fathom_json_set_number(object, "places", grouping->groups[g].count);
		fathom_json_set_number(object, "seconds", grouping->groups[g].sum);
		json_array_append_new(list, object);
	}
	return list;
}

/* Returns the waiting in a topology, by groups of its places. totals: the waiting by location. */
static json_t *grid_waits(const struct fathom_cube *cube, const struct fathom_cube_topology *topology,
			  const double *totals)
{
	json_t *object = json_object(), *list = json_array();
	struct fathom_grid_waits waits;
	char name[96];
	uint32_t g;

	fathom_grid_waits_init(&waits, cube, topology, totals);
	fathom_json_set_number(object, "seconds", waits.sum);
	for (g = 0; g < waits.grouping_count; g++) {
		json_t *grouping = json_object();

		fathom_json_set_text(grouping, "by", fathom_grid_grouping_name(&waits, &waits.groupings[g], name,
									       sizeof(name)));
		fathom_json_set_number(grouping, "f", waits.groupings[g].f);
		json_object_set_new(grouping, "groups", groups_of(&waits, &waits.groupings[g]));
		json_array_append_new(list, grouping);
	}
	json_object_set_new(object, "groupings", list);
	if (waits.best)
		fathom_json_set_text(object, "best", fathom_grid_grouping_name(&waits, waits.best, name, sizeof(name)));
	fathom_grid_waits_fini(&waits);
	return object;
}

/* Returns the waiting by location; NULL: the profile has no wait states, or after an error message. The caller frees
 * it. */
static double *read_waiting(struct fathom_profile *profile)
{
	uint32_t m;

	for (m = 0; m < profile->cube->metric_count; m++)
		if (strcmp(profile->cube->metrics[m].uniq_name, "wait_states") == 0 &&
		    fathom_profile_has_values(profile, m))
			return fathom_grid_totals(profile, m);
	return NULL;
}

void fathom_report_json_topologies(struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	double *waiting;

	if (!cube->topology_count)
		return;
	waiting = read_waiting(&report->profile);
	fathom_json_begin_list("topologies");
	for (uint32_t t = 0; t < cube->topology_count; t++) {
		json_t *object = json_object();

		fathom_json_set_text(object, "name", cube->topologies[t].name);
		json_object_set_new(object, "dimensions", dimensions(&cube->topologies[t]));
		json_object_set_new(object, "places", places(cube, &cube->topologies[t]));
		if (waiting)
			json_object_set_new(object, "waiting", grid_waits(cube, &cube->topologies[t], waiting));
		fathom_json_item(t == 0, object);
	}
	free(waiting);
	fathom_json_end_list();
}
