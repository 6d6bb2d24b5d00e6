/*
 * event_data: what an event reports in addition to its region: the members of a communicator, a collective operation,
 * a step of one-sided communication or of file access, the release of a lock.
 *
 * Wrappers fill in these structures, the core passes them on, and substrates read them. A structure is valid during
 * the call only.
 */
#ifndef FATHOM_EVENT_EVENT_DATA_H
#define FATHOM_EVENT_EVENT_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "define/collective.h"

struct fathom_communicator;

/* Special values of root: the operation has no root; in an inter-communicator, the root is this process (SELF), or
 * another process of its group (OWN_GROUP). */
#define FATHOM_NO_ROOT (-1)
#define FATHOM_ROOT_SELF (-2)
#define FATHOM_ROOT_OWN_GROUP (-3)

/* The members of a communicator. */
struct fathom_comm_members {
	const uint32_t *ranks;		/* by rank in the communicator: the process's rank in the world. NULL: both are
					 * the same, and no trace is recorded */
	uint32_t count;
	const uint32_t *remote;		/* of an inter-communicator: the ranks of the other group; else NULL */
	uint32_t remote_count;
	uint32_t rank;			/* of the calling process in the communicator */
	const char *name;		/* NULL or empty if there is none */
	uint64_t key;			/* equal at all members, and if possible different from all other
					 * communicators; 0: not known */
	uint32_t parent;		/* number of the communicator from which it was made; FATHOM_NO_COMM: none */
	uint32_t dimension_count;	/* of a Cartesian grid; 0 for other communicators */
	const struct fathom_comm_dimension *dimensions;
};

struct fathom_comm_dimension {
	uint32_t size;
	uint32_t periodic;
};

#define FATHOM_NO_COMM UINT32_MAX

/* The neighbours of the calling process in a communicator with a topology, by their ranks in the communicator. A
 * process may be there more than once. */
struct fathom_comm_neighbors {
	const uint32_t *sources;
	const uint32_t *destinations;
	uint32_t source_count;
	uint32_t destination_count;
};

/* Kinds of objects that one-sided communication and file access use. */
enum fathom_object_kind {
	FATHOM_OBJECT_WINDOW,
	FATHOM_OBJECT_RANKS,		/* a list of processes that synchronise */
	FATHOM_OBJECT_FILE,
	FATHOM_OBJECT_HANDLE,		/* a file that was opened */
	FATHOM_OBJECT_KINDS
};

/* The interfaces by which a program opens files. */
enum fathom_io_paradigm {
	FATHOM_IO_MPI,
	FATHOM_IO_POSIX,
	FATHOM_IO_ISOC,			/* stdio */
};

struct fathom_object {
	enum fathom_object_kind kind;
	enum fathom_io_paradigm io;		/* of a handle; not that of MPI: the handle is of this process only */
	const struct fathom_communicator *comm;	/* of a window, or of a handle of MPI */
	const uint32_t *ranks;			/* in the world */
	uint32_t count;				/* number of ranks */
	const char *path;			/* of a file */
	uint32_t file;				/* of a handle: the number of its file */
};

/* The number of an object that there was no memory for. Records about the object are dropped. */
#define FATHOM_NO_OBJECT UINT32_MAX

/* Steps of one-sided communication. */
enum fathom_rma_kind {
	FATHOM_RMA_PUT,			/* operations: target, bytes_put, bytes_got, id */
	FATHOM_RMA_GET,
	FATHOM_RMA_ACCUMULATE,
	FATHOM_RMA_FETCH,		/* accumulates, and returns the old value */
	FATHOM_RMA_SWAP,		/* compares, and replaces if equal */
	FATHOM_RMA_DONE_HERE,		/* the operations with this id are complete in this process */
	FATHOM_RMA_DONE_THERE,		/* the operations with this id are complete at the target */
	FATHOM_RMA_ALL_BEGIN,		/* the begin of one of the next three steps, reported when its MPI call is
					 * over */
	FATHOM_RMA_CREATED,
	FATHOM_RMA_FREED,
	FATHOM_RMA_FENCED,
	FATHOM_RMA_LOCK,		/* target or FATHOM_RMA_EVERYBODY, is_shared */
	FATHOM_RMA_UNLOCK,
	FATHOM_RMA_FLUSHED,		/* target or FATHOM_RMA_EVERYBODY: a flush is over */
	FATHOM_RMA_OPENED,		/* an access or exposure epoch for the processes in ranks begins */
	FATHOM_RMA_CLOSED,
	FATHOM_RMA_TESTED,		/* the epoch could not be closed yet */
};

#define FATHOM_RMA_EVERYBODY INT32_MIN

struct fathom_rma_step {
	enum fathom_rma_kind kind;
	uint32_t window;		/* number of the window in the trace */
	uint32_t log_window;		/* its number of fathom_event_window_note */
	int32_t target;
	uint32_t ranks;			/* of OPENED, CLOSED and TESTED, in a trace: the processes of the epoch;
					 * FATHOM_NO_OBJECT: they are not known */
	uint64_t bytes_put;
	uint64_t bytes_got;
	uint64_t id;			/* of operations: the number of a request, or a number of the same kind */
	/* Of OPENED, CLOSED and TESTED, for the search for wait states: the processes of the epoch, by their ranks in
	 * the world, and whether it is an exposure epoch. */
	const uint32_t *members;
	uint32_t member_count;
	bool is_exposure;
	bool is_shared;
	bool has_memory;		/* for CREATED and FREED: MPI allocated the memory of the window */
};

/* Steps of file access. */
enum fathom_io_kind {
	FATHOM_IO_OPENED,		/* flags: the file mode */
	FATHOM_IO_CLOSED,
	FATHOM_IO_BEGIN,		/* an operation begins: operation, flags, bytes wanted, offset, id */
	FATHOM_IO_ISSUED,		/* the call returns, and the operation continues */
	FATHOM_IO_DONE,			/* the operation is complete: bytes transferred, id */
	FATHOM_IO_CANCELLED,		/* id */
	FATHOM_IO_SEEK,			/* distance, whence, and the resulting offset */
	FATHOM_IO_DELETED,		/* object is a file */
};

enum fathom_io_operation { FATHOM_IO_READ, FATHOM_IO_WRITE, FATHOM_IO_FLUSH };
enum fathom_io_whence { FATHOM_IO_FROM_START, FATHOM_IO_FROM_HERE, FATHOM_IO_FROM_END };

enum fathom_io_flags {
	FATHOM_IO_COLLECTIVE = 1,	/* this and the next: of operations */
	FATHOM_IO_NONBLOCKING = 2,
	FATHOM_IO_MAY_READ = 4,		/* this and the following: of OPENED */
	FATHOM_IO_MAY_WRITE = 8,
	FATHOM_IO_CREATES = 16,
	FATHOM_IO_EXCLUSIVE = 32,
	FATHOM_IO_APPENDS = 64,
	FATHOM_IO_TEMPORARY = 128,	/* deleted when it is closed */
};

#define FATHOM_IO_NO_OFFSET UINT64_MAX

struct fathom_io_step {
	enum fathom_io_kind kind;
	uint32_t object;		/* number of a handle (of a file for FATHOM_IO_DELETED) */
	uint32_t flags;			/* bits of enum fathom_io_flags */
	enum fathom_io_operation operation;
	enum fathom_io_whence whence;
	int64_t distance;
	uint64_t bytes;
	uint64_t offset;		/* in bytes from the start of the file, or FATHOM_IO_NO_OFFSET */
	uint64_t id;
};

/* The time at which a lock was released, in ticks: it lies between the two values, which differ if the exact time is
 * not known. */
struct fathom_lock_release {
	uint64_t earliest, latest;
};

#endif
