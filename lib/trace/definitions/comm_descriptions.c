#include "trace/definitions/comm_descriptions.h"

#include <string.h>

#include "trace/comms.h"
#include "trace/definitions/definition_pools.h"
#include "trace/rank_list.h"

/* A description in a message. The members follow, then the dimensions, then the name with a NUL; each is padded to a
 * multiple of 8 bytes. */
struct info_comm {
	struct fathom_trace_comm_identity thing;
	struct fathom_trace_comm_identity parent;
	uint32_t has_parent;
	uint32_t members_bytes;
	uint32_t dimension_count;
	uint32_t name_bytes;
};

static uint64_t hash_members(const struct fathom_trace_members *members)
{
	const uint32_t *at = &members->count, *end = members->words + members->word_count;
	uint64_t hash = 0xcbf29ce484222325u;

	for (; at < end; at++)
		hash = (hash ^ *at) * 0x9e3779b97f4a7c15u ^ hash >> 29;
	return hash;
}

struct fathom_trace_comm_identity fathom_trace_comm_identify(const struct fathom_trace_comm *comm)
{
	const struct fathom_trace_members *members = fathom_trace_comm_members(comm);
	struct fathom_trace_comm_identity thing = {
		.kind = comm->kind,
		.number = comm->serial,
		.key = members->key,
		.operation = comm->operation,
	};

	if (comm->kind == FATHOM_TRACE_COMM_SELF)
		return thing;
	thing.member_count = members->count + members->remote_count;
	thing.hash = hash_members(members);
	return thing;
}

/* Returns true if this process describes the communicator. */
static bool describes_members(const struct fathom_definitions *defs, const struct fathom_trace_comm *comm)
{
	if (comm->kind != FATHOM_TRACE_COMM_MPI && comm->kind != FATHOM_TRACE_COMM_INTER)
		return false;
	if (defs->is_alone)
		return true;
	/* An inter-communicator is described by the first member of its first group. */
	return comm->rank == 0 && fathom_rank_list_first(fathom_trace_comm_members(comm)->words) == defs->rank;
}

static struct info_comm info_comm_of(const struct fathom_trace_comm *comm)
{
	const struct fathom_trace_members *members = fathom_trace_comm_members(comm);
	uint32_t parent = comm->kind == FATHOM_TRACE_COMM_INTER ? fathom_trace_comm_common(comm) : comm->parent;
	struct info_comm one = {
		.thing = fathom_trace_comm_identify(comm),
		.members_bytes = fathom_trace_padded_bytes(fathom_trace_members_bytes(members)),
		.dimension_count = comm->dimension_count,
		.name_bytes = comm->name ? fathom_trace_padded_bytes(strlen(comm->name) + 1) : 8,
	};

	if (parent != FATHOM_NO_COMM) {
		one.parent = fathom_trace_comm_identify(fathom_trace_comm_by_number(parent));
		one.has_parent = one.parent.kind != FATHOM_TRACE_COMM_SELF;
	}
	return one;
}

static size_t info_comm_bytes(const struct info_comm *one)
{
	return sizeof(*one) + one->members_bytes + one->dimension_count * sizeof(struct fathom_comm_dimension) +
	       one->name_bytes;
}

size_t fathom_trace_comm_descriptions_bytes(const struct fathom_definitions *defs)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < fathom_trace_comm_count(); i++) {
		const struct fathom_trace_comm *comm = fathom_trace_comm_by_number(i);

		if (describes_members(defs, comm)) {
			struct info_comm one = info_comm_of(comm);

			bytes += info_comm_bytes(&one);
		}
	}
	return bytes;
}

char *fathom_trace_comm_descriptions_pack(const struct fathom_definitions *defs, char *at, uint32_t *count)
{
	for (uint32_t i = 0; i < fathom_trace_comm_count(); i++) {
		const struct fathom_trace_comm *comm = fathom_trace_comm_by_number(i);
		const struct fathom_trace_members *members;
		struct info_comm one;
		size_t bytes;

		if (!describes_members(defs, comm))
			continue;
		members = fathom_trace_comm_members(comm);	/* only here, because communicators of threads have no
								 * list */
		one = info_comm_of(comm);
		memcpy(at, &one, sizeof(one));
		at += sizeof(one);
		memcpy(at, members, fathom_trace_members_bytes(members));
		at += one.members_bytes;
		bytes = one.dimension_count * sizeof(*comm->dimensions);
		if (bytes)
			memcpy(at, comm->dimensions, bytes);
		at += bytes;
		if (comm->name)
			strcpy(at, comm->name);
		at += one.name_bytes;
		++*count;
	}
	return at;
}

const char *fathom_trace_comm_description_read(struct fathom_trace_writing *w, const char *at)
{
	const struct fathom_pool *comms = &w->defs->comms;
	struct info_comm one;
	int64_t number, parent = OTF2_UNDEFINED_COMM;
	struct fathom_trace_comm_description *description;

	memcpy(&one, at, sizeof(one));
	number = fathom_pool_find(comms, &one.thing, sizeof(one.thing));
	if (one.has_parent)
		parent = fathom_pool_find(comms, &one.parent, sizeof(one.parent));
	if (number < 0)
		return at + info_comm_bytes(&one);
	description = &w->descriptions[number];
	at += sizeof(one);
	/* All members must have a place in this trace. */
	if (fathom_trace_members_are_below((const struct fathom_trace_members *)at, w->rank_count))
		description->members = (const struct fathom_trace_members *)at;
	at += one.members_bytes;
	description->dimension_count = one.dimension_count;
	description->dimensions = (const struct fathom_comm_dimension *)at;
	at += one.dimension_count * sizeof(*description->dimensions);
	description->name = at;
	description->parent = parent < 0 ? OTF2_UNDEFINED_COMM : (uint32_t)parent;
	return at + one.name_bytes;
}
