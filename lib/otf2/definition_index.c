#include "otf2/definition_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/faults.h"
#include "otf2/memory.h"

static const struct {
	const char *name;
	size_t bytes;
} spaces[FATHOM_OTF2_SPACES] = {
	[FATHOM_OTF2_STRING] = { "string", sizeof(struct fathom_otf2_string) },
	[FATHOM_OTF2_ATTRIBUTE] = { "attribute", sizeof(struct fathom_otf2_typed) },
	[FATHOM_OTF2_NODE] = { "system tree node", sizeof(struct fathom_otf2_node) },
	[FATHOM_OTF2_PROCESS] = { "location group", sizeof(struct fathom_otf2_process) },
	[FATHOM_OTF2_LOCATION] = { "location", sizeof(struct fathom_otf2_location) },
	[FATHOM_OTF2_REGION] = { "region", sizeof(struct fathom_otf2_region) },
	[FATHOM_OTF2_GROUP] = { "group", sizeof(struct fathom_otf2_group) },
	[FATHOM_OTF2_COMM] = { "communicator", sizeof(struct fathom_otf2_comm) },
	[FATHOM_OTF2_PARAMETER] = { "parameter", sizeof(struct fathom_otf2_typed) },
	[FATHOM_OTF2_WINDOW] = { "window", sizeof(struct fathom_otf2_window) },
	[FATHOM_OTF2_METRIC] = { "metric", sizeof(struct fathom_otf2_metric) },
	[FATHOM_OTF2_MEMBER] = { "metric member", sizeof(struct fathom_otf2_typed) },
	[FATHOM_OTF2_CALLPATH] = { "call path", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_CALLSITE] = { "call site", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_DIMENSION] = { "dimension", sizeof(struct fathom_otf2_dimension) },
	[FATHOM_OTF2_TOPOLOGY] = { "topology", sizeof(struct fathom_otf2_topology) },
	[FATHOM_OTF2_SOURCE] = { "source location", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_CONTEXT] = { "calling context", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_GENERATOR] = { "interrupt generator", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_IO_PARADIGM] = { "I/O paradigm", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_FILE] = { "file", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_HANDLE] = { "I/O handle", sizeof(struct fathom_otf2_plain) },
	[FATHOM_OTF2_PARADIGM] = { "paradigm", sizeof(struct fathom_otf2_typed) },
};

/* --- looking up --------------------------------------------------------------------------------- */

struct stray {			/* a definition whose id is not its index */
	struct fathom_table_entry entry;
	uint64_t index;
};

void *fathom_otf2_at(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t index)
{
	const struct fathom_otf2_shelf *shelf = &defs->shelves[space];

	return shelf->records + index * shelf->bytes;
}

size_t fathom_otf2_count(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space)
{
	return defs->shelves[space].count;
}

int64_t fathom_otf2_index(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id)
{
	const struct fathom_otf2_shelf *shelf = &defs->shelves[space];
	const struct stray *stray;

	if (id < shelf->count && ((const struct fathom_otf2_any *)fathom_otf2_at(defs, space, id))->id == id)
		return (int64_t)id;
	stray = fathom_table_find(&shelf->others, id, 0, 0);
	return stray ? (int64_t)stray->index : -1;
}

void *fathom_otf2_find(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id)
{
	int64_t index = fathom_otf2_index(defs, space, id);

	return index < 0 ? NULL : fathom_otf2_at(defs, space, (uint64_t)index);
}

const char *fathom_otf2_text(const struct fathom_otf2_defs *defs, uint64_t id)
{
	const struct fathom_otf2_string *string = fathom_otf2_find(defs, FATHOM_OTF2_STRING, id);

	return string ? string->text : "";
}

const char *fathom_otf2_space_name(enum fathom_otf2_space space)
{
	return spaces[space].name;
}

const char *fathom_otf2_name(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id,
			     char *text, size_t bytes)
{
	const struct fathom_otf2_any *any = fathom_otf2_find(defs, space, id);
	const char *name = any && any->name != OTF2_UNDEFINED_STRING ? fathom_otf2_text(defs, any->name) : "";

	if (*name)
		snprintf(text, bytes, "%.*s", (int)bytes - 1, name);
	else
		snprintf(text, bytes, "%s %" PRIu64, spaces[space].name, id);
	return text;
}

double fathom_otf2_seconds(const struct fathom_otf2_defs *defs, double ticks)
{
	return ticks / (defs->resolution ? (double)defs->resolution : 1e9);
}

void *fathom_otf2_defs_add(struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id)
{
	struct fathom_otf2_shelf *shelf = &defs->shelves[space];
	struct fathom_otf2_any *any;

	if (id != shelf->count && !fathom_table_find(&shelf->others, id, 0, 0)) {
		struct stray *stray = fathom_table_add(&shelf->others, id, 0, 0);

		stray->index = shelf->count;
	}
	shelf->records = fathom_otf2_memory_grow(shelf->records, shelf->count, &shelf->room, shelf->bytes);
	any = fathom_otf2_at(defs, space, shelf->count++);
	memset(any, 0, shelf->bytes);
	any->id = id;
	return any;
}

void fathom_otf2_defs_init(struct fathom_otf2_defs *defs)
{
	size_t i;

	memset(defs, 0, sizeof(*defs));
	for (i = 0; i < FATHOM_OTF2_SPACES; i++) {
		defs->shelves[i].bytes = spaces[i].bytes;
		fathom_table_init(&defs->shelves[i].others, sizeof(struct stray));
	}
	fathom_table_init(&defs->recorders, sizeof(struct fathom_table_entry));
	for (i = 0; i < sizeof(defs->comm_locations) / sizeof(defs->comm_locations[0]); i++)
		defs->comm_locations[i] = -1;
}

void fathom_otf2_defs_fini(struct fathom_otf2_defs *defs)
{
	size_t i;

	for (i = 0; i < FATHOM_OTF2_SPACES; i++) {
		free(defs->shelves[i].records);
		fathom_table_fini(&defs->shelves[i].others);
	}
	fathom_table_fini(&defs->recorders);
	fathom_arena_fini(&defs->arena);
	memset(defs, 0, sizeof(*defs));
}

/* --- communicators ------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static struct fathom_otf2_roster *make_roster(struct fathom_otf2_defs *defs, const struct fathom_otf2_group *group)
{
	struct fathom_otf2_roster *roster = fathom_otf2_memory_from(&defs->arena, sizeof(*roster));
	int32_t list = defs->comm_locations[group->paradigm];
	const struct fathom_otf2_group *all = list < 0 ? NULL : fathom_otf2_at(defs, FATHOM_OTF2_GROUP,
									       (uint64_t)list);
	uint32_t rank;

	roster->count = group->count;
	roster->location = fathom_otf2_memory_from(&defs->arena, group->count * sizeof(uint32_t));
	roster->process = fathom_otf2_memory_from(&defs->arena, group->count * sizeof(uint32_t));
	roster->by_location = fathom_otf2_memory_from(&defs->arena, group->count * sizeof(uint64_t));
	roster->by_process = fathom_otf2_memory_from(&defs->arena, group->count * sizeof(uint64_t));
	for (rank = 0; rank < group->count; rank++) {
		uint64_t member = group->members[rank];
		int64_t index;

		if (group->type == OTF2_GROUP_TYPE_COMM_GROUP)
			member = all && member < all->count ? all->members[member] : OTF2_UNDEFINED_LOCATION;
		index = fathom_otf2_index(defs, FATHOM_OTF2_LOCATION, member);
		roster->location[rank] = index < 0 ? UINT32_MAX : (uint32_t)index;
		roster->process[rank] = index < 0 ? UINT32_MAX : ((const struct fathom_otf2_location *)fathom_otf2_at(
						defs, FATHOM_OTF2_LOCATION, (uint64_t)index))->process;
		roster->by_location[rank] = (uint64_t)roster->location[rank] << 32 | rank;
		roster->by_process[rank] = (uint64_t)roster->process[rank] << 32 | rank;
	}
	qsort(roster->by_location, roster->count, sizeof(uint64_t), by_number);
	qsort(roster->by_process, roster->count, sizeof(uint64_t), by_number);
	return roster;
}

const struct fathom_otf2_roster *fathom_otf2_roster(struct fathom_otf2_defs *defs, int32_t group)
{
	static const struct fathom_otf2_roster nobody;
	struct fathom_otf2_group *its;

	if (group < 0)
		return &nobody;
	its = fathom_otf2_at(defs, FATHOM_OTF2_GROUP, (uint64_t)group);
	if (!its->roster)
		its->roster = make_roster(defs, its);
	return its->roster;
}

/* Returns the rank of an index in the list; -1: the list does not contain the index. */
static int64_t rank_of(const uint64_t *sorted, const uint32_t *by_rank, uint32_t count, uint32_t index)
{
	uint32_t low = 0, high = count;

	/* In MPI_COMM_WORLD and many others, index and rank are equal. */
	if (index < count && by_rank[index] == index)
		return index;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (sorted[middle] >> 32 < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && sorted[low] >> 32 == index ? (int64_t)(uint32_t)sorted[low] : -1;
}

uint32_t fathom_otf2_comm_size(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm)
{
	uint32_t size = comm->is_self ? 1 : fathom_otf2_roster(defs, comm->group)->count;

	return comm->is_inter ? size + fathom_otf2_roster(defs, comm->group_b)->count : size;
}

int64_t fathom_otf2_comm_process(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
				 uint32_t process)
{
	const struct fathom_otf2_roster *roster = fathom_otf2_roster(defs, comm->group);
	int64_t rank;
	uint32_t before = roster->count;

	if (comm->is_self)
		return 0;
	rank = rank_of(roster->by_process, roster->process, roster->count, process);
	if (rank >= 0 || !comm->is_inter)
		return rank;
	roster = fathom_otf2_roster(defs, comm->group_b);
	rank = rank_of(roster->by_process, roster->process, roster->count, process);
	return rank < 0 ? -1 : rank + before;
}

int64_t fathom_otf2_comm_location(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
				  uint32_t location)
{
	const struct fathom_otf2_roster *roster = fathom_otf2_roster(defs, comm->group);

	if (comm->is_self)
		return 0;
	return rank_of(roster->by_location, roster->location, roster->count, location);
}

uint32_t fathom_otf2_comm_member(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
				 uint32_t position)
{
	const struct fathom_otf2_roster *roster = fathom_otf2_roster(defs, comm->group);

	if (comm->is_inter && position >= roster->count) {
		position -= roster->count;
		roster = fathom_otf2_roster(defs, comm->group_b);
	}
	return !comm->is_self && position < roster->count ? roster->process[position] : UINT32_MAX;
}

int64_t fathom_otf2_comm_peer(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
			      uint32_t process, uint32_t rank)
{
	const struct fathom_otf2_roster *roster = fathom_otf2_roster(defs, comm->group);
	const struct fathom_otf2_group *group;

	if (comm->is_self)
		return rank == 0 ? (int64_t)process : -1;
	/* In an intercommunicator, a member of one group names ranks of the other group. */
	if (comm->is_inter && rank_of(roster->by_process, roster->process, roster->count, process) >= 0)
		roster = fathom_otf2_roster(defs, comm->group_b);
	if (comm->group >= 0) {
		group = fathom_otf2_at(defs, FATHOM_OTF2_GROUP, (uint64_t)comm->group);
		if (group->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS)
			roster = fathom_otf2_roster(defs, defs->comm_locations[group->paradigm]);
	}
	return rank < roster->count && roster->process[rank] != UINT32_MAX ? (int64_t)roster->process[rank] : -1;
}

/* --- when all are read ----------------------------------------------------------------------------- */

/* Returns the node whose processes share memory: the nearest node upwards that has this property, or else the given
 * one. */
static uint32_t host_of(const struct fathom_otf2_defs *defs, int32_t node)
{
	int32_t at;

	for (at = node; at >= 0;) {
		const struct fathom_otf2_node *its = fathom_otf2_at(defs, FATHOM_OTF2_NODE, (uint64_t)at);

		if (its->domains & 1u << OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY)
			return (uint32_t)at;
		at = its->parent;
	}
	return (uint32_t)node;
}

void fathom_otf2_defs_finish(struct fathom_otf2_defs *defs, struct fathom_faults *faults)
{
	size_t i;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);
		struct fathom_otf2_process *process;

		if (location->process == UINT32_MAX)
			continue;
		process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, location->process);
		process->threads += location->type == OTF2_LOCATION_TYPE_CPU_THREAD;
		process->streams += location->type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
	}
	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_PROCESS); i++) {
		struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		process->host = host_of(defs, process->node);
		if (process->type == OTF2_LOCATION_GROUP_TYPE_PROCESS && process->threads == 0)
			fathom_fault_say(faults, FATHOM_FAULT_TREE, NULL,
					 "location group %" PRIu64 ": a process without a CPU thread",
					 process->id);
		if (process->type == OTF2_LOCATION_GROUP_TYPE_PROCESS && process->streams)
			fathom_fault_say(faults, FATHOM_FAULT_TREE, NULL,
					 "location group %" PRIu64 ": a process with an accelerator's streams",
					 process->id);
		if (process->type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR && process->threads)
			fathom_fault_say(faults, FATHOM_FAULT_TREE, NULL,
					 "location group %" PRIu64 ": an accelerator with CPU threads",
					 process->id);
	}
}

/* --- topologies -------------------------------------------------------------------------------------- */

void fathom_otf2_topology_place(struct fathom_otf2_defs *defs, struct fathom_otf2_topology *topology, uint32_t rank,
				const uint32_t *coordinates)
{
	size_t bytes;
	uint32_t *at;
	unsigned d;

	if (topology->comm < 0 || topology->count == 0)
		return;
	for (d = 0; d < topology->count; d++)
		if (coordinates[d] >= topology->sizes[d])
			return;
	if (!topology->at) {
		topology->members = fathom_otf2_comm_size(defs, fathom_otf2_at(defs, FATHOM_OTF2_COMM,
									       (uint64_t)topology->comm));
		bytes = (size_t)topology->members * topology->count * sizeof(*topology->at);
		topology->at = fathom_otf2_memory_from(&defs->arena, bytes + 1);
		memset(topology->at, 0xff, bytes);
	}
	if (rank >= topology->members)
		return;
	at = topology->at + (size_t)rank * topology->count;
	topology->placed += *at == FATHOM_OTF2_NOWHERE;
	memcpy(at, coordinates, topology->count * sizeof(*at));
}
