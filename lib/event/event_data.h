/*
 * event_data: what an event reports in addition to its region: the members of a communicator, a collective operation,
 * a step of one-sided communication or of file access, the release of a lock.
 *
 * Wrappers fill these in, the core hands them on, and substrates read them. A structure lives as long as the call.
 */
#ifndef FATHOM_EVENT_EVENT_DATA_H
#define FATHOM_EVENT_EVENT_DATA_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_communicator;

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
	FATHOM_COLLECTIVE_COMM,		/* makes a communicator or opens a file */
	FATHOM_COLLECTIVE_COMM_FREE,	/* frees one */
	FATHOM_COLLECTIVE_WINDOW,	/* makes a window; fathom_event_rma_step tells the same */
};

/* root of a collective that has none; between groups: it is this process, or another of its group. */
#define FATHOM_NO_ROOT (-1)
#define FATHOM_ROOT_SELF (-2)
#define FATHOM_ROOT_OWN_GROUP (-3)

/* The members of a communicator. */
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

/* What one-sided communication and file access are about. */
enum fathom_object_kind {
	FATHOM_OBJECT_WINDOW,
	FATHOM_OBJECT_RANKS,		/* processes that synchronise */
	FATHOM_OBJECT_FILE,
	FATHOM_OBJECT_HANDLE,		/* a file that was opened */
	FATHOM_OBJECT_KINDS
};

struct fathom_object {
	enum fathom_object_kind kind;
	const struct fathom_communicator *comm;	/* of a window or handle */
	const uint32_t *ranks;			/* in the world */
	uint32_t count;				/* of them */
	const char *path;			/* of a file */
	uint32_t file;				/* of a handle: its number */
};

/* number where there is none: no memory. What is recorded of it is dropped. */
#define FATHOM_NO_OBJECT UINT32_MAX

/* One-sided communication, step by step. */
enum fathom_rma_kind {
	FATHOM_RMA_PUT,			/* operations: target, bytes_put, bytes_got, id */
	FATHOM_RMA_GET,
	FATHOM_RMA_ACCUMULATE,
	FATHOM_RMA_FETCH,		/* accumulates, and gets what was there */
	FATHOM_RMA_SWAP,		/* if it compares equal */
	FATHOM_RMA_DONE_HERE,		/* operations with this id are over in this process */
	FATHOM_RMA_DONE_THERE,		/* and in the target's memory */
	FATHOM_RMA_ALL_BEGIN,		/* of one of the next three, whose call is over */
	FATHOM_RMA_CREATED,
	FATHOM_RMA_FREED,
	FATHOM_RMA_FENCED,
	FATHOM_RMA_LOCK,		/* target or FATHOM_RMA_EVERYBODY, is_shared */
	FATHOM_RMA_UNLOCK,
	FATHOM_RMA_OPENED,		/* with ranks: an access or exposure epoch */
	FATHOM_RMA_CLOSED,
	FATHOM_RMA_TESTED,		/* it could not be closed yet */
};

#define FATHOM_RMA_EVERYBODY INT32_MIN

struct fathom_rma_step {
	enum fathom_rma_kind kind;
	uint32_t window;
	int32_t target;
	uint32_t ranks;
	uint64_t bytes_put;
	uint64_t bytes_got;
	uint64_t id;			/* of operations: a request's number, or as one */
	bool is_shared;
	bool has_memory;		/* of CREATED and FREED: that MPI allocated */
};

/* Use of files, step by step. */
enum fathom_io_kind {
	FATHOM_IO_OPENED,		/* file mode in flags */
	FATHOM_IO_CLOSED,
	FATHOM_IO_BEGIN,		/* an operation: mode in operation, flags, bytes wanted, offset, id */
	FATHOM_IO_ISSUED,		/* it goes on, and the call is over */
	FATHOM_IO_DONE,			/* bytes moved, id */
	FATHOM_IO_CANCELLED,		/* id */
	FATHOM_IO_SEEK,			/* distance, whence, offset it came to */
	FATHOM_IO_DELETED,		/* object is a file */
};

enum fathom_io_operation { FATHOM_IO_READ, FATHOM_IO_WRITE, FATHOM_IO_FLUSH };
enum fathom_io_whence { FATHOM_IO_FROM_START, FATHOM_IO_FROM_HERE, FATHOM_IO_FROM_END };

enum fathom_io_flags {
	FATHOM_IO_COLLECTIVE = 1,	/* of operations */
	FATHOM_IO_NONBLOCKING = 2,
	FATHOM_IO_MAY_READ = 4,		/* of OPENED */
	FATHOM_IO_MAY_WRITE = 8,
	FATHOM_IO_CREATES = 16,
	FATHOM_IO_EXCLUSIVE = 32,
	FATHOM_IO_APPENDS = 64,
	FATHOM_IO_TEMPORARY = 128,	/* deleted when it is closed */
};

#define FATHOM_IO_NO_OFFSET UINT64_MAX

struct fathom_io_step {
	enum fathom_io_kind kind;
	uint32_t object;		/* handle */
	uint32_t flags;			/* bits of enum fathom_io_flags */
	enum fathom_io_operation operation;
	enum fathom_io_whence whence;
	int64_t distance;
	uint64_t bytes;
	uint64_t offset;		/* in bytes from the start of the file, or FATHOM_IO_NO_OFFSET */
	uint64_t id;
};

/* When a lock was given back, in ticks: between these. Where they are not the same, only that much is known. */
struct fathom_lock_release {
	uint64_t earliest, latest;
};

#endif
