#include "tools/report/json/json_topologies.h"

#include "tools/common/json_writer.h"
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

void fathom_report_json_topologies(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;

	if (!cube->topology_count)
		return;
	fathom_json_begin_list("topologies");
	for (uint32_t t = 0; t < cube->topology_count; t++) {
		json_t *object = json_object();

		fathom_json_set_text(object, "name", cube->topologies[t].name);
		json_object_set_new(object, "dimensions", dimensions(&cube->topologies[t]));
		json_object_set_new(object, "places", places(cube, &cube->topologies[t]));
		fathom_json_item(t == 0, object);
	}
	fathom_json_end_list();
}
