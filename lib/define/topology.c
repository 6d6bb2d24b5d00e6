#include "define/topology.h"

#include <string.h>

#include "platform/arena.h"
#include "platform/compiler.h"
#include "platform/lock.h"

static struct {
	struct fathom_lock lock;	/* protects all below; no other lock is taken inside */
	struct fathom_arena arena;
	struct fathom_topology topologies[FATHOM_TOPOLOGY_MOST];
	uint32_t count;			/* written last, with release; pairs with fathom_topology_count */
	struct fathom_position *positions;	/* released when complete; pairs with fathom_topology_positions */
} topologies;

uint32_t fathom_topology_count(void)
{
	return __atomic_load_n(&topologies.count, __ATOMIC_ACQUIRE);
}

const struct fathom_topology *fathom_topology_by_id(uint32_t id)
{
	return &topologies.topologies[id];
}

const struct fathom_position *fathom_topology_positions(void)
{
	return __atomic_load_n(&topologies.positions, __ATOMIC_ACQUIRE);
}

const struct fathom_arena *fathom_topology_arena(void)
{
	return &topologies.arena;
}

const struct fathom_topology *fathom_topology_named(const char *name, size_t length)
{
	uint32_t count = fathom_topology_count();

	for (uint32_t i = 0; i < count; i++)
		if (!strncmp(topologies.topologies[i].name, name, length) && !topologies.topologies[i].name[length])
			return &topologies.topologies[i];
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
	struct fathom_topology *topology = &topologies.topologies[topologies.count];

	if (topologies.count == FATHOM_TOPOLOGY_MOST)
		return NULL;
	*topology = *spec;
	topology->name = fathom_arena_copy(&topologies.arena, spec->name, strlen(spec->name));
	if (!topology->name)
		return NULL;
	for (uint32_t d = 0; d < spec->count; d++) {
		const char *name = spec->dimensions[d].name;

		topology->dimensions[d].name = fathom_arena_copy(&topologies.arena, name, strlen(name));
		if (!topology->dimensions[d].name)
			return NULL;
	}
	/* Pairs with fathom_topology_count. */
	__atomic_store_n(&topologies.count, topologies.count + 1, __ATOMIC_RELEASE);
	return topology;
}

const struct fathom_topology *fathom_topology_define(const struct fathom_topology *spec,
						     const struct fathom_topology **other)
{
	const struct fathom_topology *topology;

	fathom_lock_take(&topologies.lock);
	topology = fathom_topology_named(spec->name, strlen(spec->name));
	*other = topology && !fathom_topology_is_same(topology, spec) ? topology : NULL;
	if (!topology)
		topology = add(spec);
	fathom_lock_give(&topologies.lock);
	return *other ? NULL : topology;
}

bool fathom_topology_place(const struct fathom_topology *topology, const void *thread, const uint32_t *at)
{
	struct fathom_position *position;

	fathom_lock_take(&topologies.lock);
	for (position = topologies.positions; position; position = position->next)
		if (position->topology == topology && position->thread == thread)
			break;
	if (position) {
		for (uint32_t d = 0; d < topology->count; d++)
			fathom_poke(&position->at[d], at[d]);
	} else {
		position = fathom_arena_alloc(&topologies.arena, sizeof(*position));
		if (position) {
			position->topology = topology;
			position->thread = thread;
			memcpy(position->at, at, topology->count * sizeof(*at));
			position->next = topologies.positions;
			/* Pairs with fathom_topology_positions. */
			__atomic_store_n(&topologies.positions, position, __ATOMIC_RELEASE);
		}
	}
	fathom_lock_give(&topologies.lock);
	return position;
}
