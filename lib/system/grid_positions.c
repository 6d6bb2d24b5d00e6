#include "system/grid_positions.h"

#include <errno.h>
#include <string.h>

/* The head of a definition in the pool. For a topology, the size and the periodicity of each dimension follow, then
 * its name and the names of the dimensions, each with a NUL. For a position, the coordinates follow; it has the
 * topology's hash. */
struct thing {
	uint64_t shape;
	uint32_t is_place;
	uint32_t count;
};

struct packed_dimension {
	uint32_t size, is_periodic;
};

static uint64_t hash_bytes(const char *data, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (unsigned char)data[i]) * 0x100000001b3u;
	return hash;
}

/* --- every process ------------------------------------------------------------------------------- */

/* Packs a topology as a definition and returns its size in bytes; 0: no memory. */
static uint32_t pack_shape(struct fathom_arena *arena, const struct fathom_topology *shape, char **data)
{
	struct thing thing = { .count = shape->count };
	size_t bytes = sizeof(thing) + shape->count * sizeof(struct packed_dimension) + strlen(shape->name) + 1;
	char *at;

	for (uint32_t d = 0; d < shape->count; d++)
		bytes += strlen(shape->dimensions[d].name) + 1;
	*data = fathom_arena_alloc(arena, bytes);
	if (!*data)
		return 0;
	at = *data + sizeof(thing);
	for (uint32_t d = 0; d < shape->count; d++, at += sizeof(struct packed_dimension)) {
		struct packed_dimension packed = { shape->dimensions[d].size, shape->dimensions[d].is_periodic };

		memcpy(at, &packed, sizeof(packed));
	}
	at = stpcpy(at, shape->name) + 1;
	for (uint32_t d = 0; d < shape->count; d++)
		at = stpcpy(at, shape->dimensions[d].name) + 1;
	thing.shape = hash_bytes(*data + sizeof(thing), bytes - sizeof(thing));
	memcpy(*data, &thing, sizeof(thing));
	return (uint32_t)bytes;
}

static int add_places(struct fathom_pool *pool, const struct fathom_topology *topology, uint64_t shape, uint32_t rank,
		      fathom_grid_column *column, const void *context)
{
	struct {
		struct thing thing;
		struct fathom_grid_place place;
	} one;
	const struct fathom_position *position = fathom_topology_positions();

	for (; position; position = position->next) {
		if (position->topology != topology)
			continue;
		memset(&one, 0, sizeof(one));
		one.thing = (struct thing){ .shape = shape, .is_place = 1, .count = topology->count };
		one.place.rank = rank;
		one.place.is_process = !position->thread;
		one.place.column = column(context, position->thread);
		memcpy(one.place.at, position->at, topology->count * sizeof(*one.place.at));
		if (one.place.column == FATHOM_GRID_NOBODY)
			continue;
		if (fathom_pool_add(pool, &one, sizeof(one)) < 0)
			return -ENOMEM;
	}
	return 0;
}

int fathom_grid_list(struct fathom_pool *pool, uint32_t rank, fathom_grid_column *column, const void *context)
{
	struct fathom_arena arena = { 0 };
	uint32_t count = fathom_topology_count();
	int err = 0;

	for (uint32_t i = 0; i < count && !err; i++) {
		const struct fathom_topology *topology = fathom_topology_by_id(i);
		struct thing thing;
		char *data;
		uint32_t bytes = pack_shape(&arena, topology, &data);

		if (!bytes || fathom_pool_add(pool, data, bytes) < 0) {
			err = -ENOMEM;
			break;
		}
		memcpy(&thing, data, sizeof(thing));
		err = add_places(pool, topology, thing.shape, rank, column, context);
	}
	fathom_arena_fini(&arena);
	return err;
}

/* --- rank 0 -------------------------------------------------------------------------------------- */

static void read_shape(struct fathom_topology *shape, const char *data)
{
	struct packed_dimension packed;
	struct thing thing;
	const char *at, *name;

	memcpy(&thing, data, sizeof(thing));
	at = data + sizeof(thing);
	name = at + thing.count * sizeof(packed);
	shape->count = thing.count;
	shape->name = name;
	for (uint32_t d = 0; d < thing.count; d++, at += sizeof(packed)) {
		name += strlen(name) + 1;
		memcpy(&packed, at, sizeof(packed));
		shape->dimensions[d] = (struct fathom_topology_dimension){ name, packed.size, packed.is_periodic != 0 };
	}
}

static bool comes_before(const struct fathom_grid_place *a, const struct fathom_grid_place *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->column != b->column ? a->column < b->column : a->is_process < b->is_process;
}

/* Sorts the positions. This is a Shell sort, because qsort may allocate, and this code may run in a signal handler. */
static void sort(struct fathom_grid_place *places, uint32_t count)
{
	for (uint32_t gap = count / 2; gap; gap = gap == 2 ? 1 : (uint32_t)(gap * 5ull / 11))
		for (uint32_t i = gap; i < count; i++) {
			struct fathom_grid_place place = places[i];
			uint32_t at = i;

			for (; at >= gap && comes_before(&place, &places[at - gap]); at -= gap)
				places[at] = places[at - gap];
			places[at] = place;
		}
}

/* Reads the positions in a topology. */
static int read_places(struct fathom_grid *grid, const struct fathom_pool *pool, uint64_t shape,
		       struct fathom_arena *arena)
{
	struct thing thing;
	uint32_t count = 0;

	for (uint32_t i = 0; i < pool->count; i++) {
		memcpy(&thing, pool->things[i].data, sizeof(thing));
		count += thing.is_place && thing.shape == shape;
	}
	grid->places = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*grid->places));
	if (!grid->places)
		return -ENOMEM;
	for (uint32_t i = 0; i < pool->count; i++) {
		memcpy(&thing, pool->things[i].data, sizeof(thing));
		if (thing.is_place && thing.shape == shape)
			memcpy(&grid->places[grid->place_count++], (const char *)pool->things[i].data + sizeof(thing),
			       sizeof(*grid->places));
	}
	sort(grid->places, count);
	return 0;
}

int fathom_grid_read(struct fathom_grids *grids, const struct fathom_pool *pool, struct fathom_arena *arena)
{
	struct thing thing;
	uint32_t shapes = 0;

	memset(grids, 0, sizeof(*grids));
	for (uint32_t i = 0; i < pool->count; i++) {
		memcpy(&thing, pool->things[i].data, sizeof(thing));
		shapes += !thing.is_place;
	}
	if (!shapes)
		return 0;
	grids->grids = fathom_arena_alloc(arena, shapes * sizeof(*grids->grids));
	if (!grids->grids)
		return -ENOMEM;
	for (uint32_t i = 0; i < pool->count; i++) {
		struct fathom_grid *grid = &grids->grids[grids->count];

		memcpy(&thing, pool->things[i].data, sizeof(thing));
		if (thing.is_place)
			continue;
		read_shape(&grid->shape, pool->things[i].data);
		if (read_places(grid, pool, thing.shape, arena))
			return -ENOMEM;
		grids->count += grid->place_count != 0;
		if (!grid->place_count)
			memset(grid, 0, sizeof(*grid));
	}
	return 0;
}
