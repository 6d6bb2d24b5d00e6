/*
 * trace_event: an event of an OTF2 trace in one form for all kinds, and the way to it from the
 * reader's callbacks.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_EVENT_H
#define FATHOM_TOOLS_COMMON_TRACE_EVENT_H

#include "tools/common/trace_definitions.h"

enum fathom_trace_kind {
	FATHOM_EVENT_UNKNOWN,
	FATHOM_EVENT_BUFFER_FLUSH,
	FATHOM_EVENT_MEASUREMENT_ON_OFF,
	FATHOM_EVENT_ENTER,
	FATHOM_EVENT_LEAVE,
	FATHOM_EVENT_MPI_SEND,
	FATHOM_EVENT_MPI_ISEND,
	FATHOM_EVENT_MPI_ISEND_COMPLETE,
	FATHOM_EVENT_MPI_IRECV_REQUEST,
	FATHOM_EVENT_MPI_RECV,
	FATHOM_EVENT_MPI_IRECV,
	FATHOM_EVENT_MPI_REQUEST_TEST,
	FATHOM_EVENT_MPI_REQUEST_CANCELLED,
	FATHOM_EVENT_MPI_COLLECTIVE_BEGIN,
	FATHOM_EVENT_MPI_COLLECTIVE_END,
	FATHOM_EVENT_COLLECTIVE_REQUEST,
	FATHOM_EVENT_COLLECTIVE_COMPLETE,
	FATHOM_EVENT_COMM_CREATE,
	FATHOM_EVENT_COMM_DESTROY,
	FATHOM_EVENT_OMP_FORK,
	FATHOM_EVENT_OMP_JOIN,
	FATHOM_EVENT_OMP_ACQUIRE_LOCK,
	FATHOM_EVENT_OMP_RELEASE_LOCK,
	FATHOM_EVENT_OMP_TASK_CREATE,
	FATHOM_EVENT_OMP_TASK_SWITCH,
	FATHOM_EVENT_OMP_TASK_COMPLETE,
	FATHOM_EVENT_METRIC,
	FATHOM_EVENT_PARAMETER_STRING,
	FATHOM_EVENT_PARAMETER_INT,
	FATHOM_EVENT_PARAMETER_UNSIGNED,
	FATHOM_EVENT_RMA_WIN_CREATE,
	FATHOM_EVENT_RMA_WIN_DESTROY,
	FATHOM_EVENT_RMA_COLLECTIVE_BEGIN,
	FATHOM_EVENT_RMA_COLLECTIVE_END,
	FATHOM_EVENT_RMA_GROUP_SYNC,
	FATHOM_EVENT_RMA_REQUEST_LOCK,
	FATHOM_EVENT_RMA_ACQUIRE_LOCK,
	FATHOM_EVENT_RMA_TRY_LOCK,
	FATHOM_EVENT_RMA_RELEASE_LOCK,
	FATHOM_EVENT_RMA_SYNC,
	FATHOM_EVENT_RMA_WAIT_CHANGE,
	FATHOM_EVENT_RMA_PUT,
	FATHOM_EVENT_RMA_GET,
	FATHOM_EVENT_RMA_ATOMIC,
	FATHOM_EVENT_RMA_COMPLETE_BLOCKING,
	FATHOM_EVENT_RMA_COMPLETE_NON_BLOCKING,
	FATHOM_EVENT_RMA_TEST,
	FATHOM_EVENT_RMA_COMPLETE_REMOTE,
	FATHOM_EVENT_THREAD_FORK,
	FATHOM_EVENT_THREAD_JOIN,
	FATHOM_EVENT_TEAM_BEGIN,
	FATHOM_EVENT_TEAM_END,
	FATHOM_EVENT_ACQUIRE_LOCK,
	FATHOM_EVENT_RELEASE_LOCK,
	FATHOM_EVENT_TASK_CREATE,
	FATHOM_EVENT_TASK_SWITCH,
	FATHOM_EVENT_TASK_COMPLETE,
	FATHOM_EVENT_THREAD_CREATE,
	FATHOM_EVENT_THREAD_BEGIN,
	FATHOM_EVENT_THREAD_WAIT,
	FATHOM_EVENT_THREAD_END,
	FATHOM_EVENT_CONTEXT_ENTER,
	FATHOM_EVENT_CONTEXT_LEAVE,
	FATHOM_EVENT_CONTEXT_SAMPLE,
	FATHOM_EVENT_IO_CREATE_HANDLE,
	FATHOM_EVENT_IO_DESTROY_HANDLE,
	FATHOM_EVENT_IO_DUPLICATE_HANDLE,
	FATHOM_EVENT_IO_SEEK,
	FATHOM_EVENT_IO_CHANGE_FLAGS,
	FATHOM_EVENT_IO_DELETE_FILE,
	FATHOM_EVENT_IO_BEGIN,
	FATHOM_EVENT_IO_TEST,
	FATHOM_EVENT_IO_ISSUED,
	FATHOM_EVENT_IO_COMPLETE,
	FATHOM_EVENT_IO_CANCELLED,
	FATHOM_EVENT_IO_ACQUIRE_LOCK,
	FATHOM_EVENT_IO_RELEASE_LOCK,
	FATHOM_EVENT_IO_TRY_LOCK,
	FATHOM_EVENT_PROGRAM_BEGIN,
	FATHOM_EVENT_PROGRAM_END,
	FATHOM_EVENT_KINDS
};

enum fathom_trace_part {	/* what a kind of event is about */
	FATHOM_PART_GENERAL,
	FATHOM_PART_MESSAGE,
	FATHOM_PART_COLLECTIVE,
	FATHOM_PART_TEAM,	/* threads, teams and tasks */
	FATHOM_PART_LOCK,
	FATHOM_PART_WINDOW,
	FATHOM_PART_FILE
};

struct fathom_trace_kind_info {
	const char *name;		/* as OTF2 calls it */
	enum fathom_trace_part part;
	enum fathom_trace_space refers;	/* to what ref is an id of */
};
extern const struct fathom_trace_kind_info fathom_trace_kinds[FATHOM_EVENT_KINDS];

struct fathom_trace_event {
	enum fathom_trace_kind kind;
	uint32_t location;	/* index */
	uint64_t time;
	OTF2_AttributeList *attributes;
	uint64_t ref;		/* id of the region, communicator, window, handle, metric, ... */
	uint64_t other;		/* a second one: group, new handle, string, generator, file */
	uint64_t id;		/* request, operation, lock, thread; time at which a flush ends */
	uint32_t peer;		/* rank of a partner, root, thread that created a task */
	uint32_t tag;		/* of a message; level of synchronization; number of a task, of an acquisition */
	uint32_t op;		/* collective operation, paradigm, kind of lock; whether measurement is on */
	uint32_t count;		/* of values or arguments */
	uint64_t bytes;		/* sent, wanted or done */
	uint64_t bytes_received;
	const void *types;	/* OTF2_Type of metric values; ids of arguments */
};

/* Returning false stops the reading. */
typedef bool fathom_trace_take(void *taker, const struct fathom_trace_event *event);

struct fathom_trace_reading {	/* what the callbacks get */
	const struct fathom_trace_defs *defs;
	fathom_trace_take *take;
	void *taker;
	uint64_t last_id;	/* location of the last event, */
	uint32_t last;		/* and its index */
};

/* Callbacks for all kinds; to be freed with OTF2_GlobalEvtReaderCallbacks_Delete. NULL: out of memory. */
OTF2_GlobalEvtReaderCallbacks *fathom_trace_event_callbacks(void);

#endif
