/*
 * message: records the events of point-to-point calls, and makes the records of their open requests.
 */
#include "mpi/message.h"


void fathom_mpi_sent(MPI_Comm handle, int peer, int tag, uint64_t bytes)
{
	struct fathom_mpi_communicator *comm;

	if (peer == MPI_PROC_NULL)
		return;
	comm = fathom_mpi_communicator(handle);
	if (likely(comm))
		fathom_event_send(&comm->base, peer, tag, bytes);
}

void fathom_mpi_received(MPI_Comm handle, int source, const MPI_Status *status)
{
	struct fathom_mpi_communicator *comm;

	/* With this argument, the source in the status may have any value. */
	if (source == MPI_PROC_NULL)
		return;
	comm = fathom_mpi_communicator(handle);
	if (likely(comm))
		fathom_event_receive(&comm->base, status->MPI_SOURCE, status->MPI_TAG, fathom_mpi_status_bytes(status));
}

/*
 * Returns a record for a request on a communicator, which the caller fills in and adds to the table. The communicator
 * is looked up only where events will need it. NULL: the request is not followed.
 */
static inline struct fathom_mpi_request *follow(struct fathom_mpi_scope scope, MPI_Request handle, MPI_Comm comm_handle,
						enum fathom_mpi_request_kind kind)
{
	struct fathom_mpi_communicator *comm = NULL;
	struct fathom_mpi_request *request;

	if (unlikely(!fathom_mpi_tracking || handle == MPI_REQUEST_NULL))
		return NULL;
	if (likely(scope.region && kind != FATHOM_MPI_REQUEST_NOTHING)) {
		comm = fathom_mpi_communicator(comm_handle);
		if (unlikely(!comm))
			return NULL;
	}
	request = fathom_mpi_request_create(FATHOM_MPI_KEY(handle), kind);
	if (unlikely(!request))
		return NULL;
	fathom_mpi_communicator_hold(comm);
	request->comm = comm;
	request->begin_recorded = scope.region && kind != FATHOM_MPI_REQUEST_NOTHING;
	request->unrecorded = !scope.region;
	return request;
}

/* Records the begin of a new request, or of a persistent request that starts. */
static void record_begin(const struct fathom_mpi_request *request)
{
	switch (request->kind) {
	case FATHOM_MPI_REQUEST_SEND:
		fathom_event_send_begin(&request->comm->base, request->peer, request->tag, request->bytes,
					request->number);
		break;
	case FATHOM_MPI_REQUEST_RECEIVE:
	case FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE:
		fathom_event_receive_begin(request->number);
		break;
	case FATHOM_MPI_REQUEST_SENDRECV:
		fathom_event_send_begin(&request->comm->base, request->peer, request->tag, request->bytes,
					request->number);
		fathom_event_receive_begin(request->number + 1);
		break;
	case FATHOM_MPI_REQUEST_COLLECTIVE:
		fathom_event_collective_begin(request->number);
		break;
	default:
		break;
	}
}

/* Records the begin of a request and adds its record. The event comes first: once the record is added, another thread
 * may complete and drop it. */
static inline void begin(struct fathom_mpi_request *request)
{
	if (likely(request->begin_recorded))
		record_begin(request);
	fathom_mpi_request_add(request);
}

/* Adds the record of a persistent request that was initialised; its begin is recorded when the program starts it. */
static inline void prepare(struct fathom_mpi_request *request)
{
	request->persistent = true;
	request->begin_recorded = false;
	fathom_mpi_request_add(request);
}

static inline enum fathom_mpi_request_kind unless_null_peer(int peer, enum fathom_mpi_request_kind kind)
{
	return unlikely(peer == MPI_PROC_NULL) ? FATHOM_MPI_REQUEST_NOTHING : kind;
}

void fathom_mpi_isent(struct fathom_mpi_scope scope, MPI_Comm comm, int peer, int tag, uint64_t bytes,
		      MPI_Request handle)
{
	struct fathom_mpi_request *request =
		follow(scope, handle, comm, unless_null_peer(peer, FATHOM_MPI_REQUEST_SEND));

	if (unlikely(!request))
		return;
	request->peer = peer;
	request->tag = tag;
	request->bytes = bytes;
	if (likely(request->begin_recorded))
		fathom_event_send_begin(&request->comm->base, peer, tag, bytes, request->number);
	fathom_mpi_request_add(request);
}

void fathom_mpi_ireceive(struct fathom_mpi_scope scope, MPI_Comm comm, int source, MPI_Request handle)
{
	struct fathom_mpi_request *request =
		follow(scope, handle, comm, unless_null_peer(source, FATHOM_MPI_REQUEST_RECEIVE));

	if (unlikely(!request))
		return;
	if (likely(request->begin_recorded))
		fathom_event_receive_begin(request->number);
	fathom_mpi_request_add(request);
}

/*
 * MPICH leaves arbitrary values in the status of these requests. So the receive is recorded with the source, tag and
 * size that the program asked for, as a partitioned receive is.
 */
void fathom_mpi_isendrecv(struct fathom_mpi_scope scope, MPI_Comm comm, int dest, int tag, uint64_t bytes, int source,
			  int receive_tag, uint64_t receive_bytes, MPI_Request handle)
{
	enum fathom_mpi_request_kind kind = FATHOM_MPI_REQUEST_SENDRECV;
	struct fathom_mpi_request *request;

	if (dest == MPI_PROC_NULL)
		kind = unless_null_peer(source, FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE);
	else if (source == MPI_PROC_NULL)
		kind = FATHOM_MPI_REQUEST_SEND;
	request = follow(scope, handle, comm, kind);
	if (!request)
		return;
	request->peer = dest;
	request->tag = tag;
	request->bytes = bytes;
	request->source = source == MPI_ANY_SOURCE ? 0 : source;
	request->receive_tag = receive_tag;
	request->bytes_received = receive_bytes;
	if (kind == FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE) {
		request->peer = request->source;
		request->tag = receive_tag;
		request->bytes = receive_bytes;
	}
	begin(request);
}

void fathom_mpi_send_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int peer, int tag, uint64_t bytes,
			      MPI_Request handle)
{
	struct fathom_mpi_request *request =
		follow(scope, handle, comm, unless_null_peer(peer, FATHOM_MPI_REQUEST_SEND));

	if (!request)
		return;
	request->peer = peer;
	request->tag = tag;
	request->bytes = bytes;
	prepare(request);
}

void fathom_mpi_receive_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int source, MPI_Request handle)
{
	struct fathom_mpi_request *request =
		follow(scope, handle, comm, unless_null_peer(source, FATHOM_MPI_REQUEST_RECEIVE));

	if (request)
		prepare(request);
}

void fathom_mpi_partitioned_receive_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int source, int tag,
					     uint64_t bytes, MPI_Request handle)
{
	struct fathom_mpi_request *request =
		follow(scope, handle, comm, unless_null_peer(source, FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE));

	if (!request)
		return;
	request->peer = source;
	request->tag = tag;
	request->bytes = bytes;
	prepare(request);
}

static bool is_receive(const struct fathom_mpi_request *request)
{
	return request->kind == FATHOM_MPI_REQUEST_RECEIVE || request->kind == FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE;
}

/* Records the receives among the started requests, after all sends of the same call. In a trace, a send counts from the
 * record before it; this must be the enter of the call, because the message may have arrived already. */
static void record_started_receives(int count, const MPI_Request requests[])
{
	for (int i = 0; i < count; i++) {
		struct fathom_mpi_request *request = fathom_mpi_request_find(FATHOM_MPI_KEY(requests[i]));

		if (request && request->persistent && request->begin_recorded && is_receive(request))
			record_begin(request);
	}
}

void fathom_mpi_started(struct fathom_mpi_scope scope, int count, const MPI_Request requests[])
{
	if (!fathom_mpi_tracking)
		return;
	for (int i = 0; i < count; i++) {
		struct fathom_mpi_request *request = fathom_mpi_request_find(FATHOM_MPI_KEY(requests[i]));

		if (!request || !request->persistent)
			continue;
		request->active = true;
		request->cancelled = false;
		request->begin_recorded = scope.region && !request->unrecorded;
		if (unlikely(fathom_mpi_tracing))
			request->posted = __atomic_fetch_add(&fathom_mpi_requests_posted, 1, __ATOMIC_RELAXED);
		if (request->begin_recorded && !(fathom_mpi_tracing && is_receive(request)))
			record_begin(request);
	}
	if (fathom_mpi_tracing)
		record_started_receives(count, requests);
}

void fathom_mpi_message_matched(struct fathom_mpi_scope scope, MPI_Comm comm, MPI_Message message)
{
	struct fathom_mpi_request *matched;

	if (!fathom_mpi_tracking || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
		return;
	matched = fathom_mpi_request_create(FATHOM_MPI_MESSAGE_KEY(message), FATHOM_MPI_REQUEST_MESSAGE);
	if (!matched)
		return;
	matched->comm = fathom_mpi_communicator(comm);
	fathom_mpi_communicator_hold(matched->comm);
	matched->begin_recorded = scope.region && matched->comm;
	if (matched->begin_recorded)
		fathom_event_receive_matched(matched->number);
	fathom_mpi_request_add(matched);
}

struct fathom_mpi_request *fathom_mpi_message_take(MPI_Message message)
{
	if (!fathom_mpi_tracking || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
		return NULL;
	return fathom_mpi_request_take(FATHOM_MPI_MESSAGE_KEY(message), true);
}

void fathom_mpi_message_received(struct fathom_mpi_scope scope, struct fathom_mpi_request *matched, int err,
				 const MPI_Status *status)
{
	if (!matched)
		return;
	if (!fathom_mpi_records(scope, err)) {
		if (scope.region && matched->begin_recorded)
			fathom_event_request_cancelled(matched->number);
	} else if (matched->begin_recorded) {
		fathom_event_receive_complete(&matched->comm->base, status->MPI_SOURCE, status->MPI_TAG,
					      fathom_mpi_status_bytes(status), matched->number);
	} else if (matched->comm) {
		fathom_event_receive(&matched->comm->base, status->MPI_SOURCE, status->MPI_TAG,
				     fathom_mpi_status_bytes(status));
	}
	fathom_mpi_request_drop(matched);
}

/* Gives the request the number of the matched message and its position in the order of posting. The record of the
 * message, which will be dropped, gets the number of the request, so that no two records have the same number. */
static void take_over_number(struct fathom_mpi_request *request, struct fathom_mpi_request *matched)
{
	uint64_t number = request->number;

	request->number = matched->number;
	request->posted = matched->posted;
	matched->number = number;
}

void fathom_mpi_message_ireceive(struct fathom_mpi_scope scope, struct fathom_mpi_request *matched, int err,
				 const MPI_Request *handle)
{
	struct fathom_mpi_request *request = NULL;

	if (matched && matched->comm && err == MPI_SUCCESS)
		request = fathom_mpi_request_create(FATHOM_MPI_KEY(*handle), FATHOM_MPI_REQUEST_RECEIVE);
	else if (err == MPI_SUCCESS)
		fathom_mpi_request_of_nothing(*handle);
	else
		fathom_mpi_failed(scope);
	if (request) {
		request->comm = matched->comm;
		fathom_mpi_communicator_hold(request->comm);
		request->begin_recorded = matched->begin_recorded || scope.region;
		if (matched->begin_recorded)
			take_over_number(request, matched);
		else if (scope.region)
			fathom_event_receive_begin(request->number);
		fathom_mpi_request_add(request);
	} else if (matched && matched->begin_recorded && scope.region) {
		fathom_event_request_cancelled(matched->number);
	}
	if (matched)
		fathom_mpi_request_drop(matched);
}

/* Makes and adds a record that needs no communicator. */
static void follow_alone(MPI_Request handle, enum fathom_mpi_request_kind kind, bool is_recorded)
{
	struct fathom_mpi_request *request;

	if (!fathom_mpi_tracking || handle == MPI_REQUEST_NULL)
		return;
	request = fathom_mpi_request_create(FATHOM_MPI_KEY(handle), kind);
	if (!request)
		return;
	request->begin_recorded = is_recorded;
	fathom_mpi_request_add(request);
}

void fathom_mpi_request_of_nothing(MPI_Request request)
{
	follow_alone(request, FATHOM_MPI_REQUEST_NOTHING, false);
}

void fathom_mpi_request_of_file(struct fathom_mpi_scope scope, enum fathom_io_operation what, MPI_Request request)
{
	follow_alone(request, what == FATHOM_IO_READ ? FATHOM_MPI_REQUEST_READ : FATHOM_MPI_REQUEST_WRITE,
		     scope.region);
}

/* A profile counts the call. In a trace, the call begins a collective operation, which ends with the request. */
void fathom_mpi_request_of_idup(struct fathom_mpi_scope scope, MPI_Comm comm, MPI_Comm *newcomm, MPI_Request handle)
{
	struct fathom_mpi_request *request;

	if (scope.region && !fathom_mpi_tracing)
		fathom_mpi_comm_agreed(comm);
	if (!fathom_mpi_tracking || handle == MPI_REQUEST_NULL)
		return;
	request = fathom_mpi_request_create(FATHOM_MPI_KEY(handle), FATHOM_MPI_REQUEST_IDUP);
	if (!request)
		return;
	if (fathom_mpi_knowing_comms)
		request->comm = fathom_mpi_communicator(comm);
	fathom_mpi_communicator_hold(request->comm);
	request->newcomm = newcomm;
	request->bytes = fathom_mpi_communicator_promise(request->comm);
	request->begin_recorded = scope.region && request->comm && fathom_mpi_tracing;
	if (request->begin_recorded)
		fathom_event_collective_begin(request->number);
	fathom_mpi_request_add(request);
}

void fathom_mpi_collective_begun(struct fathom_mpi_scope scope, MPI_Comm comm,
				 const struct fathom_mpi_transfer *transfer, bool persistent, MPI_Request handle)
{
	struct fathom_mpi_request *request = follow(scope, handle, comm, FATHOM_MPI_REQUEST_COLLECTIVE);

	if (!request)
		return;
	request->operation = transfer->operation;
	request->root = transfer->root;
	request->bytes_sent = transfer->sent;
	request->bytes_received = transfer->received;
	if (unlikely(persistent) && request->comm && fathom_mpi_knowing_comms) {
		struct fathom_mpi_communicator *program_comm = request->comm;

		request->comm = fathom_mpi_communicator_of_operation(program_comm, scope.region->name);
		fathom_mpi_communicator_hold(request->comm);
		fathom_mpi_communicator_release(program_comm);
	}
	if (persistent)
		prepare(request);
	else
		begin(request);
}
