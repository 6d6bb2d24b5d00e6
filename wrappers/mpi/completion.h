/*
 * completion: the steps that MPI_Wait, MPI_Test and the other calls that complete requests share.
 *
 * MPI overwrites the handles of completed requests, so the handles are copied before the call. MPI gets statuses of the
 * wrapper where the program ignores statuses. Where several threads call MPI, the records of the requests are claimed
 * before the call (request.h says why). After the call the wrapper calls:
 *
 *	fathom_mpi_completed_...	once, with the requests that completed
 *	fathom_mpi_completion_end	always
 *
 * Context of all: hook.
 */
#ifndef FATHOM_MPI_COMPLETION_H
#define FATHOM_MPI_COMPLETION_H

#include "mpi/message.h"

#define FATHOM_MPI_FEW 8	/* more than so many requests need a buffer */

/* A request that completed, and the order in which it was begun. */
struct fathom_mpi_done {
	struct fathom_mpi_request *request;
	const MPI_Status *status;
	uint64_t posted;
};

struct fathom_mpi_completion {
	struct fathom_mpi_scope scope;
	int count;	/* of requests; 0: none of them is followed */
	bool is_done;	/* a request completed, or the call failed */
	const MPI_Request *requests;	/* the program's array, which MPI has changed */
	MPI_Request *handles;	/* copy of the array before the call */
	struct fathom_mpi_request **claims;	/* NULL where only one thread calls MPI */
	struct fathom_mpi_done *done;	/* for those that completed, where traces are written */
	void *buffer;		/* holds the arrays if there are more than a few */
	MPI_Request few_handles[FATHOM_MPI_FEW];
	struct fathom_mpi_request *few_claims[FATHOM_MPI_FEW];
	MPI_Status few_statuses[FATHOM_MPI_FEW];
	struct fathom_mpi_done few_done[FATHOM_MPI_FEW];
};

/* Called before MPI. statuses: the program's, status_count of them, or MPI_STATUS(ES)_IGNORE. Returns the address to
 * which MPI writes the statuses. Context: hook. */
MPI_Status *fathom_mpi_completion_begin(struct fathom_mpi_completion *completion, struct fathom_mpi_scope scope,
					int count, const MPI_Request requests[], MPI_Status *statuses,
					int status_count);

/* Records all requests as completed or, if err is MPI_ERR_IN_STATUS, those whose status does not contain
 * MPI_ERR_PENDING. Context: hook. */
void fathom_mpi_completed_all(struct fathom_mpi_completion *completion, int err, const MPI_Status *statuses);

/* Records that the request at index completed; index may be MPI_UNDEFINED. Context: hook. */
void fathom_mpi_completed_any(struct fathom_mpi_completion *completion, int err, int index, const MPI_Status *status);

/* Records that the requests at some indices completed; some may be MPI_UNDEFINED. Context: hook. */
void fathom_mpi_completed_some(struct fathom_mpi_completion *completion, int err, int some, const int indices[],
			       const MPI_Status *statuses);

/* Ends the completion: claimed records of requests that did not complete go back. Context: hook. */
void fathom_mpi_completion_end(struct fathom_mpi_completion *completion);

/*
 * MPI_Request_free: called before MPI, and after it. The wrappers do not see the later completion of the operation. A
 * send will complete; any other operation counts as cancelled. Context: hook.
 */
struct fathom_mpi_request *fathom_mpi_request_free_begin(MPI_Request request);
void fathom_mpi_request_free_end(struct fathom_mpi_scope scope, struct fathom_mpi_request *request, int err);

/* Notes that MPI_Cancel has succeeded for the request. Context: hook. */
void fathom_mpi_cancelled(MPI_Request request);

#endif
