/*
 * event: the one door through which every event enters.
 *
 * Wrappers call these from the thread that does the thing; the core finds the thread's
 * location, keeps enters and exits balanced and hands the event to the substrate. Every
 * function here may be called at any time, from any thread, also inside a signal handler,
 * before main, after exit has begun and after fork: where nothing can be recorded, nothing is.
 */
#ifndef FATHOM_EVENT_EVENT_H
#define FATHOM_EVENT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;
struct fathom_communicator;

/*
 * The calling thread begins or ends region. An exit whose enter was dropped is dropped; an
 * exit that skips active regions (longjmp, exceptions) ends those first.
 * Call them in tail position, or from the function that stays active as long as the region: where
 * the stack of the caller was is remembered, and a region whose caller's is gone counts as left
 * (longjmp, exceptions). Context: hook.
 */
FATHOM_API void fathom_event_enter(const struct fathom_region *region);
FATHOM_API void fathom_event_exit(const struct fathom_region *region);

/*
 * The same for a block that cannot be left but through its end (an OpenMP construct): it may be entered from
 * anywhere, also from a helper that returns, and lasts as long as the region around it. Left by
 * fathom_event_exit. Context: hook.
 */
FATHOM_API void fathom_event_enter_block(const struct fathom_region *region);

/*
 * True where the calling thread's events are recorded now: what costs effort to find out
 * (bytes of an irregular collective) need not be found out otherwise. Context: hook.
 */
FATHOM_API bool fathom_event_recording(void);

/*
 * Messages. peer is a rank in comm (of the other group for an inter-communicator), never
 * MPI_PROC_NULL. Each is called inside the region of the call that does it.
 * request: dense number of the request while it is open, unique within the process.
 * Context: hook.
 */
FATHOM_API void fathom_event_send(const struct fathom_communicator *comm, int32_t peer, int32_t tag, uint64_t bytes);
FATHOM_API void fathom_event_receive(const struct fathom_communicator *comm, int32_t peer, int32_t tag,
				     uint64_t bytes);
FATHOM_API void fathom_event_send_begin(const struct fathom_communicator *comm, int32_t peer, int32_t tag,
					uint64_t bytes, uint64_t request);
FATHOM_API void fathom_event_send_complete(uint64_t request);
FATHOM_API void fathom_event_receive_begin(uint64_t request);
FATHOM_API void fathom_event_receive_complete(const struct fathom_communicator *comm, int32_t peer, int32_t tag,
					      uint64_t bytes, uint64_t request);
FATHOM_API void fathom_event_request_cancelled(uint64_t request);

/* What a collective operation is; the order is OTF2's where OTF2 has it. */
enum fathom_collective {
	FATHOM_COLLECTIVE_BARRIER,
	FATHOM_COLLECTIVE_BCAST,
	FATHOM_COLLECTIVE_GATHER,
	FATHOM_COLLECTIVE_GATHERV,
	FATHOM_COLLECTIVE_SCATTER,
	FATHOM_COLLECTIVE_SCATTERV,
	FATHOM_COLLECTIVE_ALLGATHER,
	FATHOM_COLLECTIVE_ALLGATHERV,
	FATHOM_COLLECTIVE_ALLTOALL,
	FATHOM_COLLECTIVE_ALLTOALLV,
	FATHOM_COLLECTIVE_ALLTOALLW,
	FATHOM_COLLECTIVE_ALLREDUCE,
	FATHOM_COLLECTIVE_REDUCE,
	FATHOM_COLLECTIVE_REDUCE_SCATTER,
	FATHOM_COLLECTIVE_SCAN,
	FATHOM_COLLECTIVE_EXSCAN,
	FATHOM_COLLECTIVE_REDUCE_SCATTER_BLOCK,
	FATHOM_COLLECTIVE_NEIGHBOR,	/* any neighbourhood operation */
	FATHOM_COLLECTIVE_COMM,		/* makes a communicator, window or file */
	FATHOM_COLLECTIVE_COMM_FREE,	/* frees one */
};

/* root of a collective that has none. */
#define FATHOM_NO_ROOT (-1)

/*
 * A collective is over: what this process contributed and got, in bytes, as the sheet of
 * byte counts in doc/metrics.md defines it. root is a rank in comm, or FATHOM_NO_ROOT.
 * The pair begin/complete is for non-blocking and persistent ones. Context: hook.
 */
FATHOM_API void fathom_event_collective(const struct fathom_communicator *comm, enum fathom_collective operation,
					int32_t root, uint64_t bytes_sent, uint64_t bytes_received);
FATHOM_API void fathom_event_collective_begin(uint64_t request);
FATHOM_API void fathom_event_collective_complete(const struct fathom_communicator *comm,
						 enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
						 uint64_t bytes_received, uint64_t request);

/*
 * Communicators, as far as records need them. Where fathom_event_traces says so, a wrapper asks for a number for every
 * communicator it learns of, and keeps it in struct fathom_communicator.
 */
struct fathom_comm_members {
	const uint32_t *ranks;		/* of its processes in the world, by rank in the communicator */
	uint32_t count;
	const uint32_t *remote;		/* of an inter-communicator: those of the other group; else NULL */
	uint32_t remote_count;
	uint32_t rank;			/* of the calling process in it */
	const char *name;		/* NULL or empty: it has none */
	uint64_t key;			/* the same at all its members, and where possible of no other; 0: not known */
	uint32_t parent;		/* number of the one it was made from; FATHOM_NO_COMM: of none */
	uint32_t dimension_count;	/* of a Cartesian grid; else 0 */
	const struct fathom_comm_dimension *dimensions;
};

struct fathom_comm_dimension {
	uint32_t size;
	uint32_t periodic;
};

#define FATHOM_NO_COMM UINT32_MAX

/* Whether what happens is written down event by event. Context: hook. */
FATHOM_API bool fathom_event_traces(void);

/* The number of a new communicator. All its members call this in the same order for communicators of the same members
 * and key. Context: birth. */
FATHOM_API uint32_t fathom_event_comm_define(const struct fathom_comm_members *members);

/* It is called name from now on. Context: birth. */
FATHOM_API void fathom_event_comm_name(const struct fathom_communicator *comm, const char *name);

/* It begins, or ends, to exist. Context: hook. */
FATHOM_API void fathom_event_comm_create(const struct fathom_communicator *comm);
FATHOM_API void fathom_event_comm_destroy(const struct fathom_communicator *comm);

/* One-sided transfer: bytes that left this process for, or came to it from, a target. Context: hook. */
FATHOM_API void fathom_event_rma(uint64_t bytes_put, uint64_t bytes_got);

/* File transfer. Context: hook. */
FATHOM_API void fathom_event_io(uint64_t bytes_read, uint64_t bytes_written);

#endif
