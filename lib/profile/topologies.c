#include "profile/topologies.h"

#include <errno.h>
#include <string.h>

#include "platform/log.h"

/* How threads of this process are called: their columns. */
struct columns {
	const struct fathom_snapshot *snapshot;
	const struct fathom_aggregate *own;
	uint32_t first;
};

/* A process is where the thread is that runs main. */
static uint32_t column_of(const void *context, const void *thread)
{
	const struct columns *columns = context;

	for (uint32_t l = 0; l < columns->snapshot->location_count; l++)
		if (!thread || columns->snapshot->locations[l] == thread)
			return columns->first + columns->own->location_of[l];
	return FATHOM_GRID_NOBODY;
}

int fathom_topologies_collect(struct fathom_topologies *topologies, const struct fathom_union *u,
			      const struct fathom_snapshot *snapshot, const struct fathom_site *site,
			      struct fathom_comm *comm, uint32_t rank)
{
	const struct columns columns = { snapshot, &u->own, (uint32_t)site->system.before.locations };

	memset(topologies, 0, sizeof(*topologies));
	if (!u->err && snapshot)
		topologies->pool.err = fathom_grid_list(&topologies->pool, rank, column_of, &columns);
	return comm->size == 1 ? 0 : fathom_pool_reduce(&topologies->pool, comm);
}

static int put_places(struct fathom_cube_topology *topology, const struct fathom_grid *grid, struct fathom_arena *arena)
{
	uint32_t count = grid->shape.count, *at;

	topology->locations = fathom_arena_alloc(arena, ((size_t)grid->place_count + 1) *
							sizeof(*topology->locations));
	topology->at = fathom_arena_alloc(arena, ((size_t)grid->place_count + 1) * count * sizeof(*topology->at));
	if (!topology->locations || !topology->at)
		return -ENOMEM;
	at = topology->at;
	for (uint32_t p = 0; p < grid->place_count; p++, at += count) {
		topology->locations[p] = grid->places[p].column;
		memcpy(at, grid->places[p].at, count * sizeof(*at));
	}
	topology->place_count = grid->place_count;
	return 0;
}

int fathom_topologies_put(const struct fathom_topologies *topologies, struct fathom_cube *cube,
			  struct fathom_arena *arena)
{
	struct fathom_grids grids;

	if (topologies->pool.err) {
		fathom_log(FATHOM_LOG_SAY, "the topologies are not in the profile: the system gave no more memory");
		return 0;
	}
	if (fathom_grid_read(&grids, &topologies->pool, arena))
		return -ENOMEM;
	cube->topologies = fathom_arena_alloc(arena, ((size_t)grids.count + 1) * sizeof(*cube->topologies));
	if (!cube->topologies)
		return -ENOMEM;
	for (uint32_t g = 0; g < grids.count; g++) {
		const struct fathom_topology *shape = &grids.grids[g].shape;
		struct fathom_cube_topology *topology = &cube->topologies[g];

		topology->name = shape->name;
		topology->dimension_count = shape->count;
		topology->dimensions = fathom_arena_alloc(arena, shape->count * sizeof(*topology->dimensions));
		if (!topology->dimensions || put_places(topology, &grids.grids[g], arena))
			return -ENOMEM;
		for (uint32_t d = 0; d < shape->count; d++)
			topology->dimensions[d] = (struct fathom_cube_dimension){
				.name = shape->dimensions[d].name,
				.size = shape->dimensions[d].size,
				.is_periodic = shape->dimensions[d].is_periodic,
			};
	}
	cube->topology_count = grids.count;
	return 0;
}

void fathom_topologies_fini(struct fathom_topologies *topologies)
{
	fathom_pool_fini(&topologies->pool);
}
