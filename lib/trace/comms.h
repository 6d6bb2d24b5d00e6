/*
 * comms: what plays the part of a communicator in this process's records: communicators of MPI, teams of threads.
 *
 * Each has a number, dense from 0, that records carry; at the end all processes agree what the numbers mean. A
 * communicator of MPI is told by its members, and by how many with the same members there were before it: its
 * members make those in the same order, so no message is needed for them to agree.
 */
#ifndef FATHOM_TRACE_COMMS_H
#define FATHOM_TRACE_COMMS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "event/location.h"

enum fathom_trace_comm_kind {
	FATHOM_TRACE_COMM_MPI,
	FATHOM_TRACE_COMM_SELF,		/* of MPI, with one member */
	FATHOM_TRACE_COMM_INTER,	/* of MPI, between two groups */
	FATHOM_TRACE_COMM_TEAM,		/* all threads that were in teams of one leader, at one level */
	FATHOM_TRACE_COMM_THREADS,	/* all threads of the process, as pthread_create sees them */
};

struct fathom_trace_comm {
	enum fathom_trace_comm_kind kind;
	const struct fathom_location *leader;	/* of a team */
	uint32_t level;
	uint32_t serial;		/* of MPI: of those with the same members, from 0 */
	uint32_t members;		/* of MPI: number of the list of its members, see below */
	uint32_t rank;			/* of MPI: of this process */
};

/* Lists of members: ranks in the world; of an inter-communicator the group with the smallest first rank comes first. */
struct fathom_trace_members {
	uint32_t count;
	uint32_t remote_count;		/* 0: one group */
	uint32_t ranks[];
};

/* The number of a team or of the threads; the caller remembers it. UINT32_MAX: no memory. Context: birth. */
uint32_t fathom_trace_comm_add(const struct fathom_trace_comm *spec);

/* The same for a communicator of MPI: always a new one. */
uint32_t fathom_trace_comm_define(const struct fathom_comm_members *members);

/* How many there are, one of them, and its members. Context: finish. */
uint32_t fathom_trace_comm_count(void);
const struct fathom_trace_comm *fathom_trace_comm_by_number(uint32_t number);
const struct fathom_trace_members *fathom_trace_comm_members(const struct fathom_trace_comm *comm);

#endif
