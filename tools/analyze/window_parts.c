/*
 * window_parts: what one-sided communication did: steps on windows.
 *
 * The number of a window is its index in the definitions.
 */
#include "tools/analyze/extraction.h"

static const struct fathom_otf2_window *window_of(const struct fathom_extraction *extraction,
						  const struct fathom_otf2_event *event, uint32_t *number)
{
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	int64_t found = fathom_otf2_index(defs, FATHOM_OTF2_WINDOW, event->ref);
	const struct fathom_otf2_window *window;

	if (found < 0)
		return NULL;
	*number = (uint32_t)found;
	window = fathom_otf2_at(defs, FATHOM_OTF2_WINDOW, (uint64_t)found);
	return window->comm >= 0 ? window : NULL;
}

/* Returns the process that a rank of the window's communicator means; FATHOM_WAITS_NO_PEER: none, or all. */
static uint32_t peer_of(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			const struct fathom_otf2_window *window)
{
	struct fathom_otf2_defs *defs = &extraction->trace->defs;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)window->comm);
	int64_t peer = fathom_otf2_comm_peer(defs, comm, extraction->locations[event->location].process, event->peer);

	return peer < 0 || peer >= FATHOM_WAITS_NO_PEER ? FATHOM_WAITS_NO_PEER : (uint32_t)peer;
}

/* Adds a part for each process of the group of a start, post, complete or wait. */
static void take_group(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
		       struct fathom_waits_part part)
{
	struct fathom_otf2_defs *defs = &extraction->trace->defs;
	int64_t group = fathom_otf2_index(defs, FATHOM_OTF2_GROUP, event->other);
	const struct fathom_otf2_roster *members = group < 0 ? NULL : fathom_otf2_roster(defs, (int32_t)group);
	uint32_t i;

	switch (extraction->locations[event->location].open.use) {
	case FATHOM_USE_MPI_POST: part.tag = FATHOM_WAITS_RMA_POST; break;
	case FATHOM_USE_MPI_START: part.tag = FATHOM_WAITS_RMA_START; break;
	case FATHOM_USE_MPI_COMPLETE: part.tag = FATHOM_WAITS_RMA_COMPLETE; break;
	case FATHOM_USE_MPI_WIN_WAIT: part.tag = FATHOM_WAITS_RMA_WAIT; break;
	default: return;
	}
	if (event->tag == OTF2_RMA_SYNC_LEVEL_NONE)	/* a test that found the epoch open */
		return;
	for (i = 0; members && i < members->count; i++) {
		if (members->process[i] >= FATHOM_WAITS_NO_PEER)
			continue;
		part.peer = members->process[i];
		fathom_extraction_part(extraction, event, part);
	}
}

static void take_collective(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			    struct fathom_waits_part part)
{
	switch (event->op) {
	case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
	case OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE: part.tag = FATHOM_WAITS_RMA_CREATE; break;
	case OTF2_COLLECTIVE_OP_DESTROY_HANDLE:
	case OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE: part.tag = FATHOM_WAITS_RMA_FREE; break;
	case OTF2_COLLECTIVE_OP_BARRIER: part.tag = FATHOM_WAITS_RMA_FENCE; break;
	default: return;
	}
	part.posted = FATHOM_SAME_RECORD;
	fathom_extraction_part(extraction, event, part);
}

void fathom_extraction_window(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_RMA, .peer = FATHOM_WAITS_NO_PEER };
	uint32_t number;
	const struct fathom_otf2_window *window = window_of(extraction, event, &number);

	if (!window)
		return;
	part.comm = number;
	switch (event->kind) {
	case FATHOM_RECORD_RMA_COLLECTIVE_END: take_collective(extraction, event, part); return;
	case FATHOM_RECORD_RMA_GROUP_SYNC: take_group(extraction, event, part); return;
	case FATHOM_RECORD_RMA_PUT: part.tag = FATHOM_WAITS_RMA_PUT; break;
	case FATHOM_RECORD_RMA_GET: part.tag = FATHOM_WAITS_RMA_GET; break;
	case FATHOM_RECORD_RMA_ATOMIC: part.tag = FATHOM_WAITS_RMA_ATOMIC; break;
	case FATHOM_RECORD_RMA_REQUEST_LOCK: part.tag = FATHOM_WAITS_RMA_LOCK; break;
	case FATHOM_RECORD_RMA_RELEASE_LOCK: part.tag = FATHOM_WAITS_RMA_UNLOCK; break;
	case FATHOM_RECORD_RMA_SYNC: part.tag = FATHOM_WAITS_RMA_FLUSH; break;
	default: return;
	}
	part.peer = peer_of(extraction, event, window);
	if (event->kind == FATHOM_RECORD_RMA_REQUEST_LOCK && event->op == OTF2_LOCK_SHARED)
		part.flags = FATHOM_WAITS_IMPLICIT;
	fathom_extraction_part(extraction, event, part);
}
