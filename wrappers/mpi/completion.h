/*
 * completion: what MPI_Wait, MPI_Test and their kin have in common.
 *
 * MPI overwrites the handles of what completed, so they are copied before; it is given
 * statuses of ours where the user wants none; and where several threads call MPI the records are
 * claimed before the call (request.h says why). After the call:
 *
 *	fathom_mpi_completed_...	names what completed, once
 *	fathom_mpi_completion_end	always
 */
#ifndef FATHOM_MPI_COMPLETION_H
#define FATHOM_MPI_COMPLETION_H

#include "mpi/message.h"

#define FATHOM_MPI_FEW 8	/* more than so many requests need a buffer */

/* A request that completed, and when it was begun. */
struct fathom_mpi_done {
	struct fathom_mpi_request *request;
	const MPI_Status *status;
	uint64_t posted;
};

struct fathom_mpi_completion {
	struct fathom_mpi_scope scope;
	int count;	/* 0: nothing is followed here */
	bool is_done;	/* something completed, or went wrong */
	const MPI_Request *requests;	/* the user's array: what MPI made of it */
	MPI_Request *handles;	/* what it was */
	struct fathom_mpi_request **claims;	/* NULL where only one thread calls MPI */
	struct fathom_mpi_done *done;	/* for those that completed, where traces are written */
	void *buffer;		/* holds the arrays if there are more than a few */
	MPI_Request few_handles[FATHOM_MPI_FEW];
	struct fathom_mpi_request *few_claims[FATHOM_MPI_FEW];
	MPI_Status few_statuses[FATHOM_MPI_FEW];
	struct fathom_mpi_done few_done[FATHOM_MPI_FEW];
};

/*
 * Before the call. statuses are the user's: as many as status_count, or ignored. Returns where
 * MPI shall put them.
 */
MPI_Status *fathom_mpi_completion_begin(struct fathom_mpi_completion *completion, struct fathom_mpi_scope scope,
					int count, const MPI_Request requests[], MPI_Status *statuses,
					int status_count);

/* All completed, or, with MPI_ERR_IN_STATUS, those whose status says so. */
void fathom_mpi_completed_all(struct fathom_mpi_completion *completion, int err, const MPI_Status *statuses);

/* One of them did; index may be MPI_UNDEFINED. */
void fathom_mpi_completed_any(struct fathom_mpi_completion *completion, int err, int index, const MPI_Status *status);

/* Some did; some may be MPI_UNDEFINED. */
void fathom_mpi_completed_some(struct fathom_mpi_completion *completion, int err, int some, const int indices[],
			       const MPI_Status *statuses);

void fathom_mpi_completion_end(struct fathom_mpi_completion *completion);

/*
 * MPI_Request_free: before the call, and after it. What completes later will not be seen; of a
 * send it is known that it will, anything else counts as cancelled.
 */
struct fathom_mpi_request *fathom_mpi_request_free_begin(MPI_Request request);
void fathom_mpi_request_free_end(struct fathom_mpi_scope scope, struct fathom_mpi_request *request, int err);

/* MPI_Cancel was accepted. */
void fathom_mpi_cancelled(MPI_Request request);

#endif
