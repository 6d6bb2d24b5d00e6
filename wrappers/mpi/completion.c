/*
 * completion: records the events of completed requests.
 */
#include "mpi/completion.h"

#include "mpi/file.h"
#include "mpi/window.h"

#include <string.h>
#include <sys/mman.h>

/*
 * A buffer for large arrays. Buffers belong to no thread: a thread takes one for the duration of a call. So there are
 * as many as threads were ever inside such calls at the same time.
 */
struct buffer {
	struct buffer *next;
	size_t bytes;	/* of the buffer, with this head */
};

/* Protects buffers; held for a push or pop; nests in nothing. */
static int lock;
static struct buffer *buffers;

static struct buffer *buffer_take(size_t bytes)
{
	struct buffer *buffer;

	bytes += sizeof(*buffer);
	fathom_mpi_lock(&lock);
	buffer = buffers;
	if (buffer)
		buffers = buffer->next;
	fathom_mpi_unlock(&lock);

	if (buffer && buffer->bytes >= bytes)
		return buffer;
	if (buffer)
		munmap(buffer, buffer->bytes);
	bytes = (2 * bytes + 0xffff) & ~(size_t)0xffff;	/* room for larger arrays later; a multiple of the page size */
	buffer = fathom_mpi_pages(bytes);
	if (buffer)
		buffer->bytes = bytes;
	return buffer;
}

static void buffer_give(struct buffer *buffer)
{
	fathom_mpi_lock(&lock);
	buffer->next = buffers;
	buffers = buffer;
	fathom_mpi_unlock(&lock);
}

/* Finds memory for the arrays of a completion, and for statuses if the program ignores them. False: no memory. */
static bool place_arrays(struct fathom_mpi_completion *completion, size_t count, size_t statuses, MPI_Status **own)
{
	struct buffer *buffer;

	completion->buffer = NULL;
	if (likely(count <= FATHOM_MPI_FEW)) {
		completion->handles = completion->few_handles;
		completion->claims = fathom_mpi_concurrent ? completion->few_claims : NULL;
		completion->done = completion->few_done;
		*own = completion->few_statuses;
		return true;
	}
	/* The arrays are in the order of their alignment. */
	buffer = buffer_take(count * sizeof(*completion->done) + count * sizeof(*completion->claims) +
			     statuses * sizeof(MPI_Status) +
			     count * sizeof(MPI_Request) + 16);
	if (!buffer)
		return false;
	completion->buffer = buffer;
	completion->done = (struct fathom_mpi_done *)(buffer + 1);
	completion->claims = (struct fathom_mpi_request **)(completion->done + count);
	completion->handles = (MPI_Request *)(completion->claims + count);
	*own = (MPI_Status *)(((uintptr_t)(completion->handles + count) + 15) & ~(uintptr_t)15);
	if (!fathom_mpi_concurrent)
		completion->claims = NULL;
	return true;
}

MPI_Status *fathom_mpi_completion_begin(struct fathom_mpi_completion *completion, struct fathom_mpi_scope scope,
					int count, const MPI_Request requests[], MPI_Status *statuses,
					int status_count)
{
	MPI_Status *own;
	bool ignored = statuses == MPI_STATUS_IGNORE || statuses == MPI_STATUSES_IGNORE;

	completion->count = 0;
	completion->buffer = NULL;
	if (!fathom_mpi_tracking || count <= 0 || !requests)
		return statuses;
	if (!place_arrays(completion, (size_t)count, ignored ? (size_t)status_count : 0, &own))
		return statuses;

	completion->scope = scope;
	completion->count = count;
	completion->is_done = false;
	completion->requests = requests;
	if (likely(count <= FATHOM_MPI_FEW)) {
		for (int i = 0; i < count; i++)
			completion->handles[i] = requests[i];
	} else {
		memcpy(completion->handles, requests, (size_t)count * sizeof(*requests));
	}
	if (unlikely(completion->claims)) {
		for (int i = 0; i < count; i++)
			completion->claims[i] = requests[i] == MPI_REQUEST_NULL
							? NULL
							: fathom_mpi_request_take(FATHOM_MPI_KEY(requests[i]), true);
	}
	return ignored ? own : statuses;
}

/* Returns the record of request i, which completed; takes the record out of the table unless it is persistent. */
static inline struct fathom_mpi_request *record_of(struct fathom_mpi_completion *completion, int i)
{
	struct fathom_mpi_request *request;

	if (completion->handles[i] == MPI_REQUEST_NULL)
		return NULL;
	if (!completion->claims)
		return fathom_mpi_request_take(FATHOM_MPI_KEY(completion->handles[i]), false);
	request = completion->claims[i];
	if (request && !request->persistent)
		completion->claims[i] = NULL;	/* fathom_mpi_completion_end puts persistent ones back */
	return request;
}

static bool was_cancelled(const MPI_Status *status)
{
	int cancelled = 0;

	PMPI_Test_cancelled(status, &cancelled);
	return cancelled;
}

/* Records that a request ended whose message was cancelled, or whose result is not known. */
static void record_end(const struct fathom_mpi_request *request)
{
	switch (request->kind) {
	case FATHOM_MPI_REQUEST_SENDRECV:
		fathom_event_request_cancelled(request->number + 1);
		fathom_event_request_cancelled(request->number);
		break;
	case FATHOM_MPI_REQUEST_SEND:
	case FATHOM_MPI_REQUEST_RECEIVE:
	case FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE:
	case FATHOM_MPI_REQUEST_COLLECTIVE:
	case FATHOM_MPI_REQUEST_IDUP:
		fathom_event_request_cancelled(request->number);
		break;
	case FATHOM_MPI_REQUEST_FILE:
		fathom_mpi_file_waited(request, NULL, true);
		break;
	default:
		break;
	}
}

/* Records that a request completed with success; for all kinds but the two frequent ones (send and receive). */
static void record_rare_completion(const struct fathom_mpi_request *request, const MPI_Status *status)
{
	switch (request->kind) {
	case FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE:
		fathom_event_receive_complete(&request->comm->base, request->peer, request->tag, request->bytes,
					      request->number);
		break;
	case FATHOM_MPI_REQUEST_SENDRECV:
		fathom_event_send_complete(request->number);
		fathom_event_receive_complete(&request->comm->base, request->source, request->receive_tag,
					      request->bytes_received, request->number + 1);
		break;
	case FATHOM_MPI_REQUEST_COLLECTIVE:
		fathom_event_collective_complete(&request->comm->base, request->operation, request->root,
						 request->bytes_sent, request->bytes_received, request->number);
		break;
	case FATHOM_MPI_REQUEST_IDUP:
		fathom_event_collective_complete(&request->comm->base, FATHOM_COLLECTIVE_COMM, FATHOM_NO_ROOT, 0, 0,
						 request->number);
		break;
	case FATHOM_MPI_REQUEST_READ:
		fathom_event_io(fathom_mpi_status_bytes(status), 0);
		break;
	case FATHOM_MPI_REQUEST_WRITE:
		fathom_event_io(0, fathom_mpi_status_bytes(status));
		break;
	case FATHOM_MPI_REQUEST_FILE:
		fathom_mpi_file_waited(request, status, true);
		break;
	default:
		break;
	}
}

/* Records that a request completed with success, or that it was cancelled. */
static inline void record_completion(const struct fathom_mpi_request *request, const MPI_Status *status)
{
	if (unlikely(request->cancelled) && was_cancelled(status))
		record_end(request);
	else if (request->kind == FATHOM_MPI_REQUEST_SEND)
		fathom_event_send_complete(request->number);
	else if (request->kind == FATHOM_MPI_REQUEST_RECEIVE)
		fathom_event_receive_complete(&request->comm->base, status->MPI_SOURCE, status->MPI_TAG,
					      fathom_mpi_status_bytes(status), request->number);
	else
		record_rare_completion(request, status);
}

/* Records the end of a request and drops its record. request NULL: does nothing. status NULL: the request failed. */
static inline void finish(struct fathom_mpi_completion *completion, struct fathom_mpi_request *request,
			  const MPI_Status *status)
{
	if (!request || (request->persistent && !request->active))
		return;
	if (unlikely(request->kind == FATHOM_MPI_REQUEST_RMA)) {
		if (fathom_mpi_window_waited(request, completion->scope.region))
			fathom_mpi_request_drop(request);
		return;
	}
	if (status && request->kind == FATHOM_MPI_REQUEST_IDUP)
		fathom_mpi_communicator_kept(request->comm, request->bytes, *request->newcomm);
	if (completion->scope.region && request->begin_recorded) {
		if (likely(status)) {
			record_completion(request, status);
		} else {
			fathom_mpi_failed(completion->scope);
			record_end(request);
		}
	} else if (request->begin_recorded && request->kind == FATHOM_MPI_REQUEST_FILE) {
		fathom_mpi_file_waited(request, status, false);
	}
	request->active = false;
	if (!request->persistent)
		fathom_mpi_request_drop(request);
}

static inline void complete(struct fathom_mpi_completion *completion, int i, const MPI_Status *status)
{
	finish(completion, record_of(completion, i), status);
}

/* --- in order ------------------------------------------------------------------------------------ */

/* Sorts by the order in which the requests were begun. Shell sort needs no memory and is fast on a sorted array. */
static void sort(struct fathom_mpi_done *done, int count)
{
	for (int gap = count / 2; gap > 0; gap /= 2) {
		for (int i = gap; i < count; i++) {
			struct fathom_mpi_done one = done[i];
			int j = i;

			for (; j >= gap && done[j - gap].posted > one.posted; j -= gap)
				done[j] = done[j - gap];
			done[j] = one;
		}
	}
}

/*
 * Records the completion of several requests in the order in which they were begun: messages of one sender, tag and
 * communicator match in that order, and some readers of traces match messages in the order of the completions.
 * indices NULL: all requests completed.
 */
static void complete_in_order(struct fathom_mpi_completion *completion, int count, const int indices[],
			      const MPI_Status *statuses)
{
	struct fathom_mpi_done *done = completion->done;
	int found = 0;

	for (int i = 0; i < count; i++) {
		struct fathom_mpi_request *request = record_of(completion, indices ? indices[i] : i);

		if (request)
			done[found++] = (struct fathom_mpi_done){ request, &statuses[i], request->posted };
	}
	sort(done, found);
	for (int i = 0; i < found; i++)
		finish(completion, done[i].request, done[i].status);
}

/* --- what completed ------------------------------------------------------------------------------ */

/* Handles an error that concerns no single request: the requests whose handles MPI has reset have ended. */
static void complete_vanished(struct fathom_mpi_completion *completion)
{
	for (int i = 0; i < completion->count; i++) {
		if (completion->requests[i] == MPI_REQUEST_NULL)
			complete(completion, i, NULL);
	}
}

/* Returns the class of an error code: MPI may return any code of a class. */
static int class_of(int err)
{
	int class = MPI_SUCCESS;

	if (err != MPI_SUCCESS)
		PMPI_Error_class(err, &class);
	return class;
}

/* Records the end of one of several requests after MPI_ERR_IN_STATUS: only then does MPI set MPI_ERROR in a status. */
static void complete_by_status(struct fathom_mpi_completion *completion, int i, const MPI_Status *status)
{
	if (status->MPI_ERROR == MPI_SUCCESS)
		complete(completion, i, status);
	else if (class_of(status->MPI_ERROR) != MPI_ERR_PENDING)
		complete(completion, i, NULL);
}

void fathom_mpi_completed_all(struct fathom_mpi_completion *completion, int err, const MPI_Status *statuses)
{
	completion->is_done = true;
	if (unlikely(err != MPI_SUCCESS && class_of(err) != MPI_ERR_IN_STATUS)) {
		complete_vanished(completion);
		return;
	}
	if (unlikely(fathom_mpi_tracing) && err == MPI_SUCCESS) {
		complete_in_order(completion, completion->count, NULL, statuses);
		return;
	}
	for (int i = 0; i < completion->count; i++) {
		if (likely(err == MPI_SUCCESS))
			complete(completion, i, &statuses[i]);
		else
			complete_by_status(completion, i, &statuses[i]);
	}
}

void fathom_mpi_completed_any(struct fathom_mpi_completion *completion, int err, int index, const MPI_Status *status)
{
	completion->is_done = true;
	if (unlikely(err != MPI_SUCCESS))
		complete_vanished(completion);
	else if (index >= 0 && index < completion->count)	/* MPI_UNDEFINED is negative */
		complete(completion, index, status);
}

void fathom_mpi_completed_some(struct fathom_mpi_completion *completion, int err, int some, const int indices[],
			       const MPI_Status *statuses)
{
	completion->is_done = err != MPI_SUCCESS || some;
	if (unlikely(err != MPI_SUCCESS && class_of(err) != MPI_ERR_IN_STATUS)) {
		complete_vanished(completion);
		return;
	}
	if (!completion->count)
		return;
	if (unlikely(fathom_mpi_tracing) && err == MPI_SUCCESS) {
		complete_in_order(completion, some, indices, statuses);
		return;
	}
	for (int i = 0; i < some; i++) {	/* MPI_UNDEFINED is negative */
		if (likely(err == MPI_SUCCESS))
			complete(completion, indices[i], &statuses[i]);
		else
			complete_by_status(completion, indices[i], &statuses[i]);
	}
}

/* Records that the requests were tested and that none of them is complete. */
static void record_tests(const struct fathom_mpi_completion *completion)
{
	for (int i = 0; i < completion->count; i++) {
		const struct fathom_mpi_request *request = NULL;

		if (completion->claims)
			request = completion->claims[i];
		else if (completion->handles[i] != MPI_REQUEST_NULL)
			request = fathom_mpi_request_find(FATHOM_MPI_KEY(completion->handles[i]));
		if (!request || !request->begin_recorded || (request->persistent && !request->active))
			continue;
		if (request->kind == FATHOM_MPI_REQUEST_SENDRECV)
			fathom_event_request_tested(request->number + 1);
		if (request->kind == FATHOM_MPI_REQUEST_IDUP || (request->kind >= FATHOM_MPI_REQUEST_SEND &&
								 request->kind <= FATHOM_MPI_REQUEST_COLLECTIVE))
			fathom_event_request_tested(request->number);
	}
}

void fathom_mpi_completion_end(struct fathom_mpi_completion *completion)
{
	if (unlikely(fathom_mpi_testing) && !completion->is_done && completion->count && completion->scope.region)
		record_tests(completion);
	if (completion->count && completion->claims) {
		/* From the back, so that of the records that share a handle the first becomes the oldest again. */
		for (int i = completion->count - 1; i >= 0; i--)
			fathom_mpi_request_put_back(completion->claims[i]);
	}
	if (completion->buffer)
		buffer_give(completion->buffer);
}

struct fathom_mpi_request *fathom_mpi_request_free_begin(MPI_Request request)
{
	if (!fathom_mpi_tracking || request == MPI_REQUEST_NULL)
		return NULL;
	return fathom_mpi_request_take(FATHOM_MPI_KEY(request), true);
}

void fathom_mpi_request_free_end(struct fathom_mpi_scope scope, struct fathom_mpi_request *request, int err)
{
	if (!request)
		return;
	if (err != MPI_SUCCESS) {
		fathom_mpi_request_put_back(request);
		return;
	}
	if (request->kind == FATHOM_MPI_REQUEST_RMA) {
		if (fathom_mpi_window_waited(request, scope.region))
			fathom_mpi_request_drop(request);
		return;
	}
	if (request->kind == FATHOM_MPI_REQUEST_FILE) {
		fathom_mpi_file_waited(request, NULL, false);
	} else if (scope.region && request->begin_recorded && (request->active || !request->persistent)) {
		fathom_event_incomplete();
		if (request->kind == FATHOM_MPI_REQUEST_SEND)
			fathom_event_send_complete(request->number);
		else
			record_end(request);
	}
	fathom_mpi_request_drop(request);
}

void fathom_mpi_cancelled(MPI_Request handle)
{
	struct fathom_mpi_request *request;

	if (!fathom_mpi_tracking)
		return;
	request = fathom_mpi_request_find(FATHOM_MPI_KEY(handle));
	if (request)
		request->cancelled = true;
}
