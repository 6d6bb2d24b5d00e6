#include "tools/clusters/cluster_profile_system.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Adds the threads of a process that have bursts. Without any, the process is left out. */
static void add_process(struct fathom_cluster_profile_system *system, const struct fathom_burst_data *data,
			struct fathom_cube *cube, uint32_t process, const bool *has_bursts)
{
	const struct fathom_otf2_defs *defs = &data->trace.defs;
	const struct fathom_otf2_process *definition = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, process);
	uint32_t first = cube->location_count;

	for (uint32_t l = 0; l < data->extraction.location_count; l++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l);

		if (location->process != process || !has_bursts[l])
			continue;
		system->column_of[l] = cube->location_count;
		cube->locations[cube->location_count] = (struct fathom_cube_location){
			.name = fathom_otf2_text(defs, location->name), .type = "thread",
			.group = (int32_t)cube->group_count, .rank = cube->location_count - first,
		};
		cube->location_count++;
	}
	if (cube->location_count > first)
		cube->groups[cube->group_count++] = (struct fathom_cube_group){
			.name = fathom_otf2_text(defs, definition->name), .type = "process", .node = 0,
			.rank = process,
		};
}

void fathom_cluster_profile_system_make(struct fathom_cluster_profile_system *system,
					const struct fathom_burst_data *data, struct fathom_cube *cube)
{
	const struct fathom_otf2_defs *defs = &data->trace.defs;
	uint32_t locations = data->extraction.location_count;
	uint32_t processes = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);
	bool *has_bursts = fathom_tool_alloc((size_t)locations + 1, sizeof(*has_bursts));

	cube->nodes = fathom_tool_alloc(1, sizeof(*cube->nodes));
	cube->groups = fathom_tool_alloc((size_t)processes + 1, sizeof(*cube->groups));
	cube->locations = fathom_tool_alloc((size_t)locations + 1, sizeof(*cube->locations));
	system->column_of = fathom_tool_alloc((size_t)locations + 1, sizeof(*system->column_of));
	memset(system->column_of, 0xff, ((size_t)locations + 1) * sizeof(*system->column_of));
	cube->nodes[cube->node_count++] = (struct fathom_cube_node){ "machine", "machine", -1 };
	for (size_t i = 0; i < data->list.count; i++)
		has_bursts[data->list.bursts[i].location] = true;
	for (uint32_t p = 0; p < processes; p++)
		add_process(system, data, cube, p, has_bursts);
	free(has_bursts);
}

void fathom_cluster_profile_system_fini(struct fathom_cluster_profile_system *system, struct fathom_cube *cube)
{
	free(cube->nodes);
	free(cube->groups);
	free(cube->locations);
	free(system->column_of);
}
