/*
 * request: operations that were begun and are not complete, found by their MPI_Request.
 *
 * One handle may stand for several of them: MPI gives sends that are complete at once a common
 * handle. So a handle leads to a queue, and who asks gets the oldest; those that share a handle
 * are all complete, any of them is as good. Messages matched by MPI_Mprobe are kept here too,
 * until MPI_Mrecv asks for their communicator.
 *
 * Where several threads call MPI, a handle is free for the next request as soon as MPI_Wait
 * completes this one, inside MPI. There a record must be claimed (taken out) before the call and
 * put back when the request did not complete; see completion.h.
 */
#ifndef FATHOM_MPI_REQUEST_H
#define FATHOM_MPI_REQUEST_H

#include "mpi/communicator.h"

enum fathom_mpi_request_kind {
	FATHOM_MPI_REQUEST_NOTHING,	/* nothing to record: MPI_PROC_NULL, Rput, ... */
	FATHOM_MPI_REQUEST_SEND,
	FATHOM_MPI_REQUEST_RECEIVE,	/* peer, tag and bytes come from the status */
	FATHOM_MPI_REQUEST_PARTITIONED_RECEIVE,	/* they are known beforehand */
	FATHOM_MPI_REQUEST_SENDRECV,
	FATHOM_MPI_REQUEST_COLLECTIVE,
	FATHOM_MPI_REQUEST_READ,
	FATHOM_MPI_REQUEST_WRITE,
	FATHOM_MPI_REQUEST_IDUP,
	FATHOM_MPI_REQUEST_MESSAGE,	/* matched, not yet received */
};

struct fathom_mpi_request {
	struct fathom_mpi_request *next;	/* the next handle in its bucket, or among the unused */
	struct fathom_mpi_request *younger;	/* same handle */
	struct fathom_mpi_request *youngest;	/* of this handle; right in the oldest only */
	uint64_t key;
	uint64_t number;	/* what events call it while it is open; number + 1 is its receive where it is both */

	enum fathom_mpi_request_kind kind;
	bool persistent;
	bool active;		/* of persistent ones: started, not complete */
	bool cancelled;		/* MPI_Cancel was called; whether it helped, the status tells */
	bool silent;		/* made by a call that was not recorded: no events */
	bool heard;		/* the begin was recorded, so the completion will be */
	struct fathom_mpi_communicator *comm;	/* held; NULL where none is needed */
	int32_t peer;
	int32_t tag;
	uint64_t bytes;		/* of a send */
	enum fathom_collective operation;
	int32_t root;
	uint64_t bytes_sent;	/* of a collective */
	uint64_t bytes_received;
	MPI_Comm *newcomm;	/* of an idup: where the handle will be */
};

/* Key of a matched message, apart from those of requests. */
#define FATHOM_MPI_MESSAGE_KEY(message) (FATHOM_MPI_KEY(message) ^ UINT64_C(0x5a00000000000000))

/*
 * Remember an operation; what is copied, all but its links, key and number. Takes over what's hold
 * on its communicator. Returns the record, which stays where it is, or NULL: no memory, the
 * operation will not be followed. Context: hook.
 */
struct fathom_mpi_request *fathom_mpi_request_add(uint64_t key, const struct fathom_mpi_request *what);

/* The oldest with this key, left where it is; NULL: none. */
struct fathom_mpi_request *fathom_mpi_request_find(uint64_t key);

/* The same, but taken out of the table. */
struct fathom_mpi_request *fathom_mpi_request_claim(uint64_t key);

/* The same, but persistent ones stay in. */
struct fathom_mpi_request *fathom_mpi_request_complete(uint64_t key);

/* What was claimed goes back as the oldest of its handle. */
void fathom_mpi_request_put_back(struct fathom_mpi_request *request);

/* What was claimed or completed is over. */
void fathom_mpi_request_drop(struct fathom_mpi_request *request);

#endif
