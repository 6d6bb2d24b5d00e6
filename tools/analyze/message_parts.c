/*
 * message_parts: what MPI calls did: ends of messages and collective operations.
 */
#include "tools/analyze/extraction.h"

#include <string.h>

#include "event/event_data.h"

/* A non-blocking operation that is not complete. */
struct request {
	struct fathom_table_entry entry;	/* process, request */
	uint32_t location;		/* that began it */
	uint32_t record;		/* in the log of this location */
	bool is_send;
	bool is_for_neighbors;		/* of a collective operation: a neighbourhood operation */
};

const size_t fathom_extraction_request_bytes = sizeof(struct request);

static const struct fathom_otf2_comm *comm_of(const struct fathom_extraction *extraction,
					      const struct fathom_otf2_event *event, uint32_t *index)
{
	int64_t found = fathom_otf2_index(&extraction->trace->defs, FATHOM_OTF2_COMM, event->ref);

	if (found < 0)
		return NULL;
	*index = (uint32_t)found;
	return fathom_otf2_at(&extraction->trace->defs, FATHOM_OTF2_COMM, (uint64_t)found);
}

/* --- requests ------------------------------------------------------------------------------------- */

static void begin_request(struct fathom_extraction *extraction, const struct fathom_otf2_event *event, uint32_t record,
			  bool is_send)
{
	uint32_t process = extraction->locations[event->location].process;
	struct request *request = fathom_table_find(&extraction->requests, process, event->id, 0);

	/* A request that was freed while it was active leaves its entry; its number may be used again. */
	if (!request)
		request = fathom_table_add(&extraction->requests, process, event->id, 0);
	request->location = event->location;
	request->record = record;
	request->is_send = is_send;
	request->is_for_neighbors = extraction->locations[event->location].open.use == FATHOM_USE_MPI_NEIGHBOR;
}

/* Ends a request. Returns the record that began it; FATHOM_WAITS_NO_RECORD: it is not in the log of this location.
 * Copies what is known of the request to *ended, unless the trace does not have its begin. */
static uint32_t end_request(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			    struct request *ended)
{
	uint32_t process = extraction->locations[event->location].process;
	struct request *request = fathom_table_find(&extraction->requests, process, event->id, 0);
	uint32_t record;

	if (!request) {
		extraction->unmatched_requests++;
		return FATHOM_WAITS_NO_RECORD;
	}
	record = request->location == event->location ? request->record : FATHOM_WAITS_NO_RECORD;
	*ended = *request;
	fathom_table_remove(&extraction->requests, request);
	return record;
}

/* --- messages --------------------------------------------------------------------------------------- */

/* Makes the part of an end of a message. Returns false if the trace does not define the other end. */
static bool message_part(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			 enum fathom_waits_part_kind kind, uint32_t posted, struct fathom_waits_part *part)
{
	uint32_t index, process = extraction->locations[event->location].process;
	const struct fathom_otf2_comm *comm = comm_of(extraction, event, &index);
	int64_t peer = comm ? fathom_otf2_comm_peer(&extraction->trace->defs, comm, process, event->peer) : -1;

	if (peer < 0 || peer >= FATHOM_WAITS_NO_PEER)
		return false;
	*part = (struct fathom_waits_part){
		.kind = kind,
		.flags = event->bytes ? 0 : FATHOM_WAITS_EMPTY,
		.peer = (uint32_t)peer,
		.comm = index,
		.tag = (int32_t)event->tag,
		.posted = posted,
	};
	return true;
}

static void take_send(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	bool is_blocking = event->kind == FATHOM_RECORD_MPI_SEND;
	uint32_t record = FATHOM_WAITS_NO_RECORD;
	struct fathom_waits_part part;

	if (message_part(extraction, event, FATHOM_WAITS_SEND, 0, &part))
		record = fathom_extraction_part(extraction, event, part);
	if (!is_blocking) {
		begin_request(extraction, event, record, true);
		return;
	}
	part = (struct fathom_waits_part){ .kind = FATHOM_WAITS_SEND_DONE, .posted = FATHOM_SAME_RECORD };
	if (record != FATHOM_WAITS_NO_RECORD)
		fathom_extraction_part(extraction, event, part);
}

static void take_receive(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	uint32_t posted = FATHOM_SAME_RECORD;
	struct fathom_waits_part part;
	struct request ended;

	if (event->kind == FATHOM_RECORD_MPI_IRECV)
		posted = end_request(extraction, event, &ended);
	if (message_part(extraction, event, FATHOM_WAITS_RECEIVE, posted, &part))
		fathom_extraction_part(extraction, event, part);
}

static void take_receive_request(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_RECEIVE_POSTED };

	begin_request(extraction, event, fathom_extraction_part(extraction, event, part), false);
}

static void take_send_complete(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_SEND_DONE };
	struct request ended;

	part.posted = end_request(extraction, event, &ended);
	fathom_extraction_part(extraction, event, part);
}

static void take_cancelled(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_CANCELLED };
	struct request ended = { .is_send = false };

	part.posted = end_request(extraction, event, &ended);
	if (ended.is_send && part.posted != FATHOM_WAITS_NO_RECORD)
		fathom_extraction_part(extraction, event, part);
}

/* --- collective operations ------------------------------------------------------------------------------ */

/* Returns the operation as the search names it; -1: it has no pattern. Operations that create and free communicators
 * synchronise nothing that must be searched. */
static int operation_of(uint32_t op)
{
	if (op <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK)
		return (int)op;
	return op == OTF2_COLLECTIVE_OP_CREATE_HANDLE ? FATHOM_COLLECTIVE_COMM :
	       op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE ? FATHOM_COLLECTIVE_COMM_FREE : -1;
}

static uint32_t root_of(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			const struct fathom_otf2_comm *comm)
{
	return event->peer < fathom_otf2_comm_size(&extraction->trace->defs, comm) ? event->peer :
										     FATHOM_WAITS_NO_PEER;
}

/* Adds a part for each neighbour. */
static void take_neighbors(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			   uint32_t comm_index, uint32_t posted)
{
	struct fathom_otf2_defs *defs = &extraction->trace->defs;
	uint32_t process = extraction->locations[event->location].process;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, comm_index);
	const struct fathom_neighbor_list *list =
		fathom_neighbors_of(&extraction->neighborhoods, event, comm_index, process);

	if (!list) {
		extraction->unknown_neighborhoods++;
		return;
	}
	for (uint32_t i = 0; i < list->source_count + list->destination_count; i++) {
		int64_t peer = fathom_otf2_comm_peer(defs, comm, process, list->ranks[i]);
		struct fathom_waits_part part = {
			.kind = i < list->source_count ? FATHOM_WAITS_NEIGHBOR_IN : FATHOM_WAITS_NEIGHBOR_OUT,
			.comm = comm_index,
			.posted = posted,
		};

		if (peer < 0 || peer >= FATHOM_WAITS_NO_PEER)
			continue;
		part.peer = (uint32_t)peer;
		fathom_extraction_part(extraction, event, part);
	}
}

static void take_collective(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	const struct fathom_extraction_location *location = &extraction->locations[event->location];
	bool is_blocking = event->kind == FATHOM_RECORD_MPI_COLLECTIVE_END;
	struct request ended = { .is_for_neighbors = false };
	uint32_t index, posted = is_blocking ? FATHOM_SAME_RECORD : end_request(extraction, event, &ended);
	const struct fathom_otf2_comm *comm = comm_of(extraction, event, &index);
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_COLLECTIVE };
	int operation = operation_of(event->op);

	if (!comm || operation < 0 || comm->is_self)
		return;
	if (ended.is_for_neighbors || (is_blocking && location->open.use == FATHOM_USE_MPI_NEIGHBOR) ||
	    fathom_lists_neighbors(&extraction->neighborhoods, event)) {
		take_neighbors(extraction, event, index, posted);
		return;
	}
	if (location->open.use == FATHOM_USE_MPI_INIT)
		part.kind = FATHOM_WAITS_INIT;
	else if (location->open.use == FATHOM_USE_MPI_FINALIZE)
		part.kind = FATHOM_WAITS_FINALIZE;
	part.comm = index;
	part.posted = posted;
	part.peer = FATHOM_WAITS_NO_PEER;
	if (part.kind == FATHOM_WAITS_COLLECTIVE) {
		part.tag = operation;
		part.peer = root_of(extraction, event, comm);
		if (event->bytes == 0 && event->bytes_received == 0)
			part.flags = FATHOM_WAITS_EMPTY;
	}
	fathom_extraction_part(extraction, event, part);
}

static void take_collective_request(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_COLLECTIVE_POSTED };

	begin_request(extraction, event, fathom_extraction_part(extraction, event, part), false);
}

void fathom_extraction_message(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
		take_send(extraction, event);
		break;
	case FATHOM_RECORD_MPI_ISEND_COMPLETE:
		take_send_complete(extraction, event);
		break;
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
		take_receive_request(extraction, event);
		break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
		take_receive(extraction, event);
		break;
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED:
		take_cancelled(extraction, event);
		break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		take_collective(extraction, event);
		break;
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST:
		take_collective_request(extraction, event);
		break;
	default:
		break;
	}
}
