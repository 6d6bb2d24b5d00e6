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
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_region;
struct fathom_communicator;
struct fathom_parameter;
struct fathom_parameter_value;
struct fathom_metric;

/*
 * The calling thread begins or ends region. An exit whose enter was dropped is dropped; an
 * exit that skips active regions (longjmp, exceptions) ends those first.
 * Call them in tail position, or from the function that stays active as long as the region: where
 * the stack of the caller was is remembered, and a region whose caller's is gone counts as left
 * (longjmp, exceptions). Context: hook.
 */
FATHOM_API void fathom_event_enter(const struct fathom_region *region);
FATHOM_API void fathom_event_exit(const struct fathom_region *region);

/* The same for a region that is known not to be switched off; or was until a moment ago, which does no harm:
 * its exit will be recorded like any other.
 * Context: hook. */
FATHOM_API void fathom_event_enter_on(const struct fathom_region *region);
FATHOM_API void fathom_event_exit_on(const struct fathom_region *region);

/*
 * The same for hooks that know where the function's stack began: here is its stack pointer at its first instruction,
 * and at its last. So an exit tells by itself which enter it belongs to, and the enters of a region that is off need
 * not be told of.
 */
FATHOM_API void fathom_event_enter_here(const struct fathom_region *region, uintptr_t here);
FATHOM_API void fathom_event_exit_here(const struct fathom_region *region, uintptr_t here);
FATHOM_API void fathom_event_enter_on_here(const struct fathom_region *region, uintptr_t here);
FATHOM_API void fathom_event_exit_on_here(const struct fathom_region *region, uintptr_t here);

/*
 * The exit of the function whose code is known by that address (define/region.h), if it is the innermost one and was
 * entered with the stack pointer at here; mostly it is, and then no region has to be looked for. If not, other is
 * called, which is to find the region. Only where the counter is the clock. Context: hook.
 */
FATHOM_API void fathom_event_exit_code_here(const uint8_t *code, uintptr_t here);

/* Context: start. */
FATHOM_API void fathom_event_set_other_exit(void (*other)(const uint8_t *code, uintptr_t here));

/* Whether these five leave vector registers as they are, from now on (platform/vectors.h); false before anything can be
 * recorded. Context: start. */
FATHOM_API bool fathom_event_keeps_vectors(void);

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
 * What the program says itself.
 *
 * The innermost region of the calling thread, NULL: none. One by that name that the program began itself. Name is
 * compared as text. Context: hook.
 */
FATHOM_API const struct fathom_region *fathom_event_innermost(void);
FATHOM_API const struct fathom_region *fathom_event_find_user(const char *name, size_t length);

/* The calling thread records, or does not until it says otherwise: see event/pause.h. Context: hook. */
FATHOM_API void fathom_event_record(bool on);
FATHOM_API bool fathom_event_is_recording(void);

/* The innermost region has a parameter (define/parameter.h); it is an iteration, of that number, of a phase. Called
 * right behind its enter. Context: hook, birth where it is new. */
FATHOM_API void fathom_event_parameter(const struct fathom_parameter *parameter,
				       const struct fathom_parameter_value *value);
FATHOM_API void fathom_event_iteration(uint64_t number);

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
/* The same for a message that MPI_Mprobe has found. Unlike a receive, a probe does not hold a place in the order of
 * matching while it waits: the request begins at the time of this call, not at the enter of the MPI call. */
FATHOM_API void fathom_event_receive_matched(uint64_t request);
FATHOM_API void fathom_event_receive_complete(const struct fathom_communicator *comm, int32_t peer, int32_t tag,
					      uint64_t bytes, uint64_t request);
FATHOM_API void fathom_event_request_cancelled(uint64_t request);

/* A request was tested, and is not complete. Only traces ask for that. */
FATHOM_API void fathom_event_request_tested(uint64_t request);

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

/*
 * A collective is over: what this process contributed and got, in bytes, as the sheet of
 * byte counts in doc/reference/metrics.md defines it. root is a rank in comm, or one of those above.
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

/*
 * The number under which the starts of a persistent collective operation are recorded. MPI matches these operations
 * when they are initialised, and each process may start them in an order of its own (MPI 4.0, section 6.13). Readers of
 * a trace match collectives of one communicator in the order of their records, so each operation has a communicator of
 * its own, with the members of the one that has the number comm. operation: how many were initialised on that one so
 * far, this one included; the same at all members. call: the name of the MPI call that initialised it. Returns comm
 * where there is no memory. Context: birth.
 */
FATHOM_API uint32_t fathom_event_comm_of_operation(uint32_t comm, uint32_t operation, const char *call);

/* It is called name from now on. Context: birth. */
FATHOM_API void fathom_event_comm_name(const struct fathom_communicator *comm, const char *name);

/* It begins, or ends, to exist. Context: hook. */
FATHOM_API void fathom_event_comm_create(const struct fathom_communicator *comm);
FATHOM_API void fathom_event_comm_destroy(const struct fathom_communicator *comm);

/* Of what MPI did, something is not told: a request whose end nobody sees. Context: hook. */
FATHOM_API void fathom_event_incomplete(void);

/*
 * What one-sided communication and files are about. As with communicators, their numbers are asked for
 * only where fathom_event_traces says so, and so is everything up to fathom_event_io_step.
 */
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

/* The number of an object, by kind. A window or handle is always a new one, and all members of comm call this in the
 * same order; a file or list of ranks that is known keeps its number. Context: birth. */
FATHOM_API uint32_t fathom_event_object_define(const struct fathom_object *object);

/* A window has a name from now on. Context: birth. */
FATHOM_API void fathom_event_window_name(uint32_t window, const char *name);

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

/* Operations, locks and ALL_BEGIN count from the event before, which is the enter of their call. Context: hook. */
FATHOM_API void fathom_event_rma_step(const struct fathom_rma_step *step);

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

/* BEGIN counts from the event before, which is the enter of its call. Context: hook. */
FATHOM_API void fathom_event_io_step(const struct fathom_io_step *step);

/* One-sided transfer: bytes that left this process for, or came to it from, a target. Context: hook. */
FATHOM_API void fathom_event_rma(uint64_t bytes_put, uint64_t bytes_got);

/* File transfer. Context: hook. */
FATHOM_API void fathom_event_io(uint64_t bytes_read, uint64_t bytes_written);

/* The calling thread, or its process, is at that place of a topology (define/topology.h). Context: birth. */
struct fathom_topology;
FATHOM_API void fathom_event_place(const struct fathom_topology *topology, const uint32_t *at, bool is_thread);

/* The program gives a value of a metric, in the bits of its type. Context: hook. */
FATHOM_API void fathom_event_metric(const struct fathom_metric *metric, uint64_t bits);

#endif
