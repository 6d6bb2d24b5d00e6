#include "otf2/selection.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

/* Gives new ids to the processes and metrics that are kept. */
static void number_kept(struct fathom_otf2_selection *selection)
{
	const struct fathom_otf2_defs *defs = selection->defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS), i;
	uint32_t next = 0;

	selection->process_ids = fathom_otf2_memory_alloc(count, sizeof(uint32_t));
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		selection->process_ids[i] = !selection->processes[i] ? UINT32_MAX :
					    selection->is_all ? (uint32_t)process->id : next++;
	}
	next = 0;
	count = fathom_otf2_count(defs, FATHOM_OTF2_METRIC);
	selection->metric_ids = fathom_otf2_memory_alloc(count, sizeof(uint32_t));
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_metric *metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, i);
		bool is_kept = metric->of_class < 0 ||
			       fathom_otf2_selection_has_id(selection, metric->recorder_location);

		selection->metric_ids[i] = selection->is_all ? (uint32_t)metric->id : is_kept ? next++ : UINT32_MAX;
	}
}

void fathom_otf2_selection_init(struct fathom_otf2_selection *selection, struct fathom_otf2_defs *defs,
				const bool *processes)
{
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS), i;

	*selection = (struct fathom_otf2_selection){ .defs = defs, .is_all = true };
	selection->processes = fathom_otf2_memory_alloc(count, sizeof(bool));
	for (i = 0; i < count; i++) {
		selection->processes[i] = !processes || processes[i];
		selection->is_all = selection->is_all && selection->processes[i];
	}
	selection->ranks = fathom_otf2_memory_alloc(fathom_otf2_count(defs, FATHOM_OTF2_GROUP), sizeof(uint32_t *));
	number_kept(selection);
}

void fathom_otf2_selection_fini(struct fathom_otf2_selection *selection)
{
	size_t i;

	for (i = 0; selection->ranks && i < fathom_otf2_count(selection->defs, FATHOM_OTF2_GROUP); i++)
		free(selection->ranks[i]);
	free(selection->ranks);
	free(selection->processes);
	free(selection->process_ids);
	free(selection->metric_ids);
	memset(selection, 0, sizeof(*selection));
}

bool fathom_otf2_selection_has(const struct fathom_otf2_selection *selection, uint32_t location)
{
	const struct fathom_otf2_location *its = fathom_otf2_at(selection->defs, FATHOM_OTF2_LOCATION, location);

	return its->process == UINT32_MAX ? selection->is_all : selection->processes[its->process];
}

bool fathom_otf2_selection_has_id(const struct fathom_otf2_selection *selection, uint64_t location)
{
	int64_t index = fathom_otf2_index(selection->defs, FATHOM_OTF2_LOCATION, location);

	return index >= 0 ? fathom_otf2_selection_has(selection, (uint32_t)index) : selection->is_all;
}

const uint32_t *fathom_otf2_selection_ranks(struct fathom_otf2_selection *selection, int32_t group)
{
	const struct fathom_otf2_roster *roster = fathom_otf2_roster(selection->defs, group);
	uint32_t **ranks = &selection->ranks[group], next = 0, i;

	if (*ranks)
		return *ranks;
	*ranks = fathom_otf2_memory_alloc(roster->count, sizeof(uint32_t));
	for (i = 0; i < roster->count; i++) {
		bool is_kept = selection->is_all ||
			       (roster->location[i] != UINT32_MAX &&
				fathom_otf2_selection_has(selection, roster->location[i]));

		(*ranks)[i] = is_kept ? next++ : UINT32_MAX;
	}
	return *ranks;
}

static uint32_t kept_members(struct fathom_otf2_selection *selection, int32_t group)
{
	const uint32_t *ranks;
	uint32_t i, kept = 0;

	if (group < 0)
		return 0;
	ranks = fathom_otf2_selection_ranks(selection, group);
	for (i = 0; i < fathom_otf2_roster(selection->defs, group)->count; i++)
		kept += ranks[i] != UINT32_MAX;
	return kept;
}

uint32_t fathom_otf2_selection_size(struct fathom_otf2_selection *selection, const struct fathom_otf2_comm *comm)
{
	if (comm->is_self || selection->is_all)
		return fathom_otf2_comm_size(selection->defs, comm);
	return kept_members(selection, comm->group) + (comm->is_inter ? kept_members(selection, comm->group_b) : 0);
}

/* Returns the group whose ranks an event of that location on the communicator names: the other side of an
 * inter-communicator, or its group. */
static int32_t group_of_ranks(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm, uint32_t location)
{
	const struct fathom_otf2_location *its = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, location);
	int64_t position;

	if (!comm->is_inter)
		return comm->group;
	position = fathom_otf2_comm_process(defs, comm, its->process);
	return position >= 0 && position < fathom_otf2_roster(defs, comm->group)->count ? comm->group_b : comm->group;
}

static const struct fathom_otf2_comm *comm_of(struct fathom_otf2_defs *defs, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_window *window;

	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return fathom_otf2_find(defs, FATHOM_OTF2_COMM, event->ref);
	case FATHOM_RECORD_RMA_COLLECTIVE_END:
	case FATHOM_RECORD_RMA_REQUEST_LOCK:
	case FATHOM_RECORD_RMA_ACQUIRE_LOCK:
	case FATHOM_RECORD_RMA_TRY_LOCK:
	case FATHOM_RECORD_RMA_RELEASE_LOCK:
	case FATHOM_RECORD_RMA_SYNC:
	case FATHOM_RECORD_RMA_PUT:
	case FATHOM_RECORD_RMA_GET:
	case FATHOM_RECORD_RMA_ATOMIC:
		window = fathom_otf2_find(defs, FATHOM_OTF2_WINDOW, event->ref);
		if (!window || window->comm < 0)
			return NULL;
		return fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)window->comm);
	default: return NULL;
	}
}

bool fathom_otf2_selection_renumber(struct fathom_otf2_selection *selection, struct fathom_otf2_event *event)
{
	const struct fathom_otf2_comm *comm;
	int64_t metric;
	int32_t group;

	if (selection->is_all)
		return true;
	if (event->kind == FATHOM_RECORD_METRIC) {
		metric = fathom_otf2_index(selection->defs, FATHOM_OTF2_METRIC, event->ref);
		if (metric >= 0)
			event->ref = selection->metric_ids[metric];
		return metric < 0 || event->ref != UINT32_MAX;
	}
	comm = comm_of(selection->defs, event);
	/* A collective operation on an inter-communicator names its root on one side only, which may be left out. */
	if (comm && comm->is_inter && (event->kind == FATHOM_RECORD_MPI_COLLECTIVE_END ||
				       event->kind == FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE) &&
	    fathom_otf2_selection_size(selection, comm) < fathom_otf2_comm_size(selection->defs, comm))
		return false;
	if (!comm || comm->is_self || event->peer >= OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		return true;
	group = group_of_ranks(selection->defs, comm, event->location);
	if (group < 0 || event->peer >= fathom_otf2_roster(selection->defs, group)->count)
		return true;
	event->peer = fathom_otf2_selection_ranks(selection, group)[event->peer];
	return event->peer != UINT32_MAX;
}
