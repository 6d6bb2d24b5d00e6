/*
 * efficiency: how well a run used its processes and threads, as products of factors between 0 and 1 (POP).
 *
 * Useful time is computation: all time outside of MPI and of the run-time systems of threads. The time in MPI_Init and
 * MPI_Finalize is left out, since a longer run would have more of the rest only.
 */
#ifndef FATHOM_TOOLS_COMMON_EFFICIENCY_H
#define FATHOM_TOOLS_COMMON_EFFICIENCY_H

#include <stdbool.h>

#include "tools/common/profile.h"

/* Factors are negative where they are not known. */
struct fathom_efficiency {
	double parallel;	/* useful time of all threads / (threads x run time) */
	double mpi;		/* mean time of processes outside of MPI / run time; 1 for one process */
	double balance;		/* mean / maximum of the time of processes outside of MPI */
	double communication;	/* this maximum / run time */
	double serialisation;	/* the part of communication that is waiting, and its rest, transfer: estimates that */
	double transfer;	/* need wait states */
	double threads;		/* parallel / mpi */
	double useful_seconds;	/* useful time of all threads */
	double instructions;	/* within the useful time of all threads; and processor cycles. Negative: not counted */
	double cycles;
	double seconds;		/* run time: the longest time of a process, without init_seconds */
	double init_seconds;	/* the longest time of a process in MPI_Init and MPI_Finalize */
	unsigned processes, threads_each;
	bool is_there;		/* there is more than one process or thread */
};

/* Computes the efficiency of the run from the values of the metric time (own NULL: the profile has none). 0, or -errno
 * after an error message. Context: tool. */
int fathom_efficiency_init(struct fathom_efficiency *efficiency, struct fathom_profile *profile,
			   const struct fathom_values *time);

#endif
