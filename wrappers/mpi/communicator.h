/*
 * communicator: what we know about each MPI communicator, found by its handle.
 *
 * A record is made when a communicator is created or, where that was not seen, when it is first
 * used. It leaves the table when the communicator is freed, since MPI gives the same handle to the next one, and
 * lives on as long as a request refers to it.
 */
#ifndef FATHOM_MPI_COMMUNICATOR_H
#define FATHOM_MPI_COMMUNICATOR_H

#include "define/communicator.h"
#include "mpi/scope.h"

struct fathom_mpi_communicator {
	struct fathom_communicator base;	/* what events name; first member */
	struct fathom_mpi_communicator *next;	/* in its bucket, or among the unused */
	uint64_t key;
	uint64_t cart;		/* the key of its grid (define/cart.h); 0: it has none that is kept */
	uint64_t origin;	/* for traces: the same at all members, see trace/comms.h */
	uint32_t made;		/* for traces: calls that made another communicator of it */
	uint32_t operations;	/* for traces: persistent collective operations that were initialised on it */
	uint32_t references;	/* 1 for the table, 1 for each request; atomic where threads share MPI */
	bool has_neighbors;	/* the rest is known */
	int32_t indegree;
	int32_t outdegree;
	uint64_t absent;	/* bit n: neighbour n of a Cartesian grid is MPI_PROC_NULL */
};

/* Grows whenever a communicator is freed: what threads remember may be wrong then. */
extern uint64_t fathom_mpi_communicator_epoch;

struct fathom_mpi_communicator *fathom_mpi_communicator_find(MPI_Comm handle);

/*
 * The record of a communicator that is valid: call it after MPI accepted the handle. NULL: no
 * memory. Context: hook.
 */
static inline struct fathom_mpi_communicator *fathom_mpi_communicator(MPI_Comm handle)
{
	struct fathom_mpi_thread *self = &fathom_mpi_self;

	if (likely(self->comm_key == FATHOM_MPI_KEY(handle) &&
		   self->comm_epoch == fathom_peek(&fathom_mpi_communicator_epoch)))
		return self->comm;
	return fathom_mpi_communicator_find(handle);
}

/* MPI_Init was called; else there are only sessions, and no MPI_COMM_WORLD. */
bool fathom_mpi_has_world(void);

/* MPI's number for each of count processes of group among all that were started together. False: it says none. */
bool fathom_mpi_translate(MPI_Group group, int count, const int *own, int *ranks);

/* Two numbers made one. Never 0. */
uint64_t fathom_mpi_mix(uint64_t a, uint64_t b);

/* A communicator was created, nobody knows from which; handle may be MPI_COMM_NULL. */
void fathom_mpi_communicator_born(MPI_Comm handle);

/* All processes of parent, which is valid, have made communicators of it. handle: the one of this process, or
 * MPI_COMM_NULL. */
void fathom_mpi_communicator_made(MPI_Comm parent, MPI_Comm handle);

/* Some processes of parent have made one, which tag distinguishes from others with the same members; collective over
 * the new one. */
void fathom_mpi_communicator_made_apart(struct fathom_mpi_scope scope, MPI_Comm parent, int tag, MPI_Comm handle);

/* The same in two steps: the origin describes the new communicator, and parent's record is kept until it is. Parent's
 * record is NULL where that does not matter. */
uint64_t fathom_mpi_communicator_promise(struct fathom_mpi_communicator *parent);
void fathom_mpi_communicator_kept(const struct fathom_mpi_communicator *parent, uint64_t origin, MPI_Comm handle);

/*
 * For traces: another persistent collective operation was initialised on parent, by the MPI call of that name. Returns
 * the record of the communicator that stands for this operation alone (see fathom_event_comm_of_operation), or parent.
 * Such a record has no handle. It stays in the table until MPI ends: the members free their requests when they like,
 * but a communicator has to be destroyed by all of them.
 */
struct fathom_mpi_communicator *fathom_mpi_communicator_of_operation(struct fathom_mpi_communicator *parent,
								     const char *call);

/* MPI ends, and with it all that the program has not freed; a trace says so. */
void fathom_mpi_communicator_end_all(void);

/* The program gave it a name. */
void fathom_mpi_communicator_named(MPI_Comm handle);

/*
 * A communicator is about to be freed: its record leaves the table, so that a thread that
 * is given the handle next cannot find it. NULL where there was none. After that, either put it
 * back (MPI refused) or release it.
 */
struct fathom_mpi_communicator *fathom_mpi_communicator_detach(MPI_Comm handle);
void fathom_mpi_communicator_put_back(struct fathom_mpi_communicator *comm);

/* The last reference is gone. */
void fathom_mpi_communicator_vanish(struct fathom_mpi_communicator *comm);

/* A request refers to the record, or does no longer. NULL is allowed. */
static inline void fathom_mpi_communicator_hold(struct fathom_mpi_communicator *comm)
{
	if (!comm)
		return;
	if (unlikely(fathom_mpi_concurrent))
		__atomic_fetch_add(&comm->references, 1, __ATOMIC_RELAXED);
	else
		comm->references++;
}

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

/* Fills indegree, outdegree and absent. */
void fathom_mpi_communicator_neighbors(struct fathom_mpi_communicator *comm, MPI_Comm handle);

#endif
