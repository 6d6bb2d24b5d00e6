/*
 * comms: what plays the part of a communicator in this process's records: communicators of MPI, teams of threads.
 *
 * Each has a number, dense from 0, that records carry; at the end all processes agree what the numbers mean. No message
 * is needed for that. Making a communicator is collective over another, its parent, and MPI wants collective calls on
 * one communicator to come in the same order at all its members, whatever threads they have. So the parent, and how
 * many were made of it before, name those that a call makes; their members tell these apart (a split makes several).
 * The wrapper turns both into the key. Calls in which not all of the parent takes part are told by their tag, which MPI
 * wants to differ where threads make such calls at the same time. Of communicators of the same members and key,
 * and of those whose making was not seen, the order counts.
 */
#ifndef FATHOM_TRACE_COMMS_H
#define FATHOM_TRACE_COMMS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "event/location.h"

/* Instead of a level: outside of all teams, a thread is a team of its own. */
#define FATHOM_TRACE_ALONE UINT32_MAX

enum fathom_trace_comm_kind {
	FATHOM_TRACE_COMM_MPI,
	FATHOM_TRACE_COMM_SELF,		/* of MPI, with one member */
	FATHOM_TRACE_COMM_INTER,	/* of MPI, between two groups */
	FATHOM_TRACE_COMM_TEAM,		/* the threads in teams of one leader, level and size */
	FATHOM_TRACE_COMM_THREADS,	/* all threads of the process, as pthread_create sees them */
};

struct fathom_trace_comm {
	enum fathom_trace_comm_kind kind;
	const struct fathom_location *leader;	/* of a team */
	uint32_t level;
	uint32_t size;			/* of a team */
	uint32_t serial;		/* of MPI: of those with the same members, from 0 */
	uint32_t members;		/* of MPI: number of the list of its members, see below */
	uint32_t operation;		/* of MPI: 0, or which persistent collective operation it is for, from 1 */
	uint32_t rank;			/* of MPI: of this process */
	uint32_t parent;		/* of MPI: the number of the one it was made from, or FATHOM_NO_COMM */
	uint32_t dimension_count;	/* of a Cartesian grid; else 0 */
	const struct fathom_comm_dimension *dimensions;
	const char *name;		/* NULL: none was given */
};

/* Lists of members: ranks in the world; of an inter-communicator the group with the smallest first rank comes first. */
struct fathom_trace_members {
	uint64_t key;
	uint32_t count;
	uint32_t remote_count;		/* 0: one group */
	uint32_t ranks[];
};

/* The number of a team or of the threads; the caller remembers it. UINT32_MAX: no memory. Context: birth. */
uint32_t fathom_trace_comm_add(const struct fathom_trace_comm *spec);

/* The same for a communicator of MPI: always a new one. */
uint32_t fathom_trace_comm_define(const struct fathom_comm_members *members);

/* The number of the communicator that is for a persistent collective operation of comm alone: see event.h. comm's own
 * number where there is no need for another one, or no memory. Context: birth. */
uint32_t fathom_trace_comm_of_operation(uint32_t comm, uint32_t operation, const char *call);

/* What the program calls it. Context: birth. */
void fathom_trace_comm_name(const struct fathom_communicator *comm, const char *name);

/* The nearest of those from which comm was made that has all of its members, of both groups; or FATHOM_NO_COMM. */
uint32_t fathom_trace_comm_common(const struct fathom_trace_comm *comm);

/* How many there are, one of them, and its members. Context: finish. */
uint32_t fathom_trace_comm_count(void);
const struct fathom_trace_comm *fathom_trace_comm_by_number(uint32_t number);
const struct fathom_trace_members *fathom_trace_comm_members(const struct fathom_trace_comm *comm);

#endif
