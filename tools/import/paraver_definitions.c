#include "tools/import/paraver_definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

void fathom_paraver_define_system(struct fathom_trace_definitions *definitions, struct fathom_otf2_defs *defs,
				  const struct fathom_paraver_file *file, uint32_t *task_of)
{
	struct fathom_otf2_location *location;
	char name[64];

	fathom_trace_definitions_node(definitions, 0, "machine", "machine", OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t n = 0; n < file->node_count; n++) {
		snprintf(name, sizeof(name), "node %" PRIu32, n + 1);
		fathom_trace_definitions_node(definitions, n + 1, name, "node", 0);
	}
	for (uint32_t t = 0; t < file->task_count; t++) {
		const struct fathom_paraver_task *task = &file->tasks[t];

		if (file->application_count > 1)
			snprintf(name, sizeof(name), "Process %" PRIu32 ".%" PRIu32, task->application, task->number);
		else
			snprintf(name, sizeof(name), "MPI Rank %" PRIu32, t);
		fathom_trace_definitions_process(definitions, t, name, task->node + 1);
		for (uint32_t i = 0; i < task->thread_count; i++) {
			snprintf(name, sizeof(name), i ? "Thread %" PRIu32 : "Master thread", i);
			fathom_trace_definitions_location(definitions, task->first_thread + i, name, t);
			task_of[task->first_thread + i] = t;
			location = fathom_otf2_defs_add(defs, FATHOM_OTF2_LOCATION,
							task->first_thread + i);
			location->offset_count = 2;
		}
	}
}

uint32_t fathom_paraver_define_comms(struct fathom_trace_definitions *definitions, struct fathom_otf2_defs *defs,
				     const struct fathom_paraver_file *file)
{
	uint32_t world = UINT32_MAX;
	uint64_t *locations = fathom_tool_alloc(file->task_count + 1, sizeof(*locations));
	uint32_t *ranks = fathom_tool_alloc(file->task_count + 1, sizeof(*ranks));
	char name[64];

	for (uint32_t t = 0; t < file->task_count; t++) {
		locations[t] = file->tasks[t].first_thread;
		ranks[t] = t;
	}
	fathom_trace_definitions_ranks(definitions, locations, (uint32_t)file->task_count);
		for (uint32_t c = 0; c < file->comm_count; c++) {
		const struct fathom_paraver_comm *comm = &file->comms[c];
		bool is_world = world == UINT32_MAX && comm->count == file->task_count &&
				memcmp(comm->tasks, ranks, comm->count * sizeof(*ranks)) == 0;

		if (is_world)
			world = c;
		snprintf(name, sizeof(name), "communicator %" PRIu64, comm->id);
		fathom_trace_definitions_comm(definitions, is_world ? "MPI_COMM_WORLD" : name, comm->tasks,
					      (uint32_t)comm->count);
	}
	if (world == UINT32_MAX)
		world = fathom_trace_definitions_comm(definitions, "MPI_COMM_WORLD", ranks,
							      (uint32_t)file->task_count);
	free(locations);
	free(ranks);
	for (size_t g = 0; g < definitions->group_count; g++) {
		struct fathom_otf2_group *group = fathom_otf2_defs_add(defs, FATHOM_OTF2_GROUP, g);

		group->count = (uint32_t)file->task_count;	/* at most: for the size of a chunk */
	}
	return world;
}
