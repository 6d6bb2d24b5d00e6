/*
 * window: one-sided communication: what traces need to know of each window, found by its handle.
 *
 * A trace tells when an operation begins, when it is over here and when it is over in its target's memory. Those on one
 * target that have no request share a number until they are over together, at the next unlock, flush, fence
 * or end of the epoch; an operation with a request (MPI_Rput) has that request's number.
 *
 * Only where traces are written is anything kept here. Profiles need the bytes alone.
 */
#ifndef FATHOM_MPI_WINDOW_H
#define FATHOM_MPI_WINDOW_H

#include "mpi/message.h"

/* Constants of calls.txt. */
#define FATHOM_MPI_PUT FATHOM_RMA_PUT
#define FATHOM_MPI_GET FATHOM_RMA_GET
#define FATHOM_MPI_ACCUMULATE FATHOM_RMA_ACCUMULATE
#define FATHOM_MPI_FETCH FATHOM_RMA_FETCH
#define FATHOM_MPI_SWAP FATHOM_RMA_SWAP
#define FATHOM_MPI_EVERYBODY FATHOM_RMA_EVERYBODY
#define FATHOM_MPI_LOCK_SHARED MPI_LOCK_SHARED
#define FATHOM_MPI_FOREIGN false
#define FATHOM_MPI_ALLOCATED true

enum fathom_mpi_sync {
	FATHOM_MPI_FENCE,
	FATHOM_MPI_UNLOCK,
	FATHOM_MPI_FLUSH,
	FATHOM_MPI_FLUSH_LOCAL,
};

enum fathom_mpi_epoch {
	FATHOM_MPI_ACCESS,	/* MPI_Win_start to MPI_Win_complete */
	FATHOM_MPI_EXPOSURE,	/* MPI_Win_post to MPI_Win_wait */
	FATHOM_MPI_EPOCHS
};

struct fathom_mpi_window;

/* A trace is written, and the call is recorded there. */
static inline bool fathom_mpi_traces(struct fathom_mpi_scope scope, int err)
{
	return unlikely(fathom_mpi_tracing) && fathom_mpi_records(scope, err);
}

/* All members of comm made a window; made follows where traces are written. memory: MPI allocated some. */
void fathom_mpi_window_agreed(MPI_Comm comm);
void fathom_mpi_window_made(MPI_Comm comm, MPI_Win win, bool memory);
void fathom_mpi_window_named(MPI_Win win, const char *name, size_t length);

/* MPI_Win_free: before the call, which is the end of the handle, and after it. */
struct fathom_mpi_window *fathom_mpi_window_detach_slow(MPI_Win win);
void fathom_mpi_window_freed_slow(struct fathom_mpi_scope scope, struct fathom_mpi_window *window, int err);

static inline struct fathom_mpi_window *fathom_mpi_window_detach(MPI_Win win)
{
	return likely(!fathom_mpi_tracing) ? NULL : fathom_mpi_window_detach_slow(win);
}

static inline void fathom_mpi_window_freed(struct fathom_mpi_scope scope, struct fathom_mpi_window *window, int err)
{
	if (unlikely(window))
		fathom_mpi_window_freed_slow(scope, window, err);
}

/* An operation was begun; with a request or, if that is MPI_REQUEST_NULL, without. */
void fathom_mpi_window_operation(MPI_Win win, enum fathom_rma_kind kind, int target, uint64_t put, uint64_t got,
				 MPI_Request request);

static inline void fathom_mpi_operation(MPI_Win win, enum fathom_rma_kind kind, int target, uint64_t put, uint64_t got)
{
	fathom_event_rma(put, got);
	if (unlikely(fathom_mpi_tracing))
		fathom_mpi_window_operation(win, kind, target, put, got, MPI_REQUEST_NULL);
}

static inline void fathom_mpi_operation_begun(MPI_Win win, enum fathom_rma_kind kind, int target, uint64_t put,
					      uint64_t got, MPI_Request request)
{
	fathom_event_rma(put, got);
	if (likely(!fathom_mpi_tracing))
		fathom_mpi_request_of_nothing(request);
	else
		fathom_mpi_window_operation(win, kind, target, put, got, request);
}

/* The request of an operation is over; the caller drops it if this returns true. */
bool fathom_mpi_window_waited(struct fathom_mpi_request *request, bool recorded);

/* Operations on target, a rank or FATHOM_MPI_EVERYBODY, are over. */
void fathom_mpi_window_synced(MPI_Win win, int target, enum fathom_mpi_sync how);

/* The lock of target was asked for; type as MPI has it. */
void fathom_mpi_window_locked(MPI_Win win, int target, int type);

/* Epochs with a group. */
void fathom_mpi_window_opened(MPI_Win win, MPI_Group group, enum fathom_mpi_epoch epoch);
void fathom_mpi_window_closed(MPI_Win win, enum fathom_mpi_epoch epoch);
void fathom_mpi_window_tested(MPI_Win win, bool over);

#endif
