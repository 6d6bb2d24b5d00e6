/*
 * communicator: a record of each MPI communicator, found by the communicator's handle.
 *
 * A record is made when a communicator is created or, where the wrappers did not see its creation, when it is first
 * used. When the communicator is freed, the record leaves the table, because MPI gives the same handle to a later
 * communicator. The record itself exists as long as a request refers to it.
 */
#ifndef FATHOM_MPI_COMMUNICATOR_H
#define FATHOM_MPI_COMMUNICATOR_H

#include "define/communicator.h"
#include "mpi/scope.h"

struct fathom_mpi_communicator {
	struct fathom_communicator base;	/* the communicator as events name it; the first member */
	struct fathom_mpi_communicator *next;	/* in its bucket, or among the unused */
	uint64_t key;
	uint64_t cart;		/* the key of its grid (define/cart.h); 0: it has none that is kept */
	/* The next four where the members of communicators are recorded (fathom_mpi_knowing_comms). */
	uint64_t origin;	/* the same at all members, see trace/comms.h */
	uint32_t made;		/* calls that made another communicator of it; several threads may
				 * add at once */
	uint32_t operations;	/* persistent collective operations that were initialised on it */
	uint32_t windows;	/* windows that were made of it */
	uint32_t references;	/* 1 for the table, 1 for each request; atomic where threads share MPI */
	uint8_t world;		/* 1: it has all processes of MPI_COMM_WORLD; 2: it has not; 0: not known yet */
	bool has_neighbors;	/* the members below are filled in */
	int32_t indegree;
	int32_t outdegree;
	uint64_t absent;	/* bit n: neighbour n of a Cartesian grid is MPI_PROC_NULL */
};

/* Grows by one whenever a communicator is freed: then a thread's record of the communicator used last may be wrong. */
extern uint64_t fathom_mpi_communicator_epoch;

/* As fathom_mpi_communicator, by a search in the table. Context: hook; a new record: birth. */
struct fathom_mpi_communicator *fathom_mpi_communicator_find(MPI_Comm handle);

/*
 * Returns the record of a valid communicator: called after MPI accepted the handle. NULL: no memory.
 * Context: hook; a new record: birth.
 */
static inline struct fathom_mpi_communicator *fathom_mpi_communicator(MPI_Comm handle)
{
	struct fathom_mpi_thread *self = &fathom_mpi_self;

	if (likely(self->comm_key == FATHOM_MPI_KEY(handle) &&
		   self->comm_epoch == fathom_peek(&fathom_mpi_communicator_epoch)))
		return self->comm;
	return fathom_mpi_communicator_find(handle);
}

/* Makes the record of a communicator that was created from no known communicator. handle may be MPI_COMM_NULL.
 * Context: birth. */
void fathom_mpi_communicator_born(MPI_Comm handle);

/* Makes the record of a communicator that all processes of parent, which is valid, took part in creating. handle: the
 * communicator of this process, or MPI_COMM_NULL. Context: birth. */
void fathom_mpi_communicator_made(MPI_Comm parent, MPI_Comm handle);

/* Makes the record of a communicator that only some processes of parent created; tag distinguishes it from others with
 * the same members. Collective over the new communicator. Context: birth. */
void fathom_mpi_communicator_made_apart(struct fathom_mpi_scope scope, MPI_Comm parent, int tag, MPI_Comm handle);

/* The same as fathom_mpi_communicator_made in two steps, for MPI_Comm_idup: promise returns the origin of a
 * communicator that will be made later; kept makes the record. The caller holds parent's record between them. parent
 * may be NULL where members are not recorded. Context: birth. */
uint64_t fathom_mpi_communicator_promise(struct fathom_mpi_communicator *parent);
void fathom_mpi_communicator_kept(const struct fathom_mpi_communicator *parent, uint64_t origin, MPI_Comm handle);

/*
 * Notes that a persistent collective operation was initialised on parent, by the MPI call of that name.
 * Returns the record of a communicator that is used for this operation alone (fathom_event_comm_of_operation), or
 * parent. The record has no handle. It stays in the table until MPI ends: the members free their requests at any time,
 * but in a trace all members have to destroy a communicator. Context: birth.
 */
struct fathom_mpi_communicator *fathom_mpi_communicator_of_operation(struct fathom_mpi_communicator *parent,
								     const char *call);

/* Records in a trace that the communicators which the program has not freed end with MPI. Context: finish. */
void fathom_mpi_communicator_end_all(void);

/* Takes over the name that the program gave a communicator. Context: birth. */
void fathom_mpi_communicator_named(MPI_Comm handle);

/*
 * Takes the record of a communicator that is about to be freed out of the table, so that a thread to which MPI gives
 * the handle next does not find it. NULL: there was no record. After MPI's call the caller either puts the record back
 * (MPI refused) or releases it. Context: hook.
 */
struct fathom_mpi_communicator *fathom_mpi_communicator_detach(MPI_Comm handle);
void fathom_mpi_communicator_put_back(struct fathom_mpi_communicator *comm);

/* Frees a record to which nothing refers any more. Context: hook. */
void fathom_mpi_communicator_vanish(struct fathom_mpi_communicator *comm);

/* Adds a reference from a request to a record. NULL is allowed. Context: hook. */
static inline void fathom_mpi_communicator_hold(struct fathom_mpi_communicator *comm)
{
	if (!comm)
		return;
	if (unlikely(fathom_mpi_concurrent))
		__atomic_fetch_add(&comm->references, 1, __ATOMIC_RELAXED);
	else
		comm->references++;
}

/* Removes a reference. NULL is allowed. Context: hook. */
static inline void fathom_mpi_communicator_release(struct fathom_mpi_communicator *comm)
{
	uint32_t left;

	if (!comm)
		return;
	if (unlikely(fathom_mpi_concurrent))
		left = __atomic_sub_fetch(&comm->references, 1, __ATOMIC_ACQ_REL);
	else
		left = --comm->references;
	if (unlikely(!left))
		fathom_mpi_communicator_vanish(comm);
}

/* Fills in indegree, outdegree and absent. Context: birth. */
void fathom_mpi_communicator_neighbors(struct fathom_mpi_communicator *comm, MPI_Comm handle);

/* Records a call that has made a communicator or opened a file: it moves no data, but all processes of comm take part.
 * Context: hook. */
void fathom_mpi_comm_agreed(MPI_Comm comm);

/* Records the call that has freed a communicator, whose record was detached before. Takes over the record.
 * Context: hook. */
void fathom_mpi_comm_freed(struct fathom_mpi_scope scope, struct fathom_mpi_communicator *freed, int err);

#endif
