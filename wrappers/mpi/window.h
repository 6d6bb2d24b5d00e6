/*
 * window: one-sided communication: a record of each window, found by the window's handle.
 *
 * A trace has records of when an operation begins, when it is complete at its origin, and when it is complete at its
 * target. Operations on one target without a request share a number until they complete together, at the next unlock,
 * flush, fence or end of the epoch. An operation with a request (MPI_Rput) has the number of the request.
 *
 * Where wait states are searched, windows have a second number, for the log of the run. Without a trace, the log gets
 * the begins of operations, and there are no records of operations. Other profiles need the number of bytes alone.
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

/* Returns whether the call is to be recorded in a trace. Context: hook. */
static inline bool fathom_mpi_traces(struct fathom_mpi_scope scope, int err)
{
	return unlikely(fathom_mpi_tracing) && fathom_mpi_records(scope, err);
}

/* Returns whether the call is to be recorded where windows are followed: for a trace, or for the search for wait
 * states. Context: hook. */
static inline bool fathom_mpi_follows_windows(struct fathom_mpi_scope scope, int err)
{
	return unlikely(fathom_mpi_knowing_comms) && fathom_mpi_records(scope, err);
}

/* agreed: all members of comm have made a window. made: as agreed, where windows are followed;
 * memory: MPI allocated memory for it. named: the program gave the window a name. Context: hook; a new window:
 * birth. */
void fathom_mpi_window_agreed(MPI_Comm comm);
void fathom_mpi_window_made(MPI_Comm comm, MPI_Win win, bool memory);
void fathom_mpi_window_named(MPI_Win win, const char *name, size_t length);

/* MPI_Win_free: detach is called before MPI, which ends the handle; freed after it. The functions without _slow do
 * nothing where windows are not followed. Context: hook. */
struct fathom_mpi_window *fathom_mpi_window_detach_slow(MPI_Win win);
void fathom_mpi_window_freed_slow(struct fathom_mpi_scope scope, struct fathom_mpi_window *window, int err);

/* Returns the window's record, taken out of the table; NULL: there is none. Context: hook. */
static inline struct fathom_mpi_window *fathom_mpi_window_detach(MPI_Win win)
{
	return likely(!fathom_mpi_knowing_comms) ? NULL : fathom_mpi_window_detach_slow(win);
}

/* Records that the window was freed; after an error puts its record back into the table. window may be NULL.
 * Context: hook. */
static inline void fathom_mpi_window_freed(struct fathom_mpi_scope scope, struct fathom_mpi_window *window, int err)
{
	if (unlikely(window))
		fathom_mpi_window_freed_slow(scope, window, err);
}

/* Records the begin of an operation, where windows are followed. request: its request, or MPI_REQUEST_NULL. Context:
 * hook. */
void fathom_mpi_window_operation(MPI_Win win, enum fathom_rma_kind kind, int target, uint64_t put, uint64_t got,
				 MPI_Request request);

/* Counts the bytes of an operation without a request, and records its begin where windows are followed.
 * Context: hook. */
static inline void fathom_mpi_operation(MPI_Win win, enum fathom_rma_kind kind, int target, uint64_t put, uint64_t got)
{
	fathom_event_rma(put, got);
	if (unlikely(fathom_mpi_knowing_comms))
		fathom_mpi_window_operation(win, kind, target, put, got, MPI_REQUEST_NULL);
}

/* Counts the bytes of an operation with a request, and records its begin where windows are followed. Context: hook. */
static inline void fathom_mpi_operation_begun(MPI_Win win, enum fathom_rma_kind kind, int target, uint64_t put,
					      uint64_t got, MPI_Request request)
{
	fathom_event_rma(put, got);
	if (likely(!fathom_mpi_knowing_comms))
		fathom_mpi_request_of_nothing(request);
	else
		fathom_mpi_window_operation(win, kind, target, put, got, request);
}

/* Records that the request of an operation is complete. True: the caller drops the request. Context: hook. */
bool fathom_mpi_window_waited(struct fathom_mpi_request *request, bool recorded);

/* Records that the operations on target, a rank or FATHOM_MPI_EVERYBODY, are complete. Context: hook. */
void fathom_mpi_window_synced(MPI_Win win, int target, enum fathom_mpi_sync how);

/* Records that a lock of target was requested. type: MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE. Context: hook. */
void fathom_mpi_window_locked(MPI_Win win, int target, int type);

/* Record the begin and end of an epoch with a group; tested: MPI_Win_test, over: it has ended the epoch. Context:
 * hook. */
void fathom_mpi_window_opened(MPI_Win win, MPI_Group group, enum fathom_mpi_epoch epoch);
void fathom_mpi_window_closed(MPI_Win win, enum fathom_mpi_epoch epoch);
void fathom_mpi_window_tested(MPI_Win win, bool over);

#endif
