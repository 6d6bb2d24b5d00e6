#include "trace/comms.h"

#include <string.h>

#include "platform/arena.h"
#include "platform/lock.h"
#include "system/pool.h"

static struct {
	struct fathom_lock lock;	/* held while one is added; nests in the lock of locations */
	struct fathom_arena arena;
	struct fathom_trace_comm *list;	/* what is outgrown stays in the arena */
	uint32_t count;
	uint32_t room;
	struct fathom_pool members;	/* lists of members */
	uint32_t *serials;		/* by list: how many have it */
	uint32_t serial_room;
} comms;

/* Room for one more in an array. */
static bool make_room(void *array, uint32_t count, uint32_t *room, size_t bytes)
{
	uint32_t more = *room ? *room * 2 : 64;
	void **place = array, *copy;

	if (count < *room)
		return true;
	copy = fathom_arena_alloc(&comms.arena, more * bytes);
	if (!copy)
		return false;
	if (count)
		memcpy(copy, *place, count * bytes);
	*place = copy;
	*room = more;
	return true;
}

/* The lock is held. */
static uint32_t add(const struct fathom_trace_comm *spec)
{
	if (!make_room(&comms.list, comms.count, &comms.room, sizeof(*comms.list)))
		return UINT32_MAX;
	comms.list[comms.count] = *spec;
	return comms.count++;
}

uint32_t fathom_trace_comm_add(const struct fathom_trace_comm *spec)
{
	uint32_t number = UINT32_MAX;

	fathom_lock_take(&comms.lock);
	for (uint32_t i = 0; i < comms.count && number == UINT32_MAX; i++)
		if (comms.list[i].kind == spec->kind && comms.list[i].leader == spec->leader &&
		    comms.list[i].level == spec->level)
			number = i;
	if (number == UINT32_MAX)
		number = add(spec);
	fathom_lock_give(&comms.lock);
	return number;
}

/* The number of the list; made when it is new. Negative: no memory. The lock is held. */
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
		if (!make_room(&comms.serials, known, &comms.serial_room, sizeof(*comms.serials)))
			return -1;
		comms.serials[number] = 0;
	}
	return number;
}

uint32_t fathom_trace_comm_define(const struct fathom_comm_members *members)
{
	struct fathom_trace_comm comm = { .kind = FATHOM_TRACE_COMM_MPI, .rank = members->rank };
	uint32_t number = UINT32_MAX;
	int64_t list;

	if (members->remote_count)
		comm.kind = FATHOM_TRACE_COMM_INTER;
	else if (members->count == 1)
		comm.kind = FATHOM_TRACE_COMM_SELF;
	fathom_lock_take(&comms.lock);
	list = list_members(members);
	if (list >= 0) {
		comm.members = (uint32_t)list;
		comm.serial = comms.serials[list]++;
		number = add(&comm);
	}
	fathom_lock_give(&comms.lock);
	return number;
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
