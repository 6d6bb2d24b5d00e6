/* A group of a paradigm is a list of positions in the one list of the paradigm's locations. A definition must be
 * written before definitions that refer to it. So communicators get new numbers: the communicator of all processes
 * comes first, and no communicator comes before the one that it was made from. */
#include "trace/definitions/comm_definitions.h"

#include <errno.h>
#include <string.h>

#include "platform/log.h"
#include "trace/archive.h"
#include "trace/comms.h"
#include "trace/definitions/definition_writer.h"
#include "trace/definitions/definition_pools.h"
#include "trace/rank_list.h"

static struct fathom_trace_comm_identity thing_of(const struct fathom_trace_writing *w, uint32_t comm)
{
	struct fathom_trace_comm_identity thing;

	memcpy(&thing, w->defs->comms.things[comm].data, sizeof(thing));
	return thing;
}

static bool is_world(const struct fathom_trace_writing *w, uint32_t comm)
{
	struct fathom_trace_comm_identity thing = thing_of(w, comm);
	const struct fathom_trace_members *members = w->descriptions[comm].members;

	if (thing.kind != FATHOM_TRACE_COMM_MPI || thing.number || thing.key || thing.operation || !members ||
	    thing.member_count != w->rank_count)
		return false;
	return fathom_rank_list_counts_up(members->words, members->count);
}

static bool has_kind(const struct fathom_trace_writing *w, uint32_t first, uint32_t last)
{
	for (uint32_t i = 0; i < w->defs->comms.count; i++) {
		uint32_t kind = thing_of(w, i).kind;

		if (kind >= first && kind <= last)
			return true;
	}
	return false;
}

static void write_group(struct fathom_trace_writing *w, const char *name, OTF2_GroupType type, OTF2_Paradigm paradigm,
			uint32_t count, const uint64_t *members)
{
	DEFINE(OTF2_GlobalDefWriter_WriteGroup, w->groups++, fathom_trace_text(w, name), type, paradigm,
	       OTF2_GROUP_FLAG_NONE, count, members);
}

/* Writes the lists of locations that groups refer to by position. For MPI, a process is the thread that runs main. */
static void write_lists(struct fathom_trace_writing *w)
{
	if (has_kind(w, FATHOM_TRACE_COMM_MPI, FATHOM_TRACE_COMM_INTER)) {
		uint64_t *masters = fathom_arena_alloc(&w->arena, (w->rank_count + 1) * sizeof(*masters));

		if (!masters) {
			w->err = -ENOMEM;
			return;
		}
		for (uint32_t rank = 0; rank < w->rank_count; rank++)
			masters[rank] = fathom_trace_location_id(rank, 0);	/* used for ranks that are absent */
		for (uint32_t i = 0; i < w->process_count; i++)
			masters[w->rank_count > 1 ? fathom_trace_rank(w, i) : 0] =
				w->locations[w->first_of[i] + w->master_of[i]];
		write_group(w, "MPI locations", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, w->rank_count,
			    masters);
	}
	if (has_kind(w, FATHOM_TRACE_COMM_TEAM, FATHOM_TRACE_COMM_TEAM))
		write_group(w, "OpenMP locations", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
			    (uint32_t)w->location_count, w->locations);
	if (has_kind(w, FATHOM_TRACE_COMM_THREADS, FATHOM_TRACE_COMM_THREADS))
		write_group(w, "Pthread locations", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_PTHREAD,
			    (uint32_t)w->location_count, w->locations);
}

/* The groups of processes that are written already. */
struct known {
	struct fathom_pool lists;	/* lists of ranks */
	uint32_t *groups;		/* by list: 1 + number of the group; 0: not written */
	uint32_t self;			/* number of the group of the process itself (MPI_COMM_SELF) */
};

/* Returns the ranks of all members, in memory of w. NULL: no memory; w has the error. */
static const uint32_t *ranks_of(struct fathom_trace_writing *w, const struct fathom_trace_members *members)
{
	size_t total = (size_t)members->count + members->remote_count;
	uint32_t *ranks = fathom_arena_alloc(&w->arena, (total + 1) * sizeof(*ranks));

	if (ranks)
		fathom_trace_members_ranks(members, ranks);
	else
		w->err = -ENOMEM;
	return ranks;
}

/* Returns the number of the group of these ranks, which is written if it is new. */
static uint32_t mpi_group(struct fathom_trace_writing *w, struct known *known, const uint32_t *ranks, uint32_t count)
{
	int64_t place = fathom_pool_add(&known->lists, ranks, count * (uint32_t)sizeof(*ranks));
	uint64_t *members;

	if (place >= 0 && known->groups[place])
		return known->groups[place] - 1;
	members = fathom_arena_alloc(&w->arena, (count + 1) * sizeof(*members));
	if (place < 0 || !members) {
		w->err = -ENOMEM;
		return 0;
	}
	for (uint32_t i = 0; i < count; i++)
		members[i] = ranks[i];
	write_group(w, "", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, count, members);
	known->groups[place] = w->groups;
	return w->groups - 1;
}

/* Returns the number of the group of the members. */
static uint32_t first_group(struct fathom_trace_writing *w, struct known *known,
			    const struct fathom_trace_members *members)
{
	const uint32_t *ranks = ranks_of(w, members);

	return ranks ? mpi_group(w, known, ranks, members->count) : 0;
}

static void write_comm(struct fathom_trace_writing *w, uint32_t number, const char *name, uint32_t group,
		       uint32_t parent, bool has_life)
{
	DEFINE(OTF2_GlobalDefWriter_WriteComm, number, fathom_trace_text(w, name), group, parent,
	       has_life ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE);
}

/* Writes a team, or the created threads of a process. */
static void write_threads(struct fathom_trace_writing *w, uint32_t comm, uint32_t number)
{
	const char *data = w->defs->comms.things[comm].data;
	struct fathom_trace_comm_identity thing = thing_of(w, comm);
	uint64_t *members = fathom_arena_alloc(&w->arena, (thing.member_count + 1) * sizeof(*members));

	if (!members) {
		w->err = -ENOMEM;
		return;
	}
	for (uint32_t m = 0; m < thing.member_count; m++) {
		uint32_t id;

		memcpy(&id, data + sizeof(thing) + m * sizeof(id), sizeof(id));
		members[m] = w->first_of[w->process_count > 1 ? thing.rank : 0] + id;
	}
	write_group(w, "", OTF2_GROUP_TYPE_COMM_GROUP,
		    thing.kind == FATHOM_TRACE_COMM_TEAM ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_PTHREAD,
		    thing.member_count, members);
	write_comm(w, number, "", w->groups - 1, OTF2_UNDEFINED_COMM, false);
}

/* Returns the number in the trace of the communicator's parent. */
static uint32_t parent_name(const struct fathom_trace_writing *w, uint32_t comm)
{
	uint32_t parent = w->descriptions[comm].parent;

	return parent == OTF2_UNDEFINED_COMM ? parent : w->defs->comm_names[parent];
}

static void write_inter(struct fathom_trace_writing *w, struct known *known, uint32_t comm, uint32_t number)
{
	const struct fathom_trace_members *members = w->descriptions[comm].members;
	const uint32_t *ranks = ranks_of(w, members);
	uint32_t a, b;

	if (!ranks)
		return;
	a = mpi_group(w, known, ranks, members->count);
	b = mpi_group(w, known, ranks + members->count, members->remote_count);
	DEFINE(OTF2_GlobalDefWriter_WriteInterComm, number, fathom_trace_text(w, w->descriptions[comm].name), a, b,
	       parent_name(w, comm),
	       OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
}

/* Writes the topology of a Cartesian communicator, if it is one. MPI numbers its ranks with the last dimension
 * running fastest. */
static void write_topology(struct fathom_trace_writing *w, uint32_t comm, uint32_t number)
{
	const struct fathom_trace_comm_description *description = &w->descriptions[comm];
	uint32_t dimensions[UINT8_MAX], coordinates[UINT8_MAX];
	uint32_t count = description->dimension_count, topology = w->topologies;
	char name[64];

	if (!count || count > UINT8_MAX)
		return;
	for (uint32_t d = 0; d < count; d++) {
		const struct fathom_comm_dimension *dimension = &description->dimensions[d];

		fathom_format(name, sizeof(name), "dimension %u", d);
		dimensions[d] = w->dimensions++;
		DEFINE(OTF2_GlobalDefWriter_WriteCartDimension, dimensions[d], fathom_trace_text(w, name),
		       dimension->size, dimension->periodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE);
	}
	fathom_format(name, sizeof(name), "MPI_Cartesian_%u", description->members->count);
	w->topologies++;
	DEFINE(OTF2_GlobalDefWriter_WriteCartTopology, topology,
	       fathom_trace_text(w, *description->name ? description->name : name), number, (uint8_t)count, dimensions);
	for (uint32_t rank = 0; rank < description->members->count; rank++) {
		uint32_t rest = rank;

		for (uint32_t d = count; d-- > 0; rest /= description->dimensions[d].size)
			coordinates[d] = rest % description->dimensions[d].size;
		DEFINE(OTF2_GlobalDefWriter_WriteCartCoordinate, topology, rank, (uint8_t)count, coordinates);
	}
}

/* Names a communicator of one member. The first one is MPI_COMM_SELF; in a run of one process, the world comes
 * before it. */
static const char *self_name(const struct fathom_trace_writing *w, uint32_t number)
{
	uint32_t worlds = w->result->world_size == 1;

	if (!w->result->parallel || number > worlds)
		return "";
	return number < worlds ? "MPI_COMM_WORLD" : "MPI_COMM_SELF";
}

/* Writes an MPI communicator. A communicator that no process has described gets the group of the process itself, so
 * that its records are not lost. */
static void write_mpi(struct fathom_trace_writing *w, struct known *known, uint32_t comm, uint32_t number,
		      uint32_t world)
{
	struct fathom_trace_comm_identity thing = thing_of(w, comm);
	const struct fathom_trace_comm_description *description = &w->descriptions[comm];
	const struct fathom_trace_members *members = description->members;
	bool all = world == number;

	if (thing.kind == FATHOM_TRACE_COMM_SELF)
		write_comm(w, number, self_name(w, thing.number), known->self, OTF2_UNDEFINED_COMM, true);
	else if (thing.kind == FATHOM_TRACE_COMM_INTER && members)
		write_inter(w, known, comm, number);
	else
		write_comm(w, number, all ? "MPI_COMM_WORLD" : members ? description->name : "",
			   members ? first_group(w, known, members) : known->self,
			   members ? parent_name(w, comm) : OTF2_UNDEFINED_COMM, true);
}

/* Gives numbers to a communicator and to its ancestors, which come first; most of them have numbers already. */
static void name_comm(struct fathom_trace_writing *w, uint32_t comm, uint32_t *next)
{
	uint32_t *names = w->defs->comm_names;

	while (names[comm] == UINT32_MAX) {
		uint32_t at = comm, steps = 0;

		/* The process that described a communicator knew its parent before. A ring is impossible, but would
		 * hang the program. */
		while (w->descriptions[at].parent != OTF2_UNDEFINED_COMM &&
		       names[w->descriptions[at].parent] == UINT32_MAX && steps++ < w->defs->comms.count)
			at = w->descriptions[at].parent;
		names[at] = (*next)++;
	}
}

/* Gives new numbers to all communicators: the world first, the others in the order of the union. Returns the number
 * of the world, 0, or OTF2_UNDEFINED_COMM. */
static uint32_t name_comms(struct fathom_trace_writing *w)
{
	uint32_t *names = w->defs->comm_names, next = 0, world = OTF2_UNDEFINED_COMM, count = w->defs->comms.count;

	for (uint32_t i = 0; i < count && world == OTF2_UNDEFINED_COMM; i++)
		if (is_world(w, i))
			world = i;
	for (uint32_t i = 0; i < count; i++) {
		names[i] = UINT32_MAX;
		if (!w->descriptions[i].members)
			w->descriptions[i].parent = OTF2_UNDEFINED_COMM;
	}
	if (world != OTF2_UNDEFINED_COMM) {
		names[world] = next++;
		w->descriptions[world].parent = OTF2_UNDEFINED_COMM;
	}
	for (uint32_t i = 0; i < count; i++)
		name_comm(w, i, &next);
	return world == OTF2_UNDEFINED_COMM ? world : 0;
}

static void write_in_order(struct fathom_trace_writing *w, struct known *known, uint32_t world)
{
	uint32_t count = w->defs->comms.count, *by_name = fathom_arena_alloc(&w->arena, (count + 1) * sizeof(*by_name));

	if (!by_name) {
		w->err = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		by_name[w->defs->comm_names[i]] = i;
	for (uint32_t name = 0; !w->err && name < count; name++) {
		if (thing_of(w, by_name[name]).kind <= FATHOM_TRACE_COMM_INTER)
			write_mpi(w, known, by_name[name], name, world);
		else
			write_threads(w, by_name[name], name);
	}
}

uint32_t fathom_trace_world(const struct fathom_trace_writing *w)
{
	for (uint32_t i = 0; i < w->defs->comms.count; i++)
		if (is_world(w, i))
			return w->defs->comm_names[i];
	return OTF2_UNDEFINED_COMM;
}

void fathom_trace_write_comms(struct fathom_trace_writing *w)
{
	uint32_t count = w->defs->comms.count, world;
	struct known known = { .self = 0 };

	w->defs->comm_names = fathom_arena_alloc(&w->defs->arena, (count + 1) * sizeof(uint32_t));
	known.groups = fathom_arena_alloc(&w->arena, (2 * count + 1) * sizeof(uint32_t));
	if (!w->defs->comm_names || !known.groups) {
		w->err = -ENOMEM;
		return;
	}
	world = name_comms(w);
	write_lists(w);
	known.self = w->groups;
	if (has_kind(w, FATHOM_TRACE_COMM_MPI, FATHOM_TRACE_COMM_INTER))
		write_group(w, "", OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, 0, NULL);
	write_in_order(w, &known, world);
	for (uint32_t i = 0; !w->err && i < count; i++)
		if (w->descriptions[i].members)
			write_topology(w, i, w->defs->comm_names[i]);
	fathom_pool_fini(&known.lists);
}
