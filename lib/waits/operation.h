/*
 * operation: the log of the synchronising operations of one location, from which the search for wait states works.
 *
 * An operation is a call or construct in which a thread can wait for another one, or for which another thread can
 * wait: an MPI call that begins or ends a message, a collective operation, a barrier, the acquisition of a lock.
 * Functions are not in the log. A log is an array of records of equal size in the order of their begins; the
 * operations of one location do not overlap. The number of a record, from 0, names the operation.
 *
 * What an operation did is in its parts. The first part is in the record of the operation. An operation with more
 * parts, such as MPI_Waitall, has continuation records directly behind its own, with one or two parts each. A time map
 * is a record with one or two entries, and continuation records of its own; it stands before the operation at which it
 * was made, and says how the location spent its time outside of operations since the time map before it.
 *
 * lib/waits/recording makes logs in a running program, and fathom analyze makes them from a trace.
 */
#ifndef FATHOM_WAITS_OPERATION_H
#define FATHOM_WAITS_OPERATION_H

#include <stdint.h>

/* What a part says. The members of the part that are named here have a meaning; the others are 0. */
enum fathom_waits_part_kind {
	FATHOM_WAITS_NOTHING,		/* the operation only marks a time: a test that found nothing */
	FATHOM_WAITS_SEND,		/* a message to peer begins: comm, tag */
	FATHOM_WAITS_SEND_DONE,		/* an earlier send is complete: posted */
	FATHOM_WAITS_RECEIVE_POSTED,	/* a receive begins; its peer is not known yet. MPI_Mprobe is one, too */
	FATHOM_WAITS_RECEIVE,		/* a message from peer has arrived: comm, tag (never a wildcard), posted */
	FATHOM_WAITS_CANCELLED,		/* the message of an earlier send was cancelled and is not received: posted */
	FATHOM_WAITS_COLLECTIVE_POSTED,	/* a non-blocking collective operation begins */
	FATHOM_WAITS_COLLECTIVE,	/* a collective operation is complete: comm, operation in tag (enum
					 * fathom_collective), peer is the root's position in the communicator or
					 * FATHOM_WAITS_NO_PEER, posted */
	FATHOM_WAITS_INIT,		/* MPI_Init, MPI_Init_thread; comm is the communicator of all processes */
	FATHOM_WAITS_FINALIZE,		/* MPI_Finalize; comm as above */
	FATHOM_WAITS_NEIGHBOR_OUT,	/* a neighbourhood operation on comm is complete, which sent to peer: posted */
	FATHOM_WAITS_NEIGHBOR_IN,	/* a neighbourhood operation on comm is complete, which received from peer:
					 * posted. One part for each neighbour */
	FATHOM_WAITS_RMA,		/* a step of one-sided communication: tag is enum fathom_waits_rma_step, comm
					 * is the window, peer is the other process */
	FATHOM_WAITS_FORK,		/* the location forks a team: comm is the team, tag its size */
	FATHOM_WAITS_JOIN,		/* the team is over: comm */
	FATHOM_WAITS_TEAM_BEGIN,	/* the location becomes number peer of a team: comm */
	FATHOM_WAITS_TEAM_END,		/* comm */
	FATHOM_WAITS_BARRIER,		/* a barrier of a team: comm is the team, tag counts the barriers of the team,
					 * peer is the number of this thread in the team; posted is the time that the
					 * thread executed tasks in the barrier, in units of 1024 ticks */
	FATHOM_WAITS_LOCK,		/* a lock was acquired: comm is the lock, tag counts its acquisitions, peer is
					 * enum fathom_waits_lock_class. The operation lasts from the request to the
					 * acquisition */
	FATHOM_WAITS_UNLOCK,		/* the lock is released at the begin of the operation; comm, tag, peer as in
					 * FATHOM_WAITS_LOCK */
	FATHOM_WAITS_BEGUN,		/* another thread began what the part directly before completes, whose posted is
					 * FATHOM_WAITS_NO_RECORD: the time in ticks, see fathom_waits_begun_part */
	FATHOM_WAITS_PART_KINDS
};

enum fathom_waits_part_flags {
	FATHOM_WAITS_TEST = 1,		/* the operation does not wait: MPI_Test and its relatives, MPI_Iprobe */
	FATHOM_WAITS_EMPTY = 2,		/* the message, or this process's share of the collective, has no bytes */
	FATHOM_WAITS_IMPLICIT = 4,	/* of a barrier: an implicit one. Of FATHOM_WAITS_RMA: a shared lock */
};

/* Steps of one-sided communication. An epoch for several processes has one part for each of them. */
enum fathom_waits_rma_step {
	FATHOM_WAITS_RMA_PUT,		/* and accumulate */
	FATHOM_WAITS_RMA_GET,
	FATHOM_WAITS_RMA_ATOMIC,	/* operations that return the old value */
	FATHOM_WAITS_RMA_FENCE,		/* collective over the window: no peer */
	FATHOM_WAITS_RMA_CREATE,
	FATHOM_WAITS_RMA_FREE,
	FATHOM_WAITS_RMA_POST,		/* exposure for peer begins */
	FATHOM_WAITS_RMA_WAIT,		/* exposure for peer is over */
	FATHOM_WAITS_RMA_START,		/* access to peer begins */
	FATHOM_WAITS_RMA_COMPLETE,	/* access to peer is over */
	FATHOM_WAITS_RMA_LOCK,		/* peer, or FATHOM_WAITS_NO_PEER for all */
	FATHOM_WAITS_RMA_UNLOCK,
	FATHOM_WAITS_RMA_FLUSH,
	FATHOM_WAITS_RMA_STEPS
};

enum fathom_waits_lock_class {
	FATHOM_WAITS_CRITICAL,		/* an OpenMP critical section */
	FATHOM_WAITS_OMP_LOCK,
	FATHOM_WAITS_MUTEX,		/* of POSIX threads, C11 or C++ */
	FATHOM_WAITS_CONDITION,		/* the mutex was acquired again after waiting for a condition */
	FATHOM_WAITS_LOCK_CLASSES
};

enum {
	FATHOM_WAITS_NO_PEER = 0xffffff,	/* the largest rank or number that fits is one less */
};

/* Value of call_path: the MPI call was not recorded. The operation is in the log because messages and collective
 * operations match by their order. It has no results: its waiting is neither reported nor are its causes searched. */
#define FATHOM_WAITS_NO_CALL_PATH UINT64_MAX

/* Value of posted: another thread began what is complete now, so the record is not in this log. */
#define FATHOM_WAITS_NO_RECORD UINT32_MAX

/* Value of posted: the operation itself. So is the number of its record. */
#define FATHOM_WAITS_ITSELF (UINT32_MAX - 1)

struct fathom_waits_part {
	uint32_t kind : 5;		/* enum fathom_waits_part_kind */
	uint32_t flags : 3;		/* bits of enum fathom_waits_part_flags */
	uint32_t peer : 24;		/* rank in the world, unless the kind says otherwise */
	uint32_t comm;			/* of communicators, or of windows: index in the process's table of these
					 * (search_input.h); teams and locks have numbers that are unique in the
					 * process and not used again */
	int32_t tag;
	uint32_t posted;		/* number of the record, in the same log, of the operation that began what is
					 * complete now: the operation itself if it is a blocking one */
};

/* Returns a part FATHOM_WAITS_BEGUN, and the time in one. Any context. */
static inline struct fathom_waits_part fathom_waits_begun_part(uint64_t ticks)
{
	return (struct fathom_waits_part){
		.kind = FATHOM_WAITS_BEGUN,
		.comm = (uint32_t)ticks,
		.tag = (int32_t)(uint32_t)(ticks >> 32),
	};
}

/* Returns the time in a part FATHOM_WAITS_BEGUN. Any context. */
static inline uint64_t fathom_waits_begun_ticks(const struct fathom_waits_part *part)
{
	return (uint64_t)(uint32_t)part->tag << 32 | part->comm;
}

/* An entry of a time map: the location spent this time in the call path, outside of the operations in the log. */
struct fathom_waits_map_entry {
	uint64_t call_path;
	uint64_t ticks;
};

enum fathom_waits_record_kind {
	FATHOM_WAITS_OPERATION,
	FATHOM_WAITS_OPERATION_MORE,	/* one or two further parts of the operation before it */
	FATHOM_WAITS_MAP,		/* one or two entries of a time map */
	FATHOM_WAITS_MAP_MORE,		/* one or two further entries */
};

struct fathom_waits_record {		/* 40 bytes */
	union {
		struct {
			uint64_t call_path;	/* any value that identifies the call path in its location */
			uint64_t begin;		/* time of the enter, in ticks of the process's clock */
			struct fathom_waits_part part;
		} operation;
		struct fathom_waits_part more[2];
		struct fathom_waits_map_entry entries[2];
	};
	/* The lowest two bits: enum fathom_waits_record_kind. Of an operation, the other bits are the time of the leave
	 * in ticks. Of other records: the number of parts or entries in the record (1 or 2) in bits 2 and 3, and above
	 * that the number of records back to the first record of the operation or map (0 in that one). */
	uint64_t end_and_kind;
};

_Static_assert(sizeof(struct fathom_waits_part) == 16, "two parts fill a record");
_Static_assert(sizeof(struct fathom_waits_record) == 40, "an operation has 40 bytes");

/* Returns the kind of a record. Any context. */
static inline enum fathom_waits_record_kind fathom_waits_record_kind(const struct fathom_waits_record *record)
{
	return (enum fathom_waits_record_kind)(record->end_and_kind & 3);
}

/* Returns the time of an operation's leave in ticks. Any context. */
static inline uint64_t fathom_waits_record_end(const struct fathom_waits_record *record)
{
	return record->end_and_kind >> 2;
}

/* Returns the number of parts or entries of a record that is not an operation. Any context. */
static inline uint32_t fathom_waits_record_fill(const struct fathom_waits_record *record)
{
	return (uint32_t)(record->end_and_kind >> 2) & 3;
}

/* Returns the kind and the number of parts of a record that is not an operation, as fathom_waits_fill_of puts them
 * together. Any context. */
static inline uint64_t fathom_waits_kind_and_fill(const struct fathom_waits_record *record)
{
	return record->end_and_kind & 15;
}

/* Returns how many records back the operation or map begins that a record belongs to. Any context. */
static inline uint64_t fathom_waits_record_back(const struct fathom_waits_record *record)
{
	return fathom_waits_record_kind(record) == FATHOM_WAITS_OPERATION ? 0 : record->end_and_kind >> 4;
}

/* Returns the member end_and_kind of an operation that is left at end. Any context. */
static inline uint64_t fathom_waits_end_of(uint64_t end)
{
	return end << 2 | FATHOM_WAITS_OPERATION;
}

/* Returns the member end_and_kind of another record: back is as fathom_waits_record_back returns it. Any context. */
static inline uint64_t fathom_waits_fill_of(enum fathom_waits_record_kind kind, uint32_t fill, uint64_t back)
{
	return back << 4 | (uint64_t)fill << 2 | kind;
}

#endif
