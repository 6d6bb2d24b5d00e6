#include "cube/reader/anchor_grammar.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const struct {
	uint8_t parent;
	uint8_t place;
	const char *tag;
} grammar[] = {
	{ CNODE, CNODE, "cnode" },	/* the most frequent element comes first */
	{ CNODE, PARAMETER, "parameter" },
	{ NOWHERE, CUBE, "cube" },
	{ CUBE, CUBE_ATTRIBUTE, "attr" },
	{ CUBE, METRICS, "metrics" },
	{ METRICS, METRIC, "metric" },
	{ METRIC, METRIC, "metric" },
	{ METRIC, METRIC_DISP_NAME, "disp_name" },
	{ METRIC, METRIC_UNIQ_NAME, "uniq_name" },
	{ METRIC, METRIC_DTYPE, "dtype" },
	{ METRIC, METRIC_UNIT, "uom" },
	{ METRIC, METRIC_VAL, "val" },
	{ METRIC, METRIC_URL, "url" },
	{ METRIC, METRIC_DESCRIPTION, "descr" },
	{ CUBE, PROGRAM, "program" },
	{ PROGRAM, REGION, "region" },
	{ REGION, REGION_NAME, "name" },
	{ REGION, REGION_MANGLED, "mangled_name" },
	{ REGION, REGION_PARADIGM, "paradigm" },
	{ REGION, REGION_ROLE, "role" },
	{ REGION, REGION_DESCRIPTION, "descr" },
	{ REGION, REGION_ATTRIBUTE, "attr" },
	{ PROGRAM, CNODE, "cnode" },
	{ CUBE, SYSTEM, "system" },
	{ SYSTEM, NODE, "systemtreenode" },
	{ NODE, NODE, "systemtreenode" },
	{ NODE, NODE_NAME, "name" },
	{ NODE, NODE_CLASS, "class" },
	{ NODE, GROUP, "locationgroup" },
	{ GROUP, GROUP_NAME, "name" },
	{ GROUP, GROUP_RANK, "rank" },
	{ GROUP, GROUP_TYPE, "type" },
	{ GROUP, LOCATION, "location" },
	{ LOCATION, LOCATION_NAME, "name" },
	{ LOCATION, LOCATION_RANK, "rank" },
	{ LOCATION, LOCATION_TYPE, "type" },
	{ LOCATION, LOCATION_ATTRIBUTE, "attr" },
	{ SYSTEM, TOPOLOGIES, "topologies" },
	{ TOPOLOGIES, TOPOLOGY, "cart" },
	{ TOPOLOGY, DIMENSION, "dim" },
	{ TOPOLOGY, COORDINATES, "coord" },
	/* The tags of the system tree in older files. */
	{ SYSTEM, NODE, "machine" },
	{ NODE, NODE, "node" },
	{ NODE, GROUP, "process" },
	{ GROUP, LOCATION, "thread" },
};

enum fathom_cube_place fathom_cube_place_of(enum fathom_cube_place parent, const char *tag)
{
	for (size_t i = 0; i < sizeof(grammar) / sizeof(grammar[0]); i++) {
		if (grammar[i].parent == parent && strcmp(grammar[i].tag, tag) == 0)
			return grammar[i].place;
	}
	return SKIPPED;
}
