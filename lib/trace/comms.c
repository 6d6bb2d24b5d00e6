#include "trace/comms.h"

#include <errno.h>
#include <string.h>

#include "define/communicator.h"
#include "platform/arena.h"
#include "platform/helper.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "system/definition_pool.h"
#include "trace/rank_list.h"

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
	size_t room = sizeof(struct fathom_trace_members) + (total + 2) * sizeof(uint32_t);
	struct fathom_arena arena = { 0 };
	struct fathom_trace_members *list = fathom_arena_alloc(&arena, room);
	uint32_t known = comms.members.count;
	int64_t number;

	if (!list)
		return -1;
	list->key = members->count + members->remote_count > 1 ? members->key : 0;
	list->count = swap ? members->remote_count : members->count;
	list->remote_count = swap ? members->count : members->remote_count;
	list->word_count = fathom_rank_list_pack(list->words, swap ? members->remote : members->ranks, list->count);
	if (list->remote_count)
		list->word_count += fathom_rank_list_pack(list->words + list->word_count,
							  swap ? members->ranks : members->remote, list->remote_count);
	number = fathom_pool_add(&comms.members, list, (uint32_t)fathom_trace_members_bytes(list));
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

/* --- members ----------------------------------------------------------------------------------------- */

const uint32_t *fathom_trace_members_remote(const struct fathom_trace_members *members)
{
	return members->words + fathom_rank_list_words(members->words, members->count, members->word_count);
}

bool fathom_trace_members_are_valid(const struct fathom_trace_members *members, size_t bytes)
{
	uint32_t first, second = 0;

	if (bytes < offsetof(struct fathom_trace_members, words) || bytes < fathom_trace_members_bytes(members))
		return false;
	first = fathom_rank_list_words(members->words, members->count, members->word_count);
	if (first && members->remote_count)
		second = fathom_rank_list_words(members->words + first, members->remote_count,
						members->word_count - first);
	return first && (second || !members->remote_count) && first + second == members->word_count;
}

void fathom_trace_members_ranks(const struct fathom_trace_members *members, uint32_t *ranks)
{
	fathom_rank_list_unpack(members->words, ranks, members->count);
	if (members->remote_count)
		fathom_rank_list_unpack(fathom_trace_members_remote(members), ranks + members->count,
					members->remote_count);
}

bool fathom_trace_members_are_below(const struct fathom_trace_members *members, uint32_t limit)
{
	return fathom_rank_list_is_below(members->words, members->count, limit) &&
	       (!members->remote_count ||
		fathom_rank_list_is_below(fathom_trace_members_remote(members), members->remote_count, limit));
}

/* Returns the ranks of all members, in memory of the arena. NULL: no memory. */
static uint32_t *ranks_in(struct fathom_arena *arena, const struct fathom_trace_members *members, uint32_t *count)
{
	uint32_t *ranks;

	*count = members->count + members->remote_count;
	ranks = fathom_arena_alloc(arena, (*count + 1) * sizeof(*ranks));
	if (ranks)
		fathom_trace_members_ranks(members, ranks);
	return ranks;
}

static bool contains(const struct fathom_trace_members *whole, const struct fathom_trace_members *part)
{
	struct fathom_arena arena = { 0 };
	uint32_t limit = 0, whole_count, part_count;
	uint32_t *whole_ranks = ranks_in(&arena, whole, &whole_count);
	uint32_t *ranks = ranks_in(&arena, part, &part_count);
	unsigned char *bits = NULL;
	bool result;

	for (uint32_t i = 0; whole_ranks && i < whole_count; i++)
		if (whole_ranks[i] >= limit)
			limit = whole_ranks[i] + 1;
	if (whole_ranks && ranks)
		bits = fathom_arena_alloc(&arena, limit / 8 + 1);
	for (uint32_t i = 0; bits && i < whole_count; i++)
		bits[whole_ranks[i] / 8] |= (unsigned char)(1u << whole_ranks[i] % 8);
	result = bits;
	for (uint32_t i = 0; result && i < part_count; i++)
		result = ranks[i] < limit && (bits[ranks[i] / 8] >> ranks[i] % 8 & 1);
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
		list = fathom_pool_add(&comms.members, members, (uint32_t)fathom_trace_members_bytes(members));
	if (list < 0)
		return -ENOMEM;
	restored.members = (uint32_t)list;
	return add_comm(&restored) == UINT32_MAX ? -ENOMEM : 0;
}
