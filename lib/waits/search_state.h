/*
 * search_state: what the stages of a search share: hosted processes and locations, what is known of each operation, and
 * the results.
 *
 * Only the thread that searches uses it. Allocates with malloc; the largest part, one struct fathom_waits_op_state for
 * each record, comes from anonymous pages that the kernel provides when they are used.
 */
#ifndef FATHOM_WAITS_SEARCH_STATE_H
#define FATHOM_WAITS_SEARCH_STATE_H

#include "waits/host_mail.h"
#include "waits/key_table.h"
#include "waits/search_input.h"

/* Types of the messages between hosts. */
enum fathom_waits_mail_type {
	FATHOM_WAITS_MAIL_SEND,		/* a message of the program was sent */
	FATHOM_WAITS_MAIL_REQUEST,	/* the receiver asked for it later than it was sent */
	FATHOM_WAITS_MAIL_UP,		/* the shares of a part of a collective operation's members */
	FATHOM_WAITS_MAIL_DOWN,		/* what all shares have in common */
	FATHOM_WAITS_MAIL_ACCESS,	/* a target was accessed before a fence */
	FATHOM_WAITS_MAIL_EPOCH,	/* a passive epoch; the answer: another epoch that it waited for */
	FATHOM_WAITS_MAIL_PROGRESS,	/* a call of a passive epoch; the answer: the target's call */
	FATHOM_WAITS_MAIL_CAUSE,	/* an operation is the cause of a wait state */
	FATHOM_WAITS_MAIL_DELAY,	/* what a waiting location did while its cause was late */
	FATHOM_WAITS_MAIL_DIRECT,	/* the answer: which part of the waiting is indirect */
	FATHOM_WAITS_MAIL_TOKEN,	/* the critical path goes on at an operation */
};

/* The name of an operation in the whole run. */
struct fathom_waits_op_name {
	uint32_t rank;
	uint32_t thread;	/* index of the location in its process */
	uint32_t record;
};

enum fathom_waits_op_flags {
	FATHOM_WAITS_HAS_MESSAGE = 1,	/* early_begin is known */
	FATHOM_WAITS_HAS_REQUEST = 2,	/* request is known */
	FATHOM_WAITS_HAS_CAUSE = 4,	/* cause is known */
	FATHOM_WAITS_IS_CUT = 8,	/* all processes meet here: the critical path passes through the cause */
	FATHOM_WAITS_IS_LAST = 16,	/* at a cut: this location entered last */
	FATHOM_WAITS_IS_COMMON = 32,	/* the operation is a collective synchronisation point */
	FATHOM_WAITS_HAS_DELAYS = 64,	/* the causes of the waiting are searched */
	FATHOM_WAITS_HAS_PATTERN = 128,	/* the operation waited, but the cause is not known */
};

/* What is known of an operation; index: the number of its record. Forward is matching, backward is all after the causes
 * of waiting are found (wait_causes.c clears the members in between). */
struct fathom_waits_op_state {
	double wait;		/* waiting in the operation whose cause is known, in seconds */
	struct fathom_waits_op_name cause;	/* the operation that it waited for */
	uint8_t pattern;	/* enum fathom_waits_pattern of wait */
	uint8_t flags;		/* bits of enum fathom_waits_op_flags */
	union {
		double early_begin;	/* forward, of an operation with a receive: the earliest enter of a send whose
					 * message it received */
		double request;		/* forward, see fathom_waits_request_of: the latest time at which a receiver
					 * asked for its messages; of MPI_Win_wait, the end of the last access to this
					 * process; of a fence, its waiting for accesses */
		double cost;		/* backward: what its waiting caused later */
	};
	union {
		struct {		/* forward, of an operation with a receive, and of MPI_Win_wait */
			double late_begin;	/* the enter of the send that it waited for */
			uint32_t early_rank;	/* the sender of the earliest message */
		};
		struct fathom_waits_op_name requester;	/* forward, with request: the operation that asked */
		struct {		/* backward */
			double propagated;	/* the largest part of the waiting that a later wait state contains */
			uint32_t expected;	/* number of operations whose cause this one is */
			uint32_t waiter_rank;	/* if expected > 0: the rank of these operations, or
						 * FATHOM_WAITS_MANY_RANKS */
		};
	};
};

_Static_assert(sizeof(struct fathom_waits_op_state) == 48, "the guide says how much memory the search takes");

#define FATHOM_WAITS_MANY_RANKS UINT32_MAX

/* A value of a pattern at a call path. */
struct fathom_waits_value {
	double value;
	uint32_t next;		/* index of the next value of the call path, + 1 */
	uint32_t pattern;
};

/* A call path of a location. */
struct fathom_waits_path {
	uint64_t call_path;
	uint64_t digest;
	double time;		/* time that is no waiting */
	double critical;	/* time on the critical path */
	uint32_t location;	/* index of the location */
	uint32_t values;	/* index of its first value, + 1 */
	uint32_t next;		/* the next call path of the location, + 1 */
};

struct fathom_waits_process_state {
	const struct fathom_waits_process *process;
	uint32_t first_location;	/* index of its first location */
};

/* A call path that was looked up lately. */
struct fathom_waits_recent_path {
	uint64_t call_path;
	uint32_t location;	/* index */
	uint32_t path;		/* index + 1; 0: the entry is free */
};

enum { FATHOM_WAITS_RECENT_PATHS = 2048 };

struct fathom_waits_location_state {
	const struct fathom_waits_location *location;
	uint32_t process;		/* index of its process */
	uint32_t thread;		/* its index in the process */
	struct fathom_waits_op_state *ops;
	uint32_t next;			/* the next record of the stage */
	uint32_t first_path;		/* index + 1 */
	size_t memory_bytes;		/* of ops; the pages behind them, if there are any, are those of a file */
	double seconds_per_tick;
	double begin, end;		/* of its life, in seconds */
	uint32_t mapless_begin, mapless_end;	/* a range of records that are no time maps, see costs/interval_map.c */
};

struct fathom_waits_state {
	const struct fathom_waits_input *input;
	struct fathom_waits_mail *mail;
	uint32_t own_host;
	struct fathom_waits_process_state *processes;
	uint32_t process_count;
	struct fathom_waits_location_state *locations;
	uint32_t location_count;
	size_t ops_bytes;		/* of the states of all operations that are in memory */
	struct fathom_waits_key_table process_of_rank;	/* key of rank: index */
	struct fathom_waits_key_table path_table;	/* key of location and call path: index in paths */
	struct fathom_waits_recent_path *recent_paths;	/* at a place that follows from location and call path */
	struct fathom_waits_path *paths;
	uint32_t path_count, path_room;
	struct fathom_waits_value *values;
	uint32_t value_count, value_room;
	struct fathom_waits_summary summary;	/* of this host, until the end */
	int err;				/* -ENOMEM of a function that returns nothing */
};

/* Fills in the state. 0 or -errno; then destroy must be called all the same. Context: finish. */
int fathom_waits_state_create(struct fathom_waits_state *state, struct fathom_comm *comm,
			      const struct fathom_waits_input *input);
void fathom_waits_state_destroy(struct fathom_waits_state *state);

/* Returns the number of records of a location after which memory is given back. Context: finish. */
uint32_t fathom_waits_window(const struct fathom_waits_state *state);

/* Gives back the memory of operations and logs that are in files; they are read again when they are used. Context:
 * finish. */
void fathom_waits_state_release(const struct fathom_waits_state *state);
void fathom_waits_process_release(const struct fathom_waits_state *state,
				  const struct fathom_waits_process_state *process);

/* Returns whether some of a location's states are in a file. Context: finish. */
static inline bool fathom_waits_has_file(const struct fathom_waits_location_state *location)
{
	return location->memory_bytes < (size_t)location->location->count * sizeof(*location->ops);
}

/* Does this for one location, if record is a multiple of the window. Context: finish. */
void fathom_waits_release_window(const struct fathom_waits_state *state,
				 const struct fathom_waits_location_state *location, uint32_t record);
static inline void fathom_waits_release_at(const struct fathom_waits_state *state,
					   const struct fathom_waits_location_state *location, uint32_t record)
{
	if (fathom_waits_has_file(location) || location->location->file_records)
		fathom_waits_release_window(state, location, record);
}

/* Returns the host of a rank, or FATHOM_WAITS_NO_HOST. Context: finish. */
uint32_t fathom_waits_host_of(const struct fathom_waits_state *state, uint32_t rank);

/* Sends a message to the host of a rank, or counts it if nobody has the rank. 0 or -errno. Context: finish. */
int fathom_waits_send_to(struct fathom_waits_state *state, uint32_t rank, uint32_t type, const void *head,
			 size_t head_bytes, const void *body, size_t body_bytes);

/* Returns the state of a hosted process; NULL: it is not here. Context: finish. */
struct fathom_waits_process_state *fathom_waits_process_at(const struct fathom_waits_state *state, uint32_t rank);

/* Returns the location that an operation belongs to, which is hosted here; NULL: there is no such operation. Context:
 * finish. */
struct fathom_waits_location_state *fathom_waits_location_at(const struct fathom_waits_state *state,
							     const struct fathom_waits_op_name *name);

/* Returns a time in seconds. Context: finish. */
static inline double fathom_waits_seconds(const struct fathom_waits_state *state,
					  const struct fathom_waits_location_state *location, uint64_t ticks)
{
	return state->input->seconds(state->input->context, state->processes[location->process].process, ticks);
}

/* Returns the enter of an operation in seconds. Context: finish. */
static inline double fathom_waits_enter(const struct fathom_waits_state *state,
					const struct fathom_waits_location_state *location, uint32_t record)
{
	return fathom_waits_seconds(state, location, location->location->records[record].operation.begin);
}

/* Returns the leave of an operation in seconds. Context: finish. */
static inline double fathom_waits_leave(const struct fathom_waits_state *state,
					const struct fathom_waits_location_state *location, uint32_t record)
{
	return fathom_waits_seconds(state, location, fathom_waits_record_end(&location->location->records[record]));
}

/* Returns the name of an operation of a hosted location. Context: finish. */
static inline struct fathom_waits_op_name fathom_waits_name_of(const struct fathom_waits_state *state,
							       const struct fathom_waits_location_state *location,
							       uint32_t record)
{
	return (struct fathom_waits_op_name){ state->processes[location->process].process->rank, location->thread,
					      record };
}

/* Compares two operations in a fixed order: < 0, 0 or > 0. Any context. */
int fathom_waits_name_compare(const struct fathom_waits_op_name *a, const struct fathom_waits_op_name *b);

/* A walk over the parts of an operation: begins with the operation's record, and at 0. */
struct fathom_waits_part_walk {
	const struct fathom_waits_location *location;
	uint32_t record, at;
};

/* Returns the next part of the operation; NULL: there are no more. Context: finish. */
static inline const struct fathom_waits_part *fathom_waits_part_next(struct fathom_waits_part_walk *walk)
{
	const struct fathom_waits_record *record = &walk->location->records[walk->record];

	if (fathom_waits_record_kind(record) == FATHOM_WAITS_OPERATION_MORE &&
	    walk->at < fathom_waits_record_fill(record))
		return &record->more[walk->at++];
	if (fathom_waits_record_kind(record) == FATHOM_WAITS_OPERATION && walk->at == 0) {
		walk->at = 1;
		return &record->operation.part;
	}
	if (walk->record + 1 >= walk->location->count ||
	    fathom_waits_record_kind(record + 1) != FATHOM_WAITS_OPERATION_MORE ||
	    !fathom_waits_record_fill(record + 1))
		return NULL;
	walk->record++;
	walk->at = 1;
	return &record[1].more[0];
}

/* Returns true if a record is that of an operation. Any context. */
static inline bool fathom_waits_is_operation(const struct fathom_waits_location *location, uint32_t record)
{
	return record < location->count &&
	       fathom_waits_record_kind(&location->records[record]) == FATHOM_WAITS_OPERATION;
}

/* Returns the state with the members request and requester of an operation, and FATHOM_WAITS_HAS_REQUEST. An operation
 * with several parts may have received messages, too; it has a further record, whose state is used. Context: finish. */
static inline struct fathom_waits_op_state *fathom_waits_request_of(const struct fathom_waits_location_state *location,
								    uint32_t record)
{
	const struct fathom_waits_location *log = location->location;
	bool is_long = record + 1 < log->count &&
		       fathom_waits_record_kind(&log->records[record + 1]) == FATHOM_WAITS_OPERATION_MORE;

	return &location->ops[record + is_long];
}

/* Returns the number of the first operation of a location that is entered after a time; the number of records: there is
 * none. Context: finish. */
uint32_t fathom_waits_first_after(const struct fathom_waits_state *state,
				  const struct fathom_waits_location_state *location, double time);

/* Returns the record of the operation that began what part, which belongs to the operation at record, completes.
 * Context: finish. */
uint32_t fathom_waits_posted(const struct fathom_waits_location *location, const struct fathom_waits_part *part,
			     uint32_t record);

/* Returns when that was begun, in ticks; it may have been by another thread. Context: finish. */
uint64_t fathom_waits_begun(const struct fathom_waits_location *location, const struct fathom_waits_part *part,
			    uint32_t record);

/* Returns the index of a call path of a location. Without memory, sets err and returns 0. The second function is for
 * call paths that were not looked up lately. Context: finish. */
uint32_t fathom_waits_find_path(struct fathom_waits_state *state, uint32_t location, uint64_t call_path);
static inline uint32_t fathom_waits_path_of(struct fathom_waits_state *state, uint32_t location, uint64_t call_path)
{
	/* Call paths are addresses or small numbers. */
	uint64_t place = (call_path ^ call_path >> 7 ^ location * 89) % FATHOM_WAITS_RECENT_PATHS;
	struct fathom_waits_recent_path *recent = &state->recent_paths[place];

	if (recent->call_path != call_path || recent->location != location || !recent->path)
		*recent = (struct fathom_waits_recent_path){
			call_path, location, fathom_waits_find_path(state, location, call_path) + 1 };
	return recent->path - 1;
}

/* Adds to a result. Without memory, sets err. Context: finish. */
void fathom_waits_add(struct fathom_waits_state *state, uint32_t path, enum fathom_waits_pattern pattern, double value);

/* As above, at the call path of an operation. Context: finish. */
void fathom_waits_add_at(struct fathom_waits_state *state, const struct fathom_waits_location_state *location,
			 uint32_t record, enum fathom_waits_pattern pattern, double value);

/* Gives all results to the input's function add. Context: finish. */
void fathom_waits_give_results(const struct fathom_waits_state *state);

/* Returns the communicator of a process with this number; NULL: there is none. Context: finish. */
static inline const struct fathom_waits_communicator *fathom_waits_communicator_at(
	const struct fathom_waits_process *process, uint32_t number)
{
	return number < process->communicator_count ? &process->communicators[number] : NULL;
}

/* Returns the communicator, or the window, that a part of an operation of this process is about; NULL: it is not known.
 * Context: finish. */
static inline const struct fathom_waits_communicator *
fathom_waits_communicator_of(const struct fathom_waits_process *process, const struct fathom_waits_part *part)
{
	if (part->kind == FATHOM_WAITS_RMA)
		return part->comm < process->window_count ? &process->windows[part->comm] : NULL;
	return fathom_waits_communicator_at(process, part->comm);
}

/* Returns the rank in the world of a member. Context: finish. */
static inline uint32_t fathom_waits_member(const struct fathom_waits_communicator *comm, uint32_t position)
{
	return comm->ranks ? comm->ranks[position] : comm->first + position * comm->stride;
}

/* Returns whether a rank is a member of a communicator. Context: finish. */
bool fathom_waits_has_member(const struct fathom_waits_communicator *comm, uint32_t rank);

#endif
