/*
 * wait_states: the search for wait states at the end of a run (lib/waits/search.h), and its results as metrics.
 *
 * The results become given metrics of the nodes where the waiting happened. So they are in the process tree that is
 * built afterwards, and pass the unification and the aggregation of threads as all other metrics do.
 */
#ifndef FATHOM_PROFILE_WAIT_STATES_H
#define FATHOM_PROFILE_WAIT_STATES_H

#include <stdbool.h>

#include "comm/comm.h"
#include "event/result.h"
#include "waits/search.h"

/* What became of the search. */
enum fathom_wait_state_outcome {
	FATHOM_WAIT_STATES_NONE,	/* there was nothing to search: a single process, or FATHOM_WAITS=off */
	FATHOM_WAIT_STATES_FOUND,
	FATHOM_WAIT_STATES_FAILED,	/* some process had no memory, or comm is broken */
	FATHOM_WAIT_STATES_APART,	/* there was no MPI_Init: the processes do not know each other */
	FATHOM_WAIT_STATES_MISSED,	/* operations were recorded, but the run did not end with MPI_Finalize */
};

struct fathom_wait_states {
	enum fathom_wait_state_outcome outcome;		/* equal at all ranks */
	struct fathom_waits_summary summary;		/* if outcome is FATHOM_WAIT_STATES_FOUND */
	double seconds;		/* that the search took in this process */
	struct fathom_partners *partners;	/* with how long this process waited for each of them, without their
						 * messages; NULL: not known */
};

/* The processes of comm begin to record operations. Called in MPI_Init by all of them. Context: finish. */
void fathom_wait_states_begin(struct fathom_comm *comm);

/* Ends the recording, searches, and stores the results in the nodes. All processes of comm call this, before they build
 * their process trees. 0 or -errno: comm is broken. Context: finish; signal where comm is serial. */
int fathom_wait_states_find(struct fathom_wait_states *states, struct fathom_comm *comm,
			    const struct fathom_result *result);

#endif
