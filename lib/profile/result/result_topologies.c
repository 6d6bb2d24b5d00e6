#include "profile/result/result_topologies.h"

#include <errno.h>
#include <string.h>

#include "platform/log.h"

enum { NAME_BYTES = FATHOM_CART_NAME_BYTES + FATHOM_CART_MEMBERS_BYTES + 4 };

/* The columns of this process's threads. */
struct columns {
	const struct fathom_process_tree *process;
	const struct fathom_aggregate *own;
	uint32_t first;
};

/* Returns the column of a thread. The position of a process is that of the thread that runs main. */
static uint32_t column_of(const void *context, const void *thread)
{
	const struct columns *columns = context;

	for (uint32_t l = 0; l < columns->process->location_count; l++)
		if (!thread || columns->process->locations[l] == thread)
			return columns->first + columns->own->location_of[l];
	return FATHOM_GRID_RUNS_NOBODY;
}

int fathom_topologies_collect(struct fathom_topologies *topologies, const struct fathom_union *u,
			      const struct fathom_process_tree *process, const struct fathom_result_system *system,
			      struct fathom_comm *comm)
{
	const struct columns columns = { process, &u->own, (uint32_t)system->system.before.locations };

	memset(topologies, 0, sizeof(*topologies));
	if (!u->err && process)
		fathom_grid_runs_list(&topologies->spread, column_of, &columns);
	return comm->size == 1 ? 0 : fathom_grid_runs_reduce(&topologies->spread, comm);
}

/* The positions of a topology, while it is written. */
struct places_walk {
	struct fathom_cube_places places;
	struct fathom_grid_runs_walk walk;
	const struct fathom_cube_topology *topology;
};

static bool next_place(void *context, uint32_t *location, uint32_t *at)
{
	struct places_walk *walk = context;
	const struct fathom_cube_topology *topology = walk->topology;
	uint64_t column, index;

	if (!fathom_grid_runs_next(&walk->walk, &column, &index))
		return false;
	*location = (uint32_t)column;
	for (uint32_t d = topology->dimension_count; d-- > 0; index /= topology->dimensions[d].size)
		at[d] = (uint32_t)(index % topology->dimensions[d].size);
	return true;
}

/* Returns the name of a Cartesian communicator: the program's own or "MPI_Cartesian_4x2", and its members. NULL: no
 * memory. */
static const char *cart_name(const struct fathom_cart *cart, struct fathom_arena *arena)
{
	char *text = fathom_arena_alloc(arena, NAME_BYTES);
	int length;

	if (!text)
		return NULL;
	length = fathom_format(text, NAME_BYTES, "%s", *cart->name ? cart->name : "MPI_Cartesian_");
	for (uint32_t d = 0; !*cart->name && d < cart->count; d++)
		length += fathom_format(text + length, NAME_BYTES - (size_t)length, d ? "x%u" : "%u", cart->sizes[d]);
	if (*cart->members)
		fathom_format(text + length, NAME_BYTES - (size_t)length, " (%s)", cart->members);
	return text;
}

static int put_shape(struct fathom_cube_topology *topology, const struct fathom_grid_runs_grid *grid,
		     struct fathom_arena *arena)
{
	uint32_t count = grid->is_cart ? grid->cart.count : grid->shape.count;

	topology->name = grid->is_cart ? cart_name(&grid->cart, arena) : grid->shape.name;
	topology->dimension_count = count;
	topology->dimensions = fathom_arena_alloc(arena, count * sizeof(*topology->dimensions));
	if (!topology->dimensions || !topology->name)
		return -ENOMEM;
	for (uint32_t d = 0; d < count; d++) {
		const struct fathom_topology_dimension *dimension = &grid->shape.dimensions[d];

		topology->dimensions[d] = (struct fathom_cube_dimension){
			.name = grid->is_cart ? NULL : dimension->name,
			.size = grid->is_cart ? grid->cart.sizes[d] : dimension->size,
			.is_periodic = grid->is_cart ? grid->cart.are_periodic[d] : dimension->is_periodic,
		};
	}
	return 0;
}

int fathom_topologies_put(const struct fathom_topologies *topologies, struct fathom_cube *cube,
			  struct fathom_arena *arena)
{
	const struct fathom_grid_runs *spread = &topologies->spread;
	uint32_t count = 0;

	if (spread->err) {
		fathom_log(FATHOM_LOG_SAY, "the topologies are not in the profile: the system gave no more memory");
		return 0;
	}
	if (spread->is_cut)
		fathom_log(FATHOM_LOG_SAY,
			   "the profile has only the %u largest of the Cartesian communicators as topologies",
			   (unsigned)FATHOM_CART_MOST);
	for (const struct fathom_grid_runs_grid *grid = spread->first; grid; grid = grid->next)
		count++;
	cube->topologies = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*cube->topologies));
	if (!cube->topologies)
		return -ENOMEM;
	for (const struct fathom_grid_runs_grid *grid = spread->first; grid; grid = grid->next) {
		struct fathom_cube_topology *topology = &cube->topologies[cube->topology_count];
		struct places_walk *walk = fathom_arena_alloc(arena, sizeof(*walk));

		if (!walk || put_shape(topology, grid, arena))
			return -ENOMEM;
		*walk = (struct places_walk){ { next_place, walk }, { .grid = grid }, topology };
		topology->places = &walk->places;
		cube->topology_count++;
	}
	return 0;
}

void fathom_topologies_fini(struct fathom_topologies *topologies)
{
	fathom_grid_runs_fini(&topologies->spread);
}
