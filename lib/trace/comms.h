/*
 * comms: the communicators in the records of this process. These are MPI communicators, and OTF2's communicators for
 * teams of threads and for the created threads.
 *
 * Each has a number, dense from 0, which the records contain. At the end all processes agree on the meaning of the
 * numbers; no message is needed before that. Making an MPI communicator is collective over another one, its parent.
 * MPI demands that all members of a communicator make collective calls on it in the same order, whatever thread makes
 * them. So the parent, and the number of communicators made from it before, identify the call that makes a
 * communicator; and the members distinguish the communicators that the same call makes (as a split does). The wrapper
 * turns parent and count into the key. Calls in which only some members of the parent take part are identified by
 * their tag instead; MPI demands that the tags of simultaneous calls differ. Communicators with equal members and
 * key, and those that existed before the first event, are distinguished by their order.
 */
#ifndef FATHOM_TRACE_COMMS_H
#define FATHOM_TRACE_COMMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "event/location.h"
#include "trace/copied_roots.h"

/* The level of nesting of threads outside of all teams: each is a team of its own. */
#define FATHOM_TRACE_ALONE UINT32_MAX

enum fathom_trace_comm_kind {
	FATHOM_TRACE_COMM_MPI,
	FATHOM_TRACE_COMM_SELF,		/* an MPI communicator with one member */
	FATHOM_TRACE_COMM_INTER,	/* an MPI communicator between two groups */
	FATHOM_TRACE_COMM_TEAM,		/* threads in teams of one leader, level and size */
	FATHOM_TRACE_COMM_THREADS,	/* all threads of the process except OpenMP workers */
};

struct fathom_trace_comm {
	enum fathom_trace_comm_kind kind;
	const struct fathom_location *leader;	/* of a team; else NULL */
	uint32_t level;
	uint32_t size;			/* of a team: number of threads */
	uint32_t serial;		/* of MPI: number among those with the same members, from 0 */
	uint32_t members;		/* of MPI: number of the list of its members */
	uint32_t operation;		/* of MPI: 0, or the number of the persistent collective operation that the
					 * communicator is for */
	uint32_t rank;			/* of MPI: rank of this process in it */
	uint32_t parent;		/* of MPI: number of the communicator from which it was made, or
					 * FATHOM_NO_COMM */
	uint32_t dimension_count;	/* of a Cartesian communicator; else 0 */
	const struct fathom_comm_dimension *dimensions;
	const char *name;		/* NULL: the program has given none */
};

/* A list of members: ranks in the world. Of an inter-communicator, the group with the smaller first rank comes
 * first. */
struct fathom_trace_members {
	uint64_t key;
	uint32_t count;
	uint32_t remote_count;		/* members of the second group; 0: there is one group */
	uint32_t word_count;
	uint32_t words[];		/* the first group, then the second one if there is one: see rank_list.h */
};

/* Returns the size of a list in bytes. Context: any. */
static inline size_t fathom_trace_members_bytes(const struct fathom_trace_members *members)
{
	return offsetof(struct fathom_trace_members, words) + members->word_count * sizeof(uint32_t);
}

/* Returns whether the words of a list that was copied, of that many bytes, are as its counts say. Context: finish. */
bool fathom_trace_members_are_valid(const struct fathom_trace_members *members, size_t bytes);

/* Returns the words of the second group, if there is one. Context: finish. */
const uint32_t *fathom_trace_members_remote(const struct fathom_trace_members *members);

/* Restores the ranks of all members, those of the first group first. Context: finish. */
void fathom_trace_members_ranks(const struct fathom_trace_members *members, uint32_t *ranks);

/* Returns whether the ranks of all members are less than limit. Context: finish. */
bool fathom_trace_members_are_below(const struct fathom_trace_members *members, uint32_t limit);

/* Returns the number of the team or of the created threads that spec describes, added if it is new. The caller stores
 * the number, because the search is slow. UINT32_MAX: no memory. Context: birth. Takes the lock of communicators. */
uint32_t fathom_trace_comm_add(const struct fathom_trace_comm *spec);

/* Adds an MPI communicator, which is always a new one, and returns its number. UINT32_MAX: no memory. Context:
 * birth. Takes the lock of communicators. */
uint32_t fathom_trace_comm_define(const struct fathom_comm_members *members);

/* Adds a communicator for one persistent collective operation on comm (see event.h) and returns its number. Returns
 * comm itself if it has only one member, if there are too many operations, or without memory. Context: birth. Takes
 * the lock of communicators. */
uint32_t fathom_trace_comm_of_operation(uint32_t comm, uint32_t operation, const char *call);

/* Adds a communicator of a process that was killed; the caller does this in the order of their numbers. members is
 * NULL for teams and created threads. 0 or -ENOMEM. Context: finish. */
int fathom_trace_comm_restore(const struct fathom_trace_comm *comm, const struct fathom_trace_members *members);

/* Stores the name that the program gives a communicator. Context: birth. Takes the lock of communicators. */
void fathom_trace_comm_name(const struct fathom_communicator *comm, const char *name);

/* Returns the number of the nearest ancestor of an inter-communicator that has all of its members, of both groups;
 * FATHOM_NO_COMM: there is none. Context: finish. */
uint32_t fathom_trace_comm_common(const struct fathom_trace_comm *comm);

/* Return the number of communicators, the communicator with this number, and the members of an MPI communicator.
 * Context: finish. */
uint32_t fathom_trace_comm_count(void);
const struct fathom_trace_comm *fathom_trace_comm_by_number(uint32_t number);
const struct fathom_trace_members *fathom_trace_comm_members(const struct fathom_trace_comm *comm);

/* Copies the communicators for a run snapshot. Context: the helper. */
void fathom_trace_comms_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);

#endif
