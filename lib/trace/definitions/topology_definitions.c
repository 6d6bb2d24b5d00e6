/* OTF2 demands a communicator for each topology. If only MPI processes have a position in the topology, this is the
 * communicator of all processes. Otherwise a communicator of the locations that have a position is made for the
 * topology. */
#include "trace/definitions/topology_definitions.h"

#include <errno.h>
#include <stdlib.h>

#include "event/location.h"
#include "system/grid_positions.h"
#include "trace/archive.h"
#include "trace/definitions/comm_definitions.h"
#include "trace/definitions/definition_writer.h"
#include "trace/definitions/definition_pools.h"
#include "trace/records/record.h"

/* The traces of this process's locations, by id. */
struct traces {
	const struct fathom_trace **list;
	uint32_t count;
};

static uint32_t column_of(const void *context, const void *thread)
{
	const struct traces *traces = context;

	for (uint32_t i = 0; i < traces->count; i++) {
		const struct fathom_location *location = traces->list[i]->location;

		if (thread ? location == thread : location->kind == FATHOM_KIND_INITIAL)
			return i;
	}
	return FATHOM_GRID_NOBODY;
}

int fathom_trace_topologies_list(struct fathom_pool *pool, uint32_t rank, const struct fathom_trace **list,
				 uint32_t count)
{
	const struct traces traces = { list, count };

	return fathom_grid_list(pool, rank, column_of, &traces);
}

/* --- rank 0 -------------------------------------------------------------------------------------- */

static bool is_of_processes(const struct fathom_grid *grid)
{
	for (uint32_t p = 0; p < grid->place_count; p++)
		if (!grid->places[p].is_process)
			return false;
	return true;
}

/* Returns true if the position belongs to a location that has a position already: the program gave one for the thread
 * and one for its process. */
static bool is_again(const struct fathom_grid *grid, uint32_t place)
{
	const struct fathom_grid_place *places = grid->places;

	return place && places[place].rank == places[place - 1].rank &&
	       places[place].column == places[place - 1].column;
}

static uint32_t write_shape(struct fathom_trace_writing *w, const struct fathom_topology *shape, uint32_t comm)
{
	uint32_t dimensions[FATHOM_TOPOLOGY_MOST_DIMENSIONS], topology = w->topologies++;

	for (uint32_t d = 0; d < shape->count; d++) {
		const struct fathom_topology_dimension *dimension = &shape->dimensions[d];

		dimensions[d] = w->dimensions++;
		DEFINE(OTF2_GlobalDefWriter_WriteCartDimension, dimensions[d], fathom_trace_text(w, dimension->name),
		       dimension->size,
		       dimension->is_periodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE);
	}
	DEFINE(OTF2_GlobalDefWriter_WriteCartTopology, topology, fathom_trace_text(w, shape->name), comm,
	       (uint8_t)shape->count, dimensions);
	return topology;
}

static void write_of_processes(struct fathom_trace_writing *w, const struct fathom_grid *grid, uint32_t world)
{
	uint32_t topology = write_shape(w, &grid->shape, world);

	for (uint32_t p = 0; p < grid->place_count; p++)
		DEFINE(OTF2_GlobalDefWriter_WriteCartCoordinate, topology, grid->places[p].rank,
		       (uint8_t)grid->shape.count, grid->places[p].at);
}

/* Communicators that were made for topologies, by their members. */
struct made {
	struct fathom_pool members;
	uint32_t first;			/* number of the first one in the trace */
};

/* Writes a topology with a communicator of its own, of the locations that have a position, by their numbers in the
 * list of all. Topologies of the same locations share it. */
static void write_of_locations(struct fathom_trace_writing *w, const struct fathom_grid *grid, struct made *made)
{
	uint64_t *members = fathom_arena_alloc(&w->arena, ((size_t)grid->place_count + 1) * sizeof(*members));
	uint32_t count = 0, known = made->members.count, topology, comm;
	int64_t place;

	if (!members) {
		w->err = -ENOMEM;
		return;
	}
	for (uint32_t p = 0; p < grid->place_count; p++)
		if (!is_again(grid, p))
			members[count++] = w->first_of[w->process_count > 1 ? grid->places[p].rank : 0] +
					   grid->places[p].column;
	place = fathom_pool_add(&made->members, members, count * (uint32_t)sizeof(*members));
	if (place < 0) {
		w->err = -ENOMEM;
		return;
	}
	comm = made->first + (uint32_t)place;
	if (place == known) {
		DEFINE(OTF2_GlobalDefWriter_WriteGroup, w->groups++, fathom_trace_text(w, ""),
		       OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_USER, OTF2_GROUP_FLAG_NONE, count, members);
		DEFINE(OTF2_GlobalDefWriter_WriteComm, comm, fathom_trace_text(w, grid->shape.name), w->groups - 1,
		       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	}
	topology = write_shape(w, &grid->shape, comm);
	count = 0;
	for (uint32_t p = 0; p < grid->place_count; p++)
		if (!is_again(grid, p))
			DEFINE(OTF2_GlobalDefWriter_WriteCartCoordinate, topology, count++, (uint8_t)grid->shape.count,
			       grid->places[p].at);
}

void fathom_trace_topologies_write(struct fathom_trace_writing *w, const struct fathom_pool *pool)
{
	struct made made = { .first = w->defs->comms.count };
	uint32_t world = fathom_trace_world(w);
	bool has_list = false;
	struct fathom_grids grids;

	if (pool->err || fathom_grid_read(&grids, pool, &w->arena)) {
		w->err = -ENOMEM;
		return;
	}
	for (uint32_t g = 0; g < grids.count; g++) {
		if (world != OTF2_UNDEFINED_COMM && is_of_processes(&grids.grids[g])) {
			write_of_processes(w, &grids.grids[g], world);
			continue;
		}
		if (!has_list)
			DEFINE(OTF2_GlobalDefWriter_WriteGroup, w->groups++, fathom_trace_text(w, "User locations"),
			       OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_USER, OTF2_GROUP_FLAG_NONE,
			       (uint32_t)w->location_count, w->locations);
		has_list = true;
		write_of_locations(w, &grids.grids[g], &made);
	}
	fathom_pool_fini(&made.members);
}
