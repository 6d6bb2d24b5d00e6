/*
 * message: point-to-point calls become events and records of open requests.
 */
#include "mpi/message.h"

#include "mpi/collective.h"

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

	/* By the argument: MPI leaves any source in the status in such a case. */
	if (source == MPI_PROC_NULL)
		return;
	comm = fathom_mpi_communicator(handle);
	if (likely(comm))
		fathom_event_receive(&comm->base, status->MPI_SOURCE, status->MPI_TAG, fathom_mpi_status_bytes(status));
}

/* Follow an operation on a communicator. NULL: it is not followed. */
static struct fathom_mpi_request *follow(MPI_Comm handle, MPI_Request request, struct fathom_mpi_request *what)
{
	if (!fathom_mpi_tracking || request == MPI_REQUEST_NULL)
		return NULL;
	what->heard = !what->silent;
	if (!what->silent && what->kind != FATHOM_MPI_REQUEST_NOTHING) {
		what->comm = fathom_mpi_communicator(handle);
		if (!what->comm)
			return NULL;
		fathom_mpi_communicator_hold(what->comm);
	}
	return fathom_mpi_request_add(FATHOM_MPI_KEY(request), what);
}

/* The events of a begin, for fresh requests and for persistent ones that start. */
static void begun(const struct fathom_mpi_request *request)
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

static void follow_active(MPI_Comm handle, MPI_Request handle_of_request, struct fathom_mpi_request *what)
{
	struct fathom_mpi_request *request = follow(handle, handle_of_request, what);

	if (likely(request && !what->silent))
		begun(request);
}

void fathom_mpi_isent(struct fathom_mpi_scope scope, MPI_Comm comm, int peer, int tag, uint64_t bytes,
		      MPI_Request request)
{
	follow_active(comm, request,
		      &(struct fathom_mpi_request){
			      .kind = peer == MPI_PROC_NULL ? FATHOM_MPI_REQUEST_NOTHING : FATHOM_MPI_REQUEST_SEND,
			      .silent = !scope.region,
			      .peer = peer,
			      .tag = tag,
			      .bytes = bytes,
		      });
}

void fathom_mpi_ireceive(struct fathom_mpi_scope scope, MPI_Comm comm, int source, MPI_Request request)
{
	follow_active(comm, request,
		      &(struct fathom_mpi_request){
			      .kind = source == MPI_PROC_NULL ? FATHOM_MPI_REQUEST_NOTHING : FATHOM_MPI_REQUEST_RECEIVE,
			      .silent = !scope.region,
		      });
}

void fathom_mpi_isendrecv(struct fathom_mpi_scope scope, MPI_Comm comm, int dest, int tag, int source, uint64_t bytes,
			  MPI_Request request)
{
	struct fathom_mpi_request what = {
		.kind = FATHOM_MPI_REQUEST_SENDRECV,
		.silent = !scope.region,
		.peer = dest,
		.tag = tag,
		.bytes = bytes,
	};

	if (dest == MPI_PROC_NULL && source == MPI_PROC_NULL)
		what.kind = FATHOM_MPI_REQUEST_NOTHING;
	else if (dest == MPI_PROC_NULL)
		what.kind = FATHOM_MPI_REQUEST_RECEIVE;
	else if (source == MPI_PROC_NULL)
		what.kind = FATHOM_MPI_REQUEST_SEND;
	follow_active(comm, request, &what);
}

void fathom_mpi_send_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int peer, int tag, uint64_t bytes,
			      MPI_Request request)
{
	follow(comm, request,
	       &(struct fathom_mpi_request){
		       .kind = peer == MPI_PROC_NULL ? FATHOM_MPI_REQUEST_NOTHING : FATHOM_MPI_REQUEST_SEND,
		       .persistent = true,
		       .silent = !scope.region,
		       .peer = peer,
		       .tag = tag,
		       .bytes = bytes,
	       });
}

void fathom_mpi_receive_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int source, MPI_Request request)
{
	follow(comm, request,
	       &(struct fathom_mpi_request){
		       .kind = source == MPI_PROC_NULL ? FATHOM_MPI_REQUEST_NOTHING : FATHOM_MPI_REQUEST_RECEIVE,
		       .persistent = true,
		       .silent = !scope.region,
	       });
}

void fathom_mpi_partitioned_receive_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int source, int tag,
					     uint64_t bytes, MPI_Request request)
{
	follow(comm, request,
	       &(struct fathom_mpi_request){
		       .kind = source == MPI_PROC_NULL ? FATHOM_MPI_REQUEST_NOTHING
						       : FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE,
		       .persistent = true,
		       .silent = !scope.region,
		       .peer = source,
		       .tag = tag,
		       .bytes = bytes,
	       });
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
		request->heard = scope.region && !request->silent;
		if (request->heard)
			begun(request);
	}
}

void fathom_mpi_message_matched(MPI_Comm comm, MPI_Message message)
{
	struct fathom_mpi_request what = { .kind = FATHOM_MPI_REQUEST_MESSAGE };

	if (!fathom_mpi_tracking || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
		return;
	what.comm = fathom_mpi_communicator(comm);
	if (!what.comm)
		return;
	fathom_mpi_communicator_hold(what.comm);
	fathom_mpi_request_add(FATHOM_MPI_MESSAGE_KEY(message), &what);
}

struct fathom_mpi_request *fathom_mpi_message_take(MPI_Message message)
{
	if (!fathom_mpi_tracking || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
		return NULL;
	return fathom_mpi_request_claim(FATHOM_MPI_MESSAGE_KEY(message));
}

void fathom_mpi_message_received(struct fathom_mpi_scope scope, struct fathom_mpi_request *matched, int err,
				 const MPI_Status *status)
{
	if (!matched)
		return;
	if (fathom_mpi_records(scope, err))
		fathom_event_receive(&matched->comm->base, status->MPI_SOURCE, status->MPI_TAG,
				     fathom_mpi_status_bytes(status));
	fathom_mpi_request_drop(matched);
}

void fathom_mpi_message_ireceive(struct fathom_mpi_scope scope, struct fathom_mpi_request *matched, int err,
				 const MPI_Request *handle)
{
	struct fathom_mpi_request what = { .silent = !scope.region, .heard = scope.region };

	if (matched && err == MPI_SUCCESS) {
		struct fathom_mpi_request *request;

		what.kind = FATHOM_MPI_REQUEST_RECEIVE;
		what.comm = matched->comm;
		fathom_mpi_communicator_hold(what.comm);
		request = fathom_mpi_request_add(FATHOM_MPI_KEY(*handle), &what);
		if (request && !what.silent)
			begun(request);
	} else if (err == MPI_SUCCESS) {
		fathom_mpi_request_of_nothing(*handle);
	}
	fathom_mpi_request_drop(matched);
}

void fathom_mpi_request_of_nothing(MPI_Request request)
{
	follow(MPI_COMM_NULL, request, &(struct fathom_mpi_request){ .kind = FATHOM_MPI_REQUEST_NOTHING });
}

void fathom_mpi_request_of_file(struct fathom_mpi_scope scope, enum fathom_mpi_request_kind kind, MPI_Request request)
{
	if (!fathom_mpi_tracking || request == MPI_REQUEST_NULL)
		return;
	fathom_mpi_request_add(FATHOM_MPI_KEY(request),
			       &(struct fathom_mpi_request){ .kind = kind, .heard = scope.region });
}

void fathom_mpi_request_of_idup(struct fathom_mpi_scope scope, MPI_Comm comm, MPI_Comm *newcomm, MPI_Request request)
{
	struct fathom_mpi_request what = {
		.kind = FATHOM_MPI_REQUEST_IDUP,
		.silent = !scope.region,
		.newcomm = newcomm,
	};

	follow(comm, request, &what);
}

void fathom_mpi_collective_begun(struct fathom_mpi_scope scope, MPI_Comm comm,
				 const struct fathom_mpi_transfer *transfer, bool persistent, MPI_Request request)
{
	struct fathom_mpi_request what = {
		.kind = FATHOM_MPI_REQUEST_COLLECTIVE,
		.persistent = persistent,
		.silent = !scope.region,
		.operation = transfer->operation,
		.root = transfer->root,
		.bytes_sent = transfer->sent,
		.bytes_received = transfer->received,
	};

	if (persistent)
		follow(comm, request, &what);
	else
		follow_active(comm, request, &what);
}
