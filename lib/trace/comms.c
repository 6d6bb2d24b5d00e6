#include "trace/comms.h"

#include <errno.h>
#include <string.h>

#include "define/communicator.h"
#include "platform/arena.h"
#include "platform/helper.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "system/definition_pool.h"

static struct {
	struct fathom_lock lock;	/* held while a communicator is added or named; the lock of locations may be
					 * held when it is taken */
	struct fathom_arena arena;
	struct fathom_trace_comm *list;	/* arrays that became too small stay in the arena */
	uint32_t count;
	uint32_t room;
	struct fathom_pool members;	/* lists of members, each once */
	uint32_t *serials;		/* by list: number of communicators with these members */
	uint32_t serial_room;
} comms;

/* Appends a communicator. UINT32_MAX: no memory. The caller holds the lock. */
static uint32_t add_comm(const struct fathom_trace_comm *spec)
{
	if (!fathom_arena_grow(&comms.arena, &comms.list, &comms.room, comms.count + 1, sizeof(*comms.list)))
		return UINT32_MAX;
	comms.list[comms.count] = *spec;
	/* Pairs with the acquire in fathom_trace_comms_copy. */
	__atomic_store_n(&comms.count, comms.count + 1, __ATOMIC_RELEASE);
	return comms.count - 1;
}

uint32_t fathom_trace_comm_add(const struct fathom_trace_comm *spec)
{
	uint32_t number = UINT32_MAX;

	fathom_lock_take(&comms.lock);
	for (uint32_t i = 0; i < comms.count && number == UINT32_MAX; i++)
		if (comms.list[i].kind == spec->kind && comms.list[i].leader == spec->leader &&
		    comms.list[i].level == spec->level && comms.list[i].size == spec->size)
			number = i;
	if (number == UINT32_MAX)
		number = add_comm(spec);
	fathom_lock_give(&comms.lock);
	return number;
}

/* Returns the number of a list of members, added if it is new. Negative: no memory. The caller holds the lock. */
static int64_t list_members(const struct fathom_comm_members *members)
{
	bool swap = members->remote_count && members->remote[0] < members->ranks[0];
	uint32_t total = members->count + members->remote_count;
	size_t bytes = sizeof(struct fathom_trace_members) + total * sizeof(uint32_t);
	struct fathom_arena arena = { 0 };
	struct fathom_trace_members *list = fathom_arena_alloc(&arena, bytes);
	uint32_t known = comms.members.count, *at;
	int64_t number;

	if (!list)
		return -1;
	list->key = members->count + members->remote_count > 1 ? members->key : 0;
	list->count = swap ? members->remote_count : members->count;
	list->remote_count = swap ? members->count : members->remote_count;
	at = list->ranks + (swap ? members->remote_count : 0);
	memcpy(at, members->ranks, members->count * sizeof(*at));
	at = list->ranks + (swap ? 0 : members->count);
	if (members->remote_count)
		memcpy(at, members->remote, members->remote_count * sizeof(*at));
	number = fathom_pool_add(&comms.members, list, (uint32_t)bytes);
	fathom_arena_fini(&arena);
	if (number == known) {
		if (!fathom_arena_grow(&comms.arena, &comms.serials, &comms.serial_room, known + 1,
				       sizeof(*comms.serials)))
			return -1;
		comms.serials[number] = 0;
	}
	return number;
}

/* Copies bytes into the arena. NULL: there are none, or there is no memory. The caller holds the lock. */
static const void *copy_bytes(const void *data, size_t bytes)
{
	void *place = bytes ? fathom_arena_alloc(&comms.arena, bytes) : NULL;

	if (place)
		memcpy(place, data, bytes);
	return place;
}

uint32_t fathom_trace_comm_define(const struct fathom_comm_members *members)
{
	struct fathom_trace_comm comm = {
		.kind = FATHOM_TRACE_COMM_MPI,
		.rank = members->rank,
		.parent = members->parent,
		.dimension_count = members->dimension_count,
	};
	uint32_t number = UINT32_MAX;
	int64_t list;

	if (members->remote_count)
		comm.kind = FATHOM_TRACE_COMM_INTER;
	else if (members->count == 1)
		comm.kind = FATHOM_TRACE_COMM_SELF;
	fathom_lock_take(&comms.lock);
	list = list_members(members);
	comm.name = copy_bytes(members->name, members->name ? strlen(members->name) + 1 : 0);
	comm.dimensions = copy_bytes(members->dimensions, members->dimension_count * sizeof(*members->dimensions));
	if (!comm.dimensions)
		comm.dimension_count = 0;
	if (list >= 0) {
		comm.members = (uint32_t)list;
		comm.serial = comms.serials[list]++;
		number = add_comm(&comm);
	}
	fathom_lock_give(&comms.lock);
	return number;
}

/* A program that initialises a persistent operation anew for each use must not fill the memory with communicators.
 * After this many, operations are recorded under the communicator itself, as if all processes started them in the
 * same order. */
enum { MOST_OPERATIONS = 4096 };

uint32_t fathom_trace_comm_of_operation(uint32_t comm, uint32_t operation, const char *call)
{
	struct fathom_trace_comm operation_comm;
	uint32_t number = UINT32_MAX;
	char name[64];

	if (operation > MOST_OPERATIONS)
		return comm;
	fathom_format(name, sizeof(name), "%s %u", call, operation);
	fathom_lock_take(&comms.lock);
	if (comm < comms.count && comms.list[comm].kind != FATHOM_TRACE_COMM_SELF) {
		operation_comm = comms.list[comm];
		operation_comm.operation = operation;
		operation_comm.dimension_count = 0;
		if (operation_comm.kind == FATHOM_TRACE_COMM_MPI)
			operation_comm.parent = comm;
		operation_comm.name = copy_bytes(name, strlen(name) + 1);
		number = add_comm(&operation_comm);
	}
	fathom_lock_give(&comms.lock);
	return number == UINT32_MAX ? comm : number;
}

void fathom_trace_comm_name(const struct fathom_communicator *comm, const char *name)
{
	fathom_lock_take(&comms.lock);
	if (comm->number < comms.count)
		comms.list[comm->number].name = copy_bytes(name, strlen(name) + 1);
	fathom_lock_give(&comms.lock);
}

static void mark(unsigned char *bits, const struct fathom_trace_members *members)
{
	for (uint32_t i = 0; i < members->count + members->remote_count; i++)
		bits[members->ranks[i] / 8] |= (unsigned char)(1u << members->ranks[i] % 8);
}

static bool has_all(const unsigned char *bits, uint32_t limit, const struct fathom_trace_members *members)
{
	for (uint32_t i = 0; i < members->count + members->remote_count; i++)
		if (members->ranks[i] >= limit || !(bits[members->ranks[i] / 8] >> members->ranks[i] % 8 & 1))
			return false;
	return true;
}

static bool contains(const struct fathom_trace_members *whole, const struct fathom_trace_members *part)
{
	struct fathom_arena arena = { 0 };
	uint32_t limit = 0;
	unsigned char *bits;
	bool result = false;

	for (uint32_t i = 0; i < whole->count + whole->remote_count; i++)
		if (whole->ranks[i] >= limit)
			limit = whole->ranks[i] + 1;
	bits = fathom_arena_alloc(&arena, limit / 8 + 1);
	if (bits) {
		mark(bits, whole);
		result = has_all(bits, limit, part);
	}
	fathom_arena_fini(&arena);
	return result;
}

uint32_t fathom_trace_comm_common(const struct fathom_trace_comm *comm)
{
	const struct fathom_trace_members *members = fathom_trace_comm_members(comm);
	uint32_t parent = comm->parent;

	while (parent != FATHOM_NO_COMM && !contains(fathom_trace_comm_members(&comms.list[parent]), members))
		parent = comms.list[parent].parent;
	return parent;
}

uint32_t fathom_trace_comm_count(void)
{
	return comms.count;
}

const struct fathom_trace_comm *fathom_trace_comm_by_number(uint32_t number)
{
	return &comms.list[number];
}

const struct fathom_trace_members *fathom_trace_comm_members(const struct fathom_trace_comm *comm)
{
	return comms.members.things[comm->members].data;
}

/* --- run snapshots, and results that are made from them -------------------------------------------- */

/* A larger list may replace the list meanwhile; both have the elements up to the count, which is read before. */
FATHOM_IN_HELPER void fathom_trace_comms_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots)
{
	/* The first pairs with the release in add_comm, the second with the one in fathom_pool_add. */
	roots->comms.count = __atomic_load_n(&comms.count, __ATOMIC_ACQUIRE);
	roots->members.count = __atomic_load_n(&comms.members.count, __ATOMIC_ACQUIRE);
	roots->comms.address = (uintptr_t)fathom_peek(&comms.list);
	roots->members.address = (uintptr_t)fathom_peek(&comms.members.things);
	copy->put_arena(copy->to, &comms.arena);
	copy->put_arena(copy->to, &comms.members.arena);
}

int fathom_trace_comm_restore(const struct fathom_trace_comm *comm, const struct fathom_trace_members *members)
{
	struct fathom_trace_comm restored = *comm;
	int64_t list = 0;

	if (members)
		list = fathom_pool_add(&comms.members, members, (uint32_t)(sizeof(*members) +
				       (members->count + members->remote_count) * sizeof(*members->ranks)));
	if (list < 0)
		return -ENOMEM;
	restored.members = (uint32_t)list;
	return add_comm(&restored) == UINT32_MAX ? -ENOMEM : 0;
}
