#include "killed_trace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "define/parameter.h"
#include "define/region.h"
#include "killed_events.h"
#include "platform/settings.h"
#include "rebuild.h"
#include "tools/common/command.h"
#include "unfinished_trace.h"
#include "trace/comms.h"
#include "trace/records/metric_records.h"
#include "trace/mpi_objects.h"
#include "trace/records/parameter_records.h"
#include "trace/records/team_records.h"
#include "trace/trace.h"
#include "trace/trace_copy.h"
#include "trace/trace_finish.h"

static uint64_t address_of(const void *pointer)
{
	return (uintptr_t)pointer;
}

static const struct fathom_trace_roots *roots_of(const struct copy *copy)
{
	return copy->roots.trace ? copy_at(copy, copy->roots.trace, sizeof(struct fathom_trace_roots)) : NULL;
}

bool killed_trace_is_there(const struct copy *copy)
{
	const struct fathom_trace_roots *roots = roots_of(copy);

	return roots && roots->layout == fathom_trace_layout();
}

/* Returns element i of an array of the process. NULL: the copy does not have it. */
static const void *element(const struct copy *copy, const struct fathom_trace_array *array, uint64_t i, size_t bytes)
{
	return i < array->count && array->address <= UINT64_MAX - i * bytes ? copy_at(copy, array->address + i * bytes,
										      bytes)
									    : NULL;
}

/* --- communicators -------------------------------------------------------------------------------- */

static const struct fathom_trace_members *members_of(const struct copy *copy, const struct fathom_trace_roots *roots,
						     const struct fathom_trace_comm *comm)
{
	const struct fathom_pool_thing *thing = element(copy, &roots->members, comm->members, sizeof(*thing));
	const struct fathom_trace_members *members;

	members = thing ? copy_at(copy, address_of(thing->data), thing->bytes) : NULL;
	if (!members || thing->bytes < sizeof(*members) || !members->count ||
	    !fathom_trace_members_are_valid(members, thing->bytes))
		return NULL;
	return members;
}

/* Restores the grid of a communicator. The product of its sizes must be the number of members. */
static void restore_dimensions(const struct copy *copy, struct fathom_trace_comm *comm,
			       const struct fathom_trace_members *members)
{
	uint64_t places = 1;

	comm->dimensions = copy_at(copy, address_of(comm->dimensions),
				   comm->dimension_count * sizeof(*comm->dimensions));
	for (uint32_t d = 0; comm->dimensions && d < comm->dimension_count && places <= members->count; d++)
		places *= comm->dimensions[d].size;
	if (!comm->dimensions || places != members->count) {
		comm->dimensions = NULL;
		comm->dimension_count = 0;
	}
}

/* Stands for a communicator that existed but whose data are lost. */
static const struct fathom_trace_comm unknown_comm = {
	.kind = FATHOM_TRACE_COMM_TEAM, .level = FATHOM_TRACE_ALONE, .parent = FATHOM_NO_COMM,
};

static int restore_mpi_comm(const struct copy *copy, const struct fathom_trace_roots *roots,
			    const struct fathom_trace_comm *old)
{
	const struct fathom_trace_members *members = members_of(copy, roots, old);
	struct fathom_trace_comm comm = *old;
	uint32_t known = fathom_trace_comm_count();

	if (!members)
		return fathom_trace_comm_restore(&unknown_comm, NULL);
	if (comm.parent != FATHOM_NO_COMM &&
	    (comm.parent >= known || fathom_trace_comm_by_number(comm.parent)->kind > FATHOM_TRACE_COMM_INTER))
		comm.parent = FATHOM_NO_COMM;
	comm.name = copy_text(copy, address_of(comm.name));
	restore_dimensions(copy, &comm, members);
	return fathom_trace_comm_restore(&comm, members);
}

static int restore_comms(const struct copy *copy, const struct fathom_trace_roots *roots)
{
	enum { MOST_COMMS = 1 << 24 };	/* more than fit into the memory of any process */
	int err = 0;

	for (uint64_t i = 0; !err && i < roots->comms.count && i < MOST_COMMS; i++) {
		const struct fathom_trace_comm *old = element(copy, &roots->comms, i, sizeof(*old));
		struct fathom_trace_comm comm;

		if (!old || old->kind > FATHOM_TRACE_COMM_THREADS) {
			err = fathom_trace_comm_restore(&unknown_comm, NULL);
			continue;
		}
		if (old->kind <= FATHOM_TRACE_COMM_INTER) {
			err = restore_mpi_comm(copy, roots, old);
			continue;
		}
		comm = *old;
		comm.leader = rebuilt_location(address_of(old->leader));
		if (!comm.leader)
			comm.level = comm.kind == FATHOM_TRACE_COMM_TEAM ? FATHOM_TRACE_ALONE : comm.level;
		comm.name = NULL;
		comm.dimensions = NULL;
		comm.dimension_count = 0;
		err = fathom_trace_comm_restore(&comm, NULL);
	}
	return err;
}

/* --- the rest of what records refer to -------------------------------------------------------------- */

/* Restores the objects of a pool, up to the first one that the copy does not have. */
static int restore_pool(const struct copy *copy, const struct fathom_trace_array *array, enum fathom_object_kind kind,
			uint64_t *count)
{
	for (*count = 0; *count < array->count; ++*count) {
		const struct fathom_pool_thing *thing = element(copy, array, *count, sizeof(*thing));
		const char *data = thing ? copy_at(copy, address_of(thing->data), thing->bytes) : NULL;

		if (!data || !thing->bytes || (kind == FATHOM_OBJECT_RANKS && thing->bytes % sizeof(uint32_t)) ||
		    (kind == FATHOM_OBJECT_FILE && memchr(data, '\0', thing->bytes) != data + thing->bytes - 1))
			return 0;
		if (fathom_trace_object_restore(kind, data, thing->bytes))
			return -ENOMEM;
	}
	return 0;
}

static int restore_handles(const struct copy *copy, const struct fathom_trace_array *array,
			   enum fathom_object_kind kind, uint64_t files, uint64_t *count)
{
	for (*count = 0; *count < array->count; ++*count) {
		const struct fathom_trace_handle *old = element(copy, array, *count, sizeof(*old));
		struct fathom_trace_handle handle;

		if (!old || old->comm >= fathom_trace_comm_count() ||
		    fathom_trace_comm_by_number(old->comm)->kind > FATHOM_TRACE_COMM_INTER)
			return 0;
		handle = *old;
		handle.name = copy_text(copy, address_of(old->name));
		if (handle.file >= files)
			handle.file = FATHOM_NO_OBJECT;
		if (fathom_trace_handle_restore(kind, &handle))
			return -ENOMEM;
	}
	return 0;
}

static int restore_texts(const struct copy *copy, const struct fathom_trace_roots *roots)
{
	uint64_t address = roots->first_text;
	const struct fathom_trace_text *text;

	for (uint32_t i = 0; (text = copy_at(copy, address, sizeof(*text))) && text->index == i; i++) {
		if (!copy_at(copy, address, sizeof(*text) + text->length + UINT64_C(1)))
			return 0;
		if (fathom_trace_text_restore(text->bytes, text->length))
			return -ENOMEM;
		address = address_of(text->next);
	}
	return 0;
}

static void restore_parameters(const struct copy *copy)
{
	for (uint64_t i = 0; i < copy->roots.parameter_count; i++) {
		const struct fathom_parameter *old = copy_at(copy, copy->roots.parameters + i * sizeof(*old),
							     sizeof(*old)), *made;
		const char *name = old ? copy_text(copy, address_of(old->name)) : NULL;

		if (!name || old->kind > FATHOM_PARAMETER_KIND_TEXT)
			return;
		made = fathom_parameter_define(name, strlen(name), old->kind);
		if (!made || made->id != i)
			return;
	}
}

static int restore_definitions(const struct copy *copy, const struct fathom_trace_roots *roots,
			       struct event_limits *limits)
{
	int err = restore_comms(copy, roots);

	if (!err)
		err = restore_pool(copy, &roots->ranks, FATHOM_OBJECT_RANKS, &limits->ranks);
	if (!err)
		err = restore_pool(copy, &roots->files, FATHOM_OBJECT_FILE, &limits->files);
	if (!err)
		err = restore_handles(copy, &roots->windows, FATHOM_OBJECT_WINDOW, 0, &limits->windows);
	if (!err)
		err = restore_handles(copy, &roots->handles, FATHOM_OBJECT_HANDLE, limits->files, &limits->handles);
	if (!err)
		err = restore_texts(copy, roots);
	restore_parameters(copy);
	limits->regions = rebuilt_region_count();
	limits->comms = fathom_trace_comm_count();
	limits->strings = fathom_trace_text_count();
	limits->parameters = fathom_parameter_count();
	limits->metrics = fathom_trace_metric_count();
	return err;
}

/* --- locations -------------------------------------------------------------------------------------- */

static void restore_parts(const struct copy *copy, struct fathom_trace *trace, uint64_t address)
{
	struct fathom_trace_membership **last = &trace->memberships;
	const struct fathom_trace_membership *old;

	for (int i = 0; (old = copy_at(copy, address, sizeof(*old))) && i < 1000000; i++) {
		struct fathom_trace_membership *part;

		address = address_of(old->next);
		if (old->comm >= fathom_trace_comm_count() ||
		    fathom_trace_comm_by_number(old->comm)->kind != FATHOM_TRACE_COMM_TEAM)
			continue;
		part = fathom_tool_alloc(1, sizeof(*part));
		*part = *old;
		part->next = NULL;
		part->leader = rebuilt_location(address_of(old->leader));
		*last = part;
		last = &part->next;
	}
}

/* Lists the traces of the locations in the copy, the newest first. Returns their number; the caller frees the list. */
static size_t list_traces(const struct copy *copy, const struct fathom_trace_roots *roots,
			  const struct fathom_trace ***list)
{
	const struct fathom_trace *old;
	size_t count = 0, room = 0;

	*list = NULL;
	for (uint64_t address = roots->newest; (old = copy_at(copy, address, sizeof(*old))) && count < UINT32_MAX;
	     address = address_of(old->next)) {
		struct fathom_location *location = rebuilt_location(address_of(old->location));

		if (count && (*list)[count - 1]->id <= old->id)
			break;		/* the ids descend along a valid list; this list is a ring */
		if (!location)
			continue;
		*list = fathom_tool_grow(*list, count, &room, sizeof(**list));
		(*list)[count++] = old;
	}
	return count;
}

/* Finds the directory with the files of events: where the process wrote them, or where they were moved together with
 * the experiment directory that contains the snapshot. False: it is in neither place. */
static bool find_directory(const struct fathom_trace_roots *roots, const char *snapshot, char *path, size_t bytes)
{
	const char *name = strrchr(roots->directory, '/'), *slash = strrchr(snapshot, '/');
	int length = slash ? (int)(slash - snapshot) : 1;

	if (!memchr(roots->directory, '\0', sizeof(roots->directory)) || !*roots->directory)
		return false;
	if ((size_t)snprintf(path, bytes, "%s", roots->directory) < bytes && !access(path, X_OK))
		return true;
	if ((size_t)snprintf(path, bytes, "%.*s/..%s", length, slash ? snapshot : ".", name ? name : "") < bytes &&
	    !access(path, X_OK))
		return true;
	return false;
}

/* Where the events of a thread are: in the directory that the process had for them, or where it had moved them to when
 * it was killed. */
static void find_events(char *file, size_t bytes, const char *directory, const char *experiment, int32_t rank,
			uint32_t id)
{
	if (snprintf(file, bytes, "%s/events/%u.evt", directory, id) >= (int)bytes || access(file, R_OK))
		unfinished_trace_find(file, bytes, experiment, (uint32_t)rank, id);
}

static int restore_events(const struct copy *copy, const char *path, const struct fathom_trace_roots *roots,
			  const struct event_limits *limits, const char *experiment, int32_t rank)
{
	char directory[PATH_MAX], file[PATH_MAX + 64];
	const struct fathom_trace **traces;
	size_t count = list_traces(copy, roots, &traces), made = 0, damaged = 0;
	struct killed_events **list = fathom_tool_alloc(count + 1, sizeof(struct killed_events *));
	bool has_directory = find_directory(roots, path, directory, sizeof(directory));
	int err = 0, closed;

	if (!has_directory)
		*directory = '\0';
	if (count)
		find_events(file, sizeof(file), directory, experiment, rank, traces[0]->id);
	if (!has_directory && (!count || !*file))
		fathom_tool_error("%s: the directory of its events, %.*s, is missing: the trace may contain only the "
				  "last events of each thread", path, (int)sizeof(roots->directory) - 1,
				  roots->directory);
	for (size_t i = count; !err && i--;) {
		struct fathom_location *location = rebuilt_location(address_of(traces[i]->location));
		struct fathom_trace *trace = location->trace_data ? NULL : fathom_trace_archive_add(location);

		if (!trace || trace->state)
			continue;
		location->trace_data = trace;
		restore_parts(copy, trace, address_of(traces[i]->memberships));
		trace->lost = traces[i]->lost;
		trace->buffer.flushes = traces[i]->buffer.flushes;
		trace->state = traces[i]->state & FATHOM_TRACE_LIMITED;
		find_events(file, sizeof(file), directory, experiment, rank, traces[i]->id);
		list[made] = killed_events_read(trace, traces[i], file, copy, limits, fathom_trace_strict_class_count(),
						&err);
		damaged += killed_events_are_damaged(list[made++]);
	}
	if (damaged)
		fathom_tool_error("%s: events of %zu of %zu threads are missing or damaged: the trace contains the "
				  "undamaged events", path, damaged, made);
	closed = killed_events_close(list, made);
	free(list);
	free(traces);
	if (!made)
		return -ENODATA;
	return err ? err : closed;
}

int killed_trace_write(const struct copy *copy, const char *path, struct fathom_comm *comm,
		       struct fathom_settings *settings, const struct fathom_result *result,
		       const char *directory)
{
	const struct fathom_trace_roots *roots = roots_of(copy);
	struct event_limits limits;
	int err;

	settings->dir = directory;
	settings->trace_memory = settings->trace_limit = 0;
	settings->trace_samples = roots->samples;
	settings->trace_granularity = roots->granularity_ns;
	settings->trace_ring = roots->ring;
	settings->trace_repeat = roots->whole_periods;
	if (!fathom_trace_substrate(settings, NULL))
		return -ENOMEM;
	err = restore_definitions(copy, roots, &limits);
	if (!err)
		err = restore_events(copy, path, roots, &limits, directory, result->rank);
	return fathom_trace_finish_killed(comm, result, err, roots->has_clock, &roots->clock);
}
