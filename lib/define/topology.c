#include "define/topology.h"

#include <string.h>

#include "platform/arena.h"
#include "platform/compiler.h"
#include "platform/lock.h"

static struct {
	struct fathom_lock lock;	/* held while something is looked for or made; nests in nothing */
	struct fathom_arena arena;
	struct fathom_topology topologies[FATHOM_TOPOLOGY_MOST];
	uint32_t count;			/* written last, with release; pairs with fathom_topology_count */
	struct fathom_position *positions;	/* released when complete; pairs with fathom_topology_positions */
} known;

uint32_t fathom_topology_count(void)
{
	return __atomic_load_n(&known.count, __ATOMIC_ACQUIRE);
}

const struct fathom_topology *fathom_topology_by_id(uint32_t id)
{
	return &known.topologies[id];
}

const struct fathom_position *fathom_topology_positions(void)
{
	return __atomic_load_n(&known.positions, __ATOMIC_ACQUIRE);
}

const struct fathom_arena *fathom_topology_arena(void)
{
	return &known.arena;
}

const struct fathom_topology *fathom_topology_named(const char *name, size_t length)
{
	uint32_t count = fathom_topology_count();

	for (uint32_t i = 0; i < count; i++)
		if (!strncmp(known.topologies[i].name, name, length) && !known.topologies[i].name[length])
			return &known.topologies[i];
	return NULL;
}

bool fathom_topology_is_same(const struct fathom_topology *a, const struct fathom_topology *b)
{
	if (a->count != b->count || strcmp(a->name, b->name) != 0)
		return false;
	for (uint32_t d = 0; d < a->count; d++)
		if (a->dimensions[d].size != b->dimensions[d].size ||
		    a->dimensions[d].is_periodic != b->dimensions[d].is_periodic ||
		    strcmp(a->dimensions[d].name, b->dimensions[d].name) != 0)
			return false;
	return true;
}

static const struct fathom_topology *add(const struct fathom_topology *spec)
{
	struct fathom_topology *topology = &known.topologies[known.count];

	if (known.count == FATHOM_TOPOLOGY_MOST)
		return NULL;
	*topology = *spec;
	topology->name = fathom_arena_copy(&known.arena, spec->name, strlen(spec->name));
	if (!topology->name)
		return NULL;
	for (uint32_t d = 0; d < spec->count; d++) {
		const char *name = spec->dimensions[d].name;

		topology->dimensions[d].name = fathom_arena_copy(&known.arena, name, strlen(name));
		if (!topology->dimensions[d].name)
			return NULL;
	}
	/* Pairs with fathom_topology_count. */
	__atomic_store_n(&known.count, known.count + 1, __ATOMIC_RELEASE);
	return topology;
}

const struct fathom_topology *fathom_topology_define(const struct fathom_topology *spec,
						     const struct fathom_topology **other)
{
	const struct fathom_topology *topology;

	fathom_lock_take(&known.lock);
	topology = fathom_topology_named(spec->name, strlen(spec->name));
	*other = topology && !fathom_topology_is_same(topology, spec) ? topology : NULL;
	if (!topology)
		topology = add(spec);
	fathom_lock_give(&known.lock);
	return *other ? NULL : topology;
}

bool fathom_topology_place(const struct fathom_topology *topology, const void *thread, const uint32_t *at)
{
	struct fathom_position *position;

	fathom_lock_take(&known.lock);
	for (position = known.positions; position; position = position->next)
		if (position->topology == topology && position->thread == thread)
			break;
	if (position) {
		for (uint32_t d = 0; d < topology->count; d++)
			fathom_poke(&position->at[d], at[d]);
	} else {
		position = fathom_arena_alloc(&known.arena, sizeof(*position));
		if (position) {
			position->topology = topology;
			position->thread = thread;
			memcpy(position->at, at, topology->count * sizeof(*at));
			position->next = known.positions;
			/* Pairs with fathom_topology_positions. */
			__atomic_store_n(&known.positions, position, __ATOMIC_RELEASE);
		}
	}
	fathom_lock_give(&known.lock);
	return position;
}
