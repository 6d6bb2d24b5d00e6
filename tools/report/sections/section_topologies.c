#include "tools/report/sections/section_topologies.h"

#include <inttypes.h>
#include <stdio.h>

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

static void print_topology(const struct fathom_cube *cube, const struct fathom_cube_topology *topology, uint32_t most)
{
	const uint32_t *at = topology->at;

	printf("\nTopology %s: ", topology->name && *topology->name ? topology->name : "without a name");
	print_shape(topology);
	printf("; %u place%s taken\n", topology->place_count, topology->place_count == 1 ? "" : "s");
	for (uint32_t p = 0; p < topology->place_count && p < most; p++) {
		/* The first location of a process also stands for the process. */
		struct fathom_cube_location location = fathom_cube_location(cube, topology->locations[p]);

		printf("  rank %-6" PRId64 " thread %-4" PRId64, cube->groups[location.group].rank, location.rank);
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
