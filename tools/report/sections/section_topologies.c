#include "tools/report/sections/section_topologies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/json_writer.h"
#include "tools/report/report.h"

enum { MOST_PLACES = 32 };	/* places that are shown without --all */

/* Prints the dimensions: "x 4 (periodic), y 2". */
static void print_shape(const struct fathom_cube_topology *topology)
{
	for (uint32_t d = 0; d < topology->dimension_count; d++) {
		const struct fathom_cube_dimension *dimension = &topology->dimensions[d];
		bool is_named = dimension->name && *dimension->name;

		printf("%s%s%s%u%s", d ? ", " : "", is_named ? dimension->name : "", is_named ? " " : "",
		       dimension->size, dimension->is_periodic ? " (periodic)" : "");
	}
}

/* Returns the location that a place belongs to. The first location of a process also stands for the process. */
static struct fathom_cube_location who(const struct fathom_cube *cube, const struct fathom_cube_topology *topology,
				       uint32_t place, int64_t *rank)
{
	struct fathom_cube_location location = fathom_cube_location(cube, topology->locations[place]);

	*rank = cube->groups[location.group].rank;
	return location;
}

static void print_topology(const struct fathom_cube *cube, const struct fathom_cube_topology *topology, uint32_t most)
{
	const uint32_t *at = topology->at;

	printf("\nTopology %s: ", topology->name && *topology->name ? topology->name : "without a name");
	print_shape(topology);
	printf("; %u place%s taken\n", topology->place_count, topology->place_count == 1 ? "" : "s");
	for (uint32_t p = 0; p < topology->place_count && p < most; p++) {
		int64_t rank;
		struct fathom_cube_location location = who(cube, topology, p, &rank);

		printf("  rank %-6" PRId64 " thread %-4" PRId64, rank, location.rank);
		for (uint32_t d = 0; d < topology->dimension_count; d++)
			printf(" %5u", *at++);
		putchar('\n');
	}
	if (topology->place_count > most)
		printf("  and %u more (--all shows them)\n", topology->place_count - most);
}

void fathom_report_topologies(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;

	for (uint32_t t = 0; t < cube->topology_count; t++)
		print_topology(cube, &cube->topologies[t], report->options.all ? UINT32_MAX : MOST_PLACES);
}

/* --- JSON ---------------------------------------------------------------------------------------- */

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

static json_t *places(const struct fathom_cube *cube, const struct fathom_cube_topology *topology)
{
	const uint32_t *at = topology->at;
	json_t *list = json_array();

	for (uint32_t p = 0; p < topology->place_count; p++) {
		json_t *object = json_object(), *numbers = json_array();
		int64_t rank;
		struct fathom_cube_location location = who(cube, topology, p, &rank);

		fathom_json_set_number(object, "rank", (double)rank);
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
