#include "trace/definitions/definitions.h"

#include <errno.h>
#include <string.h>

#include "define/region.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "trace/archive.h"
#include "trace/comms.h"
#include "trace/definitions/attribute_definitions.h"
#include "trace/definitions/comm_definitions.h"
#include "trace/definitions/comm_descriptions.h"
#include "trace/definitions/definition_writer.h"
#include "trace/definitions/metric_definitions.h"
#include "trace/definitions/parameter_definitions.h"
#include "trace/definitions/processor_count.h"
#include "trace/definitions/system_definitions.h"
#include "trace/definitions/topology_definitions.h"
#include "trace/mpi_objects.h"
#include "trace/otf2_roles.h"
#include "trace/records/lock_records.h"
#include "trace/records/message_records.h"
#include "trace/records/metric_records.h"
#include "trace/records/parameter_records.h"
#include "trace/records/record.h"
#include "trace/records/team_records.h"
#include "trace/reductions.h"
#include "trace/samples/calling_contexts.h"

/* A region as an entry of the pool. Its texts follow, each with a NUL; has_text shows which of them there are. */
struct region_thing {
	uint64_t offset;
	uint32_t begin_line, end_line;
	uint32_t paradigm, role;
	uint32_t has_text;		/* bits, in the order of fathom_region_texts */
	uint32_t is_of_profile;		/* 0: records may refer to it; else no record does, and this is 1 + its id */
};

/* The data about a process for rank 0. The locations follow, each with its name and a NUL, then the descriptions of
 * those MPI communicators of which the process is the first member (comm_descriptions.h). */
struct info {
	uint64_t first_ticks, last_ticks;	/* times of the clock of rank 0 */
	uint64_t lost, flushes;
	uint32_t location_count;
	uint32_t limited;		/* number of locations that reached FATHOM_TRACE_LIMIT */
	uint32_t master;		/* the location that runs main */
	uint32_t is_incomplete;		/* some MPI communication is not recorded */
	uint32_t has_broken_teams, has_broken_locks;	/* OTF2's rules for them do not hold */
	uint32_t comm_count;
	uint32_t has_gaps;		/* recording was paused */
	uint64_t samples, samples_lost;
};

struct info_location {
	uint64_t events;
	uint32_t name_bytes;		/* with the NUL */
	uint32_t pad;
};

/* --- the part of this process -------------------------------------------------------------------- */

static int add_region(struct fathom_definitions *defs, const struct fathom_region *region)
{
	struct fathom_region copy = *region;
	struct region_thing thing = {
		.offset = region->offset,
		.begin_line = region->begin_line,
		.end_line = region->end_line,
		.paradigm = region->paradigm,
		.role = region->role,
		/* Without its parameters, a region with parameters would be equal to the region without: the id
		 * distinguishes them. */
		.is_of_profile = region->is_of_profile && !fathom_calling_context_uses(region->id) ? region->id + 1 : 0,
	};
	const char **texts[FATHOM_REGION_TEXTS];
	size_t bytes = sizeof(thing);
	char *data, *at;

	copy.parameters = NULL;		/* records contain parameters; the region in the trace has none */
	fathom_region_texts(&copy, texts);
	for (int t = 0; t < FATHOM_REGION_TEXTS; t++) {
		if (!*texts[t])
			continue;
		thing.has_text |= 1u << t;
		bytes += strlen(*texts[t]) + 1;
	}
	data = fathom_arena_alloc(&defs->arena, bytes);
	if (!data)
		return -ENOMEM;
	memcpy(data, &thing, sizeof(thing));
	at = data + sizeof(thing);
	for (int t = 0; t < FATHOM_REGION_TEXTS; t++)
		if (*texts[t])
			at = stpcpy(at, *texts[t]) + 1;
	return fathom_pool_add(&defs->regions, data, (uint32_t)bytes) == region->id ? 0 : -ENOMEM;
}

static int add_regions(struct fathom_definitions *defs)
{
	uint32_t count = fathom_region_count();
	int err = 0;

	for (uint32_t i = 0; !err && i < count; i++)
		err = add_region(defs, fathom_region_by_id(i));
	return err;
}

static bool is_member(const struct fathom_trace_comm *comm, uint32_t number, const struct fathom_trace *trace)
{
	const struct fathom_location *location = trace->location;

	if (comm->kind == FATHOM_TRACE_COMM_THREADS)
		return location->kind != FATHOM_KIND_WORKER;
	if (comm->level == FATHOM_TRACE_ALONE)
		return location == comm->leader;
	return fathom_trace_team_membership(trace, number);
}

/* Returns the rank of a member in the communicator: in a team, its number there. */
static uint32_t rank_of(const struct fathom_trace_comm *comm, uint32_t number, const struct fathom_trace *trace)
{
	if (comm->kind == FATHOM_TRACE_COMM_THREADS)
		return trace->location->number;
	return comm->level == FATHOM_TRACE_ALONE ? 0 : fathom_trace_team_membership(trace, number)->number;
}

static int add_mpi_comm(struct fathom_definitions *defs, uint32_t number)
{
	struct fathom_trace_comm_identity thing = fathom_trace_comm_identify(fathom_trace_comm_by_number(number));

	return fathom_pool_add(&defs->comms, &thing, sizeof(thing)) == number ? 0 : -ENOMEM;
}

static int add_comm(struct fathom_definitions *defs, uint32_t number, uint32_t location_count)
{
	const struct fathom_trace_comm *comm = fathom_trace_comm_by_number(number);
	struct fathom_trace_comm_identity *thing =
		fathom_arena_alloc(&defs->arena, sizeof(*thing) + location_count * sizeof(uint32_t));
	const struct fathom_trace *trace;
	uint32_t *members, bytes, *ranks = fathom_arena_alloc(&defs->arena, (location_count + 1) * sizeof(*ranks));

	if (comm->kind <= FATHOM_TRACE_COMM_INTER)
		return add_mpi_comm(defs, number);
	if (!thing || !ranks)
		return -ENOMEM;
	members = (uint32_t *)(thing + 1);
	*thing = (struct fathom_trace_comm_identity){ .kind = comm->kind, .rank = defs->rank, .number = number };
	for (trace = fathom_trace_archive_newest(); trace; trace = trace->next) {
		uint32_t at = thing->member_count, rank;

		if (!is_member(comm, number, trace))
			continue;
		rank = rank_of(comm, number, trace);
		for (; at && ranks[at - 1] > rank; at--) {
			ranks[at] = ranks[at - 1];
			members[at] = members[at - 1];
		}
		ranks[at] = rank;
		members[at] = trace->id;
		thing->member_count++;
	}
	bytes = (uint32_t)(sizeof(*thing) + thing->member_count * sizeof(uint32_t));
	return fathom_pool_add(&defs->comms, thing, bytes) == number ? 0 : -ENOMEM;
}

/* Lists the traces of all locations by their ids. 0 or -ENOMEM. */
static int list_traces(struct fathom_definitions *defs, const struct fathom_trace ***list, uint32_t *count)
{
	const struct fathom_trace *newest = fathom_trace_archive_newest();

	*count = newest ? newest->id + 1 : 0;
	*list = fathom_arena_alloc(&defs->arena, (*count + 1) * sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (const struct fathom_trace *trace = newest; trace; trace = trace->next)
		(*list)[trace->id] = trace;
	return 0;
}

/* Converts ticks to the time of the clock of rank 0. */
static uint64_t corrected(const struct fathom_definitions *defs, uint64_t ticks)
{
	return defs->sync ? fathom_clock_sync_correct(defs->sync, ticks) : ticks;
}

static int make_info(struct fathom_definitions *defs, const struct fathom_trace **list, uint32_t count)
{
	struct info info = { .first_ticks = UINT64_MAX, .location_count = count };
	size_t most = sizeof(info) + count * (sizeof(struct info_location) + 128) + 8 +
		      fathom_trace_comm_descriptions_bytes(defs);
	char *at = fathom_arena_alloc(&defs->arena, most);

	if (!at)
		return -ENOMEM;
	defs->info = at;
	at += sizeof(info);
	for (uint32_t i = 0; i < count; i++) {
		const struct fathom_trace *trace = list[i];
		struct info_location one = { .events = trace->buffer.events };
		char name[128];

		fathom_location_name(trace->location, name, sizeof(name));
		one.name_bytes = (uint32_t)strlen(name) + 1;
		memcpy(at, &one, sizeof(one));
		memcpy(at + sizeof(one), name, one.name_bytes);
		at += sizeof(one) + one.name_bytes;
		info.lost += trace->lost;
		info.samples += trace->samples;
		info.samples_lost += trace->samples_lost;
		info.flushes += trace->buffer.flushes;
		info.limited += (trace->state & FATHOM_TRACE_LIMITED) != 0;
		if (trace->location->kind == FATHOM_KIND_INITIAL)
			info.master = trace->id;
		if (trace->location->birth_ticks < info.first_ticks)
			info.first_ticks = trace->location->birth_ticks;
		if (trace->buffer.last_ticks > info.last_ticks)
			info.last_ticks = trace->buffer.last_ticks;
	}
	info.is_incomplete = !fathom_trace_messages_are_complete();
	info.has_broken_teams = !fathom_trace_teams_are_complete();
	info.has_broken_locks = !fathom_trace_locks_are_complete();
	info.has_gaps = fathom_trace_has_gaps();
	at = fathom_trace_comm_descriptions_pack(defs,
						 defs->info + fathom_trace_padded_bytes((size_t)(at - defs->info)),
						 &info.comm_count);
	/* Time stamps of records may have been rounded down. */
	info.first_ticks = corrected(defs, info.first_ticks & fathom_trace_tick_mask);
	info.last_ticks = corrected(defs, info.last_ticks);
	memcpy(defs->info, &info, sizeof(info));
	defs->info_bytes = (uint64_t)(at - defs->info);
	return 0;
}

/* Returns the number of absent ranks. If a process of a run of several processes writes a trace alone, its records
 * refer to the other ranks. So these have a location in its trace, with empty files, unless there are too many. */
static uint32_t absent_ranks(const struct fathom_comm *comm, const struct fathom_result *result)
{
	enum { MOST_RANKS = 1000 };

	if (comm->size > 1 || !result->parallel || result->world_size > MOST_RANKS)
		return 0;
	return (uint32_t)result->world_size - 1;
}

int fathom_definitions_init(struct fathom_definitions *defs, struct fathom_comm *comm,
			    const struct fathom_result *result, const struct fathom_clock_sync *sync)
{
	const struct fathom_trace **list;
	uint32_t count;

	memset(defs, 0, sizeof(*defs));
	defs->sync = sync;
	defs->rank = (uint32_t)(comm->size > 1 ? comm->rank : result->rank);
	defs->is_alone = comm->size == 1;
	defs->absent = absent_ranks(comm, result);
	defs->err = list_traces(defs, &list, &count);
	if (!defs->err)
		defs->err = add_regions(defs);
	for (uint32_t i = 0; !defs->err && i < fathom_trace_comm_count(); i++)
		defs->err = add_comm(defs, i, count);
	if (!defs->err)
		defs->err = make_info(defs, list, count);
	if (!defs->err)
		defs->err = fathom_trace_strings_list(&defs->strings, &defs->arena, result);
	if (!defs->err)
		defs->err = fathom_trace_objects_list(&defs->objects, defs->rank, defs->is_alone);
	if (!defs->err)
		defs->err = fathom_trace_parameters_list(&defs->parameters);
	if (!defs->err)
		defs->err = fathom_trace_metrics_list(&defs->metrics, defs->rank);
	if (!defs->err)
		defs->err = fathom_trace_topologies_list(&defs->grids, defs->rank, list, count);
	if (!defs->err)
		defs->err = fathom_context_pools_list(&defs->contexts, &defs->regions);
	defs->contexts.contexts.err = defs->contexts.generators.err = defs->err;
	defs->regions.err = defs->comms.err = defs->strings.err = defs->objects.err = defs->err;
	defs->parameters.err = defs->metrics.err = defs->grids.err = defs->err;
	return defs->err;
}

int fathom_definitions_unite(struct fathom_definitions *defs, struct fathom_comm *comm,
			     const struct fathom_result *result)
{
	int err = fathom_trace_system_build(defs, comm, result);

	if (!err)
		err = fathom_processor_count_sum(comm, result->host, 1, &defs->processor_millis);
	if (!err)
		err = fathom_pool_reduce(&defs->strings, comm);
	if (!err)
		err = fathom_pool_reduce(&defs->regions, comm);
	if (!err)
		err = fathom_pool_reduce(&defs->comms, comm);
	if (!err)
		err = fathom_pool_reduce(&defs->objects, comm);
	if (!err)
		err = fathom_pool_reduce(&defs->parameters, comm);
	if (!err)
		err = fathom_pool_reduce(&defs->grids, comm);
	if (!err)
		err = fathom_context_pools_reduce(&defs->contexts, comm);
	return err ? err : fathom_pool_reduce(&defs->metrics, comm);
}

void fathom_definitions_fini(struct fathom_definitions *defs)
{
	fathom_pool_fini(&defs->strings);
	fathom_pool_fini(&defs->regions);
	fathom_pool_fini(&defs->comms);
	fathom_pool_fini(&defs->objects);
	fathom_pool_fini(&defs->parameters);
	fathom_labels_fini(&defs->labels);
	fathom_system_fini(&defs->system);
	fathom_pool_fini(&defs->metrics);
	fathom_pool_fini(&defs->grids);
	fathom_context_pools_fini(&defs->contexts);
	fathom_arena_fini(&defs->arena);
}

/* --- rank 0 -------------------------------------------------------------------------------------- */

int fathom_definitions_send(struct fathom_definitions *defs, struct fathom_comm *comm)
{
	uint64_t bytes = defs->err ? 0 : defs->info_bytes;
	int err = comm->send(comm, 0, &bytes, sizeof(bytes));

	return err || !bytes ? err : comm->send(comm, 0, defs->info, bytes);
}

static struct info info_of(const struct fathom_trace_writing *w, uint32_t rank)
{
	struct info info;

	memcpy(&info, w->infos[rank], sizeof(info));
	return info;
}

static int receive_infos(struct fathom_trace_writing *w, struct fathom_comm *comm)
{
	int err = 0;

	w->process_count = (uint32_t)comm->size;
	w->rank_count = w->process_count + w->defs->absent;
	w->own_rank = w->defs->rank;
	w->infos = fathom_arena_alloc(&w->arena, w->process_count * sizeof(*w->infos));
	w->first_of = fathom_arena_alloc(&w->arena, w->process_count * sizeof(*w->first_of));
	if (!w->infos || !w->first_of)
		return -ENOMEM;
	w->infos[0] = w->defs->info;
	for (int rank = 1; !err && rank < comm->size; rank++) {
		uint64_t bytes;

		err = comm->receive(comm, rank, &bytes, sizeof(bytes));
		if (err || !bytes) {
			w->err = -ENOMEM;
			continue;
		}
		w->infos[rank] = fathom_arena_alloc(&w->arena, bytes);
		if (!w->infos[rank])
			return -ENOMEM;
		err = comm->receive(comm, rank, w->infos[rank], bytes);
	}
	return err;
}

static void write_clock(struct fathom_trace_writing *w)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (uint32_t rank = 0; rank < w->process_count; rank++) {
		struct info info = info_of(w, rank);

		first = info.first_ticks < first ? info.first_ticks : first;
		last = info.last_ticks > last ? info.last_ticks : last;
	}
	if (first > last)
		first = last;	/* no process has an event; the files of a killed one may be missing */
	DEFINE(OTF2_GlobalDefWriter_WriteClockProperties, (uint64_t)(fathom_trace_ticks_per_second() + 0.5), first,
	       last - first + 1, (uint64_t)w->result->begin_seconds * 1000000000u);
}

static void write_paradigm(struct fathom_trace_writing *w, OTF2_Paradigm paradigm, const char *name,
			   OTF2_ParadigmClass class, const char *comm_name)
{
	OTF2_AttributeValue value;

	DEFINE(OTF2_GlobalDefWriter_WriteParadigm, paradigm, fathom_trace_text(w, name), class);
	value.stringRef = fathom_trace_text(w, comm_name);
	DEFINE(OTF2_GlobalDefWriter_WriteParadigmProperty, paradigm, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE,
	       OTF2_TYPE_STRING, value);
}

/* Returns the number of the location group of a process; location groups are numbered from 0. */
static uint32_t group_of(const struct fathom_trace_writing *w, uint32_t rank)
{
	return w->rank_count > 1 ? fathom_trace_rank(w, rank) : 0;
}

static void write_locations(struct fathom_trace_writing *w, uint32_t rank)
{
	struct info info = info_of(w, rank);
	const char *at = w->infos[rank] + sizeof(info);

	for (uint32_t i = 0; i < info.location_count; i++) {
		struct info_location one;
		uint64_t id = fathom_trace_location_id(fathom_trace_rank(w, rank), i);

		memcpy(&one, at, sizeof(one));
		DEFINE(OTF2_GlobalDefWriter_WriteLocation, id, fathom_trace_text(w, at + sizeof(one)),
		       OTF2_LOCATION_TYPE_CPU_THREAD, one.events, group_of(w, rank));
		w->locations[w->first_of[rank] + i] = id;
		at += sizeof(one) + one.name_bytes;
	}
	w->master_of[rank] = info.master;
	at = w->infos[rank] + fathom_trace_padded_bytes((size_t)(at - w->infos[rank]));
	for (uint32_t i = 0; i < info.comm_count; i++)
		at = fathom_trace_comm_description_read(w, at);
}

static bool is_absent(const struct fathom_trace_writing *w, uint32_t rank)
{
	return w->process_count < w->rank_count && rank != w->own_rank;
}

/* Writes the location group of a process. The node of an absent process is not known: the group is put below node 0. */
static void write_process(struct fathom_trace_writing *w, uint32_t group)
{
	uint32_t process = w->process_count > 1 ? group : 0, node = 0;
	char name[64] = "Process";

	if (is_absent(w, group))
		fathom_format(name, sizeof(name), "MPI Rank %u (absent)", group);
	else if (w->result->parallel)
		fathom_format(name, sizeof(name), "MPI Rank %u", fathom_trace_rank(w, process));
	if (!is_absent(w, group))
		node = w->node_of[process];
	DEFINE(OTF2_GlobalDefWriter_WriteLocationGroup, group, fathom_trace_text(w, name),
	       OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP);
}

static void write_processes(struct fathom_trace_writing *w)
{
	fathom_trace_write_system(w);
	if (w->err)
		return;
	for (uint32_t group = 0; group < w->rank_count; group++)
		write_process(w, group);
	for (uint32_t rank = 0; rank < w->process_count; rank++)
		write_locations(w, rank);
	for (uint32_t rank = 0; rank < w->rank_count; rank++)
		if (is_absent(w, rank))
			DEFINE(OTF2_GlobalDefWriter_WriteLocation, fathom_trace_location_id(rank, 0),
			       fathom_trace_text(w, "absent"), OTF2_LOCATION_TYPE_CPU_THREAD, 0, rank);
}

/* Reads a region of the union, and gives it a name if it has none. */
static void read_region(struct fathom_trace_writing *w, const struct fathom_pool_thing *from,
			struct fathom_region *region)
{
	const char **texts[FATHOM_REGION_TEXTS], *at = (const char *)from->data + sizeof(struct region_thing);
	struct region_thing thing;

	memset(region, 0, sizeof(*region));
	memcpy(&thing, from->data, sizeof(thing));
	region->offset = thing.offset;
	region->begin_line = thing.begin_line;
	region->end_line = thing.end_line;
	region->paradigm = thing.paradigm;
	region->role = thing.role;
	fathom_region_texts(region, texts);
	for (int t = 0; t < FATHOM_REGION_TEXTS; t++) {
		if (!(thing.has_text & 1u << t))
			continue;
		*texts[t] = at;
		at += strlen(at) + 1;
	}
	if (!region->name && w->result->resolve)
		w->result->resolve(region, true);
	if (!region->name)
		region->name = fathom_region_place_name(region, &w->arena);
	if (!region->name)
		w->err = -ENOMEM;
}

static void write_region(struct fathom_trace_writing *w, uint32_t number, const struct fathom_region *region)
{
	const char *canonical_name = region->canonical ? region->canonical : region->name;
	uint32_t name = fathom_trace_text(w, region->name), canonical = fathom_trace_text(w, canonical_name);
	uint32_t file = region->file ? fathom_trace_text(w, region->file) : OTF2_UNDEFINED_STRING;

	DEFINE(OTF2_GlobalDefWriter_WriteRegion, number, name, canonical, 0, fathom_trace_role(region),
	       fathom_trace_paradigm(region->paradigm),
	       region->role == FATHOM_ROLE_DYNAMIC ? OTF2_REGION_FLAG_DYNAMIC : OTF2_REGION_FLAG_NONE, file,
	       region->begin_line, region->end_line);
}

static void write_regions(struct fathom_trace_writing *w)
{
	static const struct fathom_region flush = { .name = "TRACE BUFFER FLUSH", .role = FATHOM_ROLE_ARTIFICIAL,
						    .paradigm = FATHOM_PARADIGM_MEASUREMENT };
	static const struct fathom_region off = { .name = "MEASUREMENT OFF", .role = FATHOM_ROLE_ARTIFICIAL,
						  .paradigm = FATHOM_PARADIGM_USER };
	const struct fathom_pool *regions = &w->defs->regions;
	struct fathom_region region;
	uint32_t number = 0;

	w->defs->region_names = fathom_arena_alloc(&w->defs->arena, (regions->count + 1) * sizeof(uint32_t));
	w->err = w->defs->region_names ? w->err : -ENOMEM;
	for (uint32_t i = 0; !w->err && i < regions->count; i++) {
		struct region_thing thing;

		memcpy(&thing, regions->things[i].data, sizeof(thing));
		if (thing.is_of_profile)
			continue;
		read_region(w, &regions->things[i], &region);
		w->defs->region_names[i] = number;
		if (!w->err)
			write_region(w, number++, &region);
	}
	/* Some tools look for these two regions even though no record refers to them. */
	write_region(w, number, &flush);
	write_region(w, number + 1, &off);
}

/* Writes the strings that records refer to. */
static void write_strings(struct fathom_trace_writing *w)
{
	const struct fathom_pool *strings = &w->defs->strings;

	/* String 0 of the trace is the empty string. */
	fathom_trace_text(w, "");
	w->defs->string_names = fathom_arena_alloc(&w->defs->arena, (strings->count + 1) * sizeof(uint32_t));
	if (!w->defs->string_names) {
		w->err = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < strings->count; i++)
		w->defs->string_names[i] = fathom_trace_text(w, (const char *)strings->things[i].data + 1);
}

static bool has_paradigm(const struct fathom_trace_writing *w, enum fathom_paradigm paradigm)
{
	const struct fathom_pool *regions = &w->defs->regions;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct region_thing thing;

		memcpy(&thing, regions->things[i].data, sizeof(thing));
		if (thing.paradigm == paradigm)
			return true;
	}
	return false;
}

static void write_paradigms(struct fathom_trace_writing *w)
{
	if (has_paradigm(w, FATHOM_PARADIGM_MPI) || w->result->parallel)
		write_paradigm(w, OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS, "Comm ${id}");
	if (has_paradigm(w, FATHOM_PARADIGM_OPENMP))
		write_paradigm(w, OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN,
			       "Thread team ${id}");
	if (has_paradigm(w, FATHOM_PARADIGM_PTHREAD))
		write_paradigm(w, OTF2_PARADIGM_PTHREAD, "POSIX threads", OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT,
			       "Threads ${id}");
}

static void write_all(struct fathom_trace_writing *w)
{
	write_clock(w);
	write_strings(w);
	write_paradigms(w);
	write_processes(w);
	write_regions(w);
	fathom_trace_parameters_write(w, &w->defs->parameters);
	fathom_trace_write_comms(w);
	fathom_trace_attributes_write(w);
	if (!w->err)
		w->defs->object_names = fathom_trace_objects_write(w, &w->defs->objects);
	fathom_trace_topologies_write(w, &w->defs->grids);
	if (!w->err)
		w->defs->metric_names = fathom_trace_metrics_write(w, &w->defs->metrics);
	fathom_context_pools_write(&w->defs->contexts, w, &w->defs->regions, w->defs->region_names);
}

/* Reports records that were left out. Flushes are usual in long runs: only a user who has limited the memory gets a
 * message about them. */
static void say_losses(uint64_t lost, uint64_t flushes, uint64_t limited)
{
	if (limited)
		fathom_log(FATHOM_LOG_SAY, "trace: FATHOM_TRACE_LIMIT was reached on %lu threads; %lu events of "
			   "functions are left out", (unsigned long)limited, (unsigned long)lost);
	if (flushes)
		fathom_log(fathom_trace_archive_is_capped() ? FATHOM_LOG_SAY : FATHOM_LOG_INFO,
			   "trace: full buffers were written to files %lu times during the run; with a larger "
			   "FATHOM_TRACE_MEMORY this is rarer", (unsigned long)flushes);
}

/* Reports that clocks are less accurate than was measured. */
static void say_violations(const struct fathom_message_times_result *arrivals)
{
	if (arrivals->early)
		fathom_log(FATHOM_LOG_SAY, "trace: of %lu messages that were checked, %lu are received before they are "
			   "sent, by %.1f us at most", (unsigned long)arrivals->checked, (unsigned long)arrivals->early,
			   (double)arrivals->most_ticks * 1e6 / fathom_trace_ticks_per_second());
}

/* Writes the number of clocks, and the largest error of a time compared with rank 0's clock. */
static void write_clock_properties(struct fathom_trace_writing *w, OTF2_Archive *archive,
				   const struct fathom_clock_sync *sync)
{
	double ns = 1e9 / fathom_trace_ticks_per_second();
	char number[32];

	fathom_format(number, sizeof(number), "%u", sync->clock_count);
	fathom_trace_note(w, OTF2_Archive_SetProperty(archive, "FATHOM::CLOCKS", number, true));
	fathom_format(number, sizeof(number), "%lu",
		      sync->clock_count < 2 ? 0 : (unsigned long)((double)sync->largest_error * ns + 1));
	fathom_trace_note(w, OTF2_Archive_SetProperty(archive, "FATHOM::CLOCK_ERROR_NS", number, true));
	fathom_format(number, sizeof(number), "%lu", (unsigned long)w->defs->arrivals.early);
	fathom_trace_note(w, OTF2_Archive_SetProperty(archive, "FATHOM::CLOCK_VIOLATIONS", number, true));
	fathom_format(number, sizeof(number), "%lu", (unsigned long)w->defs->arrivals.checked);
	fathom_trace_note(w, OTF2_Archive_SetProperty(archive, "FATHOM::CLOCK_CHECKED_MESSAGES", number, true));
}

static void write_properties(struct fathom_trace_writing *w, OTF2_Archive *archive)
{
	uint64_t lost = 0, flushes = 0, limited = 0, incomplete = 0, teams = 0, locks = 0, gaps = 0, samples = 0;
	uint64_t samples_lost = 0;
	bool is_complete = !w->result->incomplete;
	char number[32];

	for (uint32_t rank = 0; rank < w->process_count; rank++) {
		struct info info = info_of(w, rank);

		lost += info.lost;
		flushes += info.flushes;
		limited += info.limited;
		incomplete += info.is_incomplete;
		teams += info.has_broken_teams;
		locks += info.has_broken_locks;
		gaps += info.has_gaps;
		samples += info.samples;
		samples_lost += info.samples_lost;
	}
	/* Events are lost only if functions were left out because of a limit; if any other event is lost, there is no
	 * trace. */
	OTF2_Archive_SetBoolProperty(archive, "OTF2::MPI_COMMUNICATION_COMPLETE", is_complete && !incomplete, true);
	OTF2_Archive_SetBoolProperty(archive, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", is_complete && !teams, true);
	OTF2_Archive_SetBoolProperty(archive, "OTF2::THREAD_LOCK_EVENT_COMPLETE", is_complete && !locks, true);
	OTF2_Archive_SetBoolProperty(archive, "OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE", is_complete && !gaps, true);
	OTF2_Archive_SetProperty(archive, "FATHOM::PROGRAM", w->result->program, true);
	OTF2_Archive_SetProperty(archive, "FATHOM::ARGUMENTS", w->result->arguments, true);
	if (w->result->filter)
		OTF2_Archive_SetProperty(archive, "FATHOM::FILTER", w->result->filter, true);
	OTF2_Archive_SetProperty(archive, "FATHOM::BEGIN", w->result->begin_text, true);
	fathom_format(number, sizeof(number), "%lu", (unsigned long)lost);
	OTF2_Archive_SetProperty(archive, "FATHOM::DROPPED_EVENTS", number, true);
	fathom_format(number, sizeof(number), "%lu", (unsigned long)flushes);
	OTF2_Archive_SetProperty(archive, "FATHOM::BUFFER_FLUSHES", number, true);
	fathom_format(number, sizeof(number), "%lu", (unsigned long)limited);
	OTF2_Archive_SetProperty(archive, "FATHOM::LIMITED_LOCATIONS", number, true);
	fathom_trace_note(w, fathom_trace_reductions_write(archive));
	if (w->defs->contexts.contexts.count) {
		fathom_format(number, sizeof(number), "%lu", (unsigned long)samples);
		OTF2_Archive_SetProperty(archive, "FATHOM::SAMPLES", number, true);
		fathom_format(number, sizeof(number), "%lu", (unsigned long)samples_lost);
		OTF2_Archive_SetProperty(archive, "FATHOM::DROPPED_SAMPLES", number, true);
	}
	if (w->defs->sync && w->defs->sync->clock_count)
		write_clock_properties(w, archive, w->defs->sync);
	fathom_trace_note(w, fathom_processor_count_write(archive, w->defs->processor_millis));
	fathom_format(number, sizeof(number), "%u", w->defs->absent);
	OTF2_Archive_SetProperty(archive, "FATHOM::ABSENT_PROCESSES", number, true);
	if (w->result->incomplete)
		OTF2_Archive_SetProperty(archive, "FATHOM::INCOMPLETE", w->result->incomplete, true);
	say_losses(lost, flushes, limited);
	say_violations(&w->defs->arrivals);
}

static int count_locations(struct fathom_trace_writing *w)
{
	for (uint32_t rank = 0; rank < w->process_count; rank++) {
		w->first_of[rank] = w->location_count;
		w->location_count += info_of(w, rank).location_count;
	}
	w->locations = fathom_arena_alloc(&w->arena, (w->location_count + 1) * sizeof(*w->locations));
	w->master_of = fathom_arena_alloc(&w->arena, w->process_count * sizeof(*w->master_of));
	w->descriptions = fathom_arena_alloc(&w->arena, (w->defs->comms.count + 1) * sizeof(*w->descriptions));
	return w->locations && w->master_of && w->descriptions ? 0 : -ENOMEM;
}

static int write_archive(struct fathom_trace_writing *w, const char *directory)
{
	OTF2_Archive *archive = fathom_trace_archive_create(directory, w->location_count + w->defs->absent);
	int err;

	if (!archive)
		return -EIO;
	w->writer = OTF2_Archive_GetGlobalDefWriter(archive);
	if (!w->writer) {
		OTF2_Archive_Close(archive);
		return -EIO;
	}
	write_all(w);
	fathom_trace_note(w, OTF2_Archive_CloseGlobalDefWriter(archive, w->writer));
	write_properties(w, archive);
	fathom_trace_note(w, OTF2_Archive_Close(archive));
	/* The anchor is hidden after an error, too: withdraw() removes the hidden anchor, and no tool may regard this
	 * one as a trace. */
	err = fathom_trace_archive_hide(directory);
	if (fathom_trace_has_failed())
		return fathom_trace_error();
	return w->err ? w->err : err;
}

int fathom_definitions_write(struct fathom_definitions *defs, struct fathom_comm *comm,
			     const struct fathom_result *result, const char *directory)
{
	struct fathom_trace_writing w = { .defs = defs, .result = result };
	int err = receive_infos(&w, comm);

	if (!err)
		err = w.err ? w.err : defs->err ? defs->err : defs->regions.err ? defs->regions.err : defs->comms.err;
	if (!err)
		err = defs->objects.err ? defs->objects.err : defs->metrics.err;
	if (!err)
		err = count_locations(&w);
	if (!err)
		err = write_archive(&w, directory);
	fathom_pool_fini(&w.strings);
	fathom_arena_fini(&w.arena);
	return err;
}

/* --- all ranks ----------------------------------------------------------------------------------- */

/* Completes the local definitions. Tools demand clock offsets if there are several processes; a process that writes
 * a trace alone has the right time. */
static int place_files(const struct fathom_definitions *defs, struct fathom_trace_tables *tables)
{
	static const struct fathom_clock_sync_point right[2] = { { .ticks = 0 }, { .ticks = 1 } };
	int err = defs->absent ? fathom_trace_archive_add_absent() : 0;

	if (defs->absent)
		tables->clock = right;
	if (!err)
		err = fathom_trace_archive_begin_local();
	for (struct fathom_trace *trace = fathom_trace_archive_newest(); !err && trace; trace = trace->next)
		err = fathom_trace_archive_write_local(trace, tables);
	if (!err && defs->absent)
		err = fathom_trace_archive_write_absent(tables->clock);
	return err;
}

int fathom_definitions_place(struct fathom_definitions *defs, struct fathom_comm *comm, const char *directory,
			     bool has_events)
{
	struct fathom_trace_tables tables = {
		.string_count = defs->strings.own,
		.region_count = defs->regions.own,
		.comm_count = defs->comms.own,
		.parameter_count = defs->parameters.own,
		.metric_count = defs->metrics.own,
		.clock = defs->sync ? defs->sync->points : NULL,
	};
	uint32_t *objects = fathom_arena_alloc(&defs->arena, (defs->objects.own + 1) * sizeof(*objects));
	int err, broken;

	tables.regions = fathom_arena_alloc(&defs->arena, (tables.region_count + 1) * sizeof(*tables.regions));
	tables.comms = fathom_arena_alloc(&defs->arena, (tables.comm_count + 1) * sizeof(*tables.comms));
	tables.strings = fathom_arena_alloc(&defs->arena, (tables.string_count + 1) * sizeof(*tables.strings));
	tables.parameters = fathom_arena_alloc(&defs->arena, (tables.parameter_count + 1) * sizeof(*tables.parameters));
	tables.metrics = fathom_arena_alloc(&defs->arena, (tables.metric_count + 1) * sizeof(*tables.metrics));
	if (!tables.strings || !tables.regions || !tables.comms || !tables.parameters || !tables.metrics ||
	    !objects)
		return -ENOMEM;
	broken = fathom_pool_hand_back(&defs->strings, comm, defs->string_names, tables.strings);
	if (!broken)
		broken = fathom_pool_hand_back(&defs->regions, comm, defs->region_names, tables.regions);
	if (!broken)
		broken = fathom_pool_hand_back(&defs->comms, comm, defs->comm_names, tables.comms);
	if (!broken)
		broken = fathom_pool_hand_back(&defs->objects, comm, defs->object_names, objects);
	if (!broken)
		broken = fathom_pool_hand_back(&defs->parameters, comm, NULL, tables.parameters);
	if (!broken)
		broken = fathom_pool_hand_back(&defs->metrics, comm, defs->metric_names, tables.metrics);
	if (broken)
		return broken;
	err = fathom_trace_objects_tables(&tables.objects, objects, &defs->arena);
	if (!err)
		err = place_files(defs, &tables);
	return err ? err : fathom_trace_archive_move(directory, defs->rank, defs->absent, has_events);
}
