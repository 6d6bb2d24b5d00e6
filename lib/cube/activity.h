/*
 * activity: what a program does while its time passes: computation, MPI (and what of it),
 * OpenMP, input and output, ...
 *
 * Every region belongs to one activity; its own time counts for that one and for all that
 * contain it. fathom writes a metric for each activity that occurs, below the metric `time`
 * and under the name used here. For files that lack them, fathom_activity_of says the same
 * from a region's paradigm, role and name. These are the rules of Score-P's remapping but for one: what OpenMP
 * itself does to fork, to make tasks and to choose who is single is its management, not computation.
 */
#ifndef FATHOM_CUBE_ACTIVITY_H
#define FATHOM_CUBE_ACTIVITY_H

#include "cube/cube.h"

enum fathom_activity {		/* parents before children */
	FATHOM_ACTIVITY_EXECUTION,
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
	const char *metric;	/* unique name in files: "mpi_point2point" */
	const char *title;	/* for people, understood without its parent's: "Point-to-point" */
	int parent;		/* -1: time itself */
};

extern const struct fathom_activity_info fathom_activity_table[FATHOM_ACTIVITY_COUNT];

/* The innermost activity that a region's own time is spent in. */
enum fathom_activity fathom_activity_of(const struct fathom_cube_region *region);

/* The same exactly as Score-P's remapping has it, for its own files. */
enum fathom_activity fathom_activity_remapped(const struct fathom_cube_region *region);

/* Whether outer is activity, or contains it. */
bool fathom_activity_within(enum fathom_activity activity, enum fathom_activity outer);

#endif
