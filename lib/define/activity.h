/*
 * activity: the kinds of time that a program spends: computation, MPI (and which part of MPI), OpenMP, input and
 * output, ...
 *
 * Each region belongs to one activity class. The region's own time counts for this class and for all classes that
 * contain it. The class of most regions follows from paradigm and role. For some regions these do not suffice, as for
 * MPI calls with the role function: there the wrapper gives the class with the region (wrappers/mpi/calls.txt).
 * Profiles contain a metric for each class that occurs, below the metric `time` and under the name used here, and the
 * class of each region. The classes are those of Score-P's remapping, and one more, management: the time that OpenMP
 * itself takes to fork, to create tasks and to choose the thread of a single construct.
 */
#ifndef FATHOM_DEFINE_ACTIVITY_H
#define FATHOM_DEFINE_ACTIVITY_H

#include <stdbool.h>

#include "define/role.h"

enum fathom_activity {			/* parents before children */
	FATHOM_ACTIVITY_EXECUTION,	/* contains most other classes; no region belongs to this class directly */
	/* The value is therefore also used for: not given, unknown. */
	FATHOM_ACTIVITY_NONE = FATHOM_ACTIVITY_EXECUTION,
	FATHOM_ACTIVITY_COMPUTATION,
	FATHOM_ACTIVITY_IO,
	FATHOM_ACTIVITY_IO_META,
	FATHOM_ACTIVITY_IO_READ,
	FATHOM_ACTIVITY_IO_WRITE,
	FATHOM_ACTIVITY_LIBWRAP,
	FATHOM_ACTIVITY_MPI,
	FATHOM_ACTIVITY_MPI_MANAGEMENT,
	FATHOM_ACTIVITY_MPI_INIT_EXIT,
	FATHOM_ACTIVITY_MPI_COMM,
	FATHOM_ACTIVITY_MPI_FILE,
	FATHOM_ACTIVITY_MPI_WIN,
	FATHOM_ACTIVITY_MPI_SYNC,
	FATHOM_ACTIVITY_MPI_BARRIER,
	FATHOM_ACTIVITY_MPI_RMA_SYNC,
	FATHOM_ACTIVITY_MPI_RMA_ACTIVE,
	FATHOM_ACTIVITY_MPI_RMA_PASSIVE,
	FATHOM_ACTIVITY_MPI_COMMUNICATION,
	FATHOM_ACTIVITY_MPI_P2P,
	FATHOM_ACTIVITY_MPI_COLLECTIVE,
	FATHOM_ACTIVITY_MPI_RMA,
	FATHOM_ACTIVITY_MPI_IO,
	FATHOM_ACTIVITY_MPI_IO_INDIVIDUAL,
	FATHOM_ACTIVITY_MPI_IO_COLLECTIVE,
	FATHOM_ACTIVITY_MPI_REQUEST,
	FATHOM_ACTIVITY_MPI_REQUEST_START,
	FATHOM_ACTIVITY_MPI_REQUEST_COMPLETION,
	FATHOM_ACTIVITY_SHMEM,
	FATHOM_ACTIVITY_OMP,
	FATHOM_ACTIVITY_OMP_MANAGEMENT,
	FATHOM_ACTIVITY_OMP_SYNC,
	FATHOM_ACTIVITY_OMP_BARRIER,
	FATHOM_ACTIVITY_OMP_EXPLICIT_BARRIER,
	FATHOM_ACTIVITY_OMP_IMPLICIT_BARRIER,
	FATHOM_ACTIVITY_OMP_CRITICAL,
	FATHOM_ACTIVITY_OMP_LOCK,
	FATHOM_ACTIVITY_OMP_ORDERED,
	FATHOM_ACTIVITY_OMP_TASKWAIT,
	FATHOM_ACTIVITY_OMP_FLUSH,
	FATHOM_ACTIVITY_PTHREAD,
	FATHOM_ACTIVITY_PTHREAD_MANAGEMENT,
	FATHOM_ACTIVITY_PTHREAD_SYNC,
	FATHOM_ACTIVITY_PTHREAD_MUTEX,
	FATHOM_ACTIVITY_PTHREAD_CONDITION,
	FATHOM_ACTIVITY_PTHREAD_RWLOCK,
	FATHOM_ACTIVITY_PTHREAD_SPIN,
	FATHOM_ACTIVITY_PTHREAD_BARRIER,
	FATHOM_ACTIVITY_PTHREAD_ONCE,
	FATHOM_ACTIVITY_OPENACC,
	FATHOM_ACTIVITY_OPENCL,
	FATHOM_ACTIVITY_CUDA,
	FATHOM_ACTIVITY_HIP,
	FATHOM_ACTIVITY_OVERHEAD,
	FATHOM_ACTIVITY_COUNT
};

struct fathom_activity_info {
	const char *metric;	/* unique name of its metric in profiles: "mpi_point2point" */
	const char *title;	/* for people, understood without the parent's title: "Point-to-point" */
	int parent;		/* the class around it, a smaller number; -1: the metric time itself */
	const char *description;	/* of its metric, a sentence for people */
};

extern const struct fathom_activity_info fathom_activity_table[FATHOM_ACTIVITY_COUNT];

/* Returns the class of a region of this paradigm and role, if its wrapper gives none. Never FATHOM_ACTIVITY_NONE. Any
 * context. */
enum fathom_activity fathom_activity_of_role(enum fathom_paradigm paradigm, enum fathom_role role);

/* Returns the class whose metric has this name; FATHOM_ACTIVITY_NONE: there is none. Any context. */
enum fathom_activity fathom_activity_by_metric(const char *metric);

/* Returns whether outer is activity, or contains it. Any context. */
bool fathom_activity_within(enum fathom_activity activity, enum fathom_activity outer);

#endif
