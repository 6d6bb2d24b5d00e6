/*
 * vote: votes of all processes about what the trace leaves out (event.h).
 *
 * The processes vote directly after a blocking operation of the program, on a communicator with all processes, at which
 * each process waits for all others in any case: MPI_Barrier, MPI_Allreduce, MPI_Allgather, MPI_Alltoall,
 * MPI_Reduce_scatter_block. The vote is one MPI_Allreduce of two numbers on a communicator of fathom. A correct program
 * allows for that in any case: MPI lets every collective operation wait for all processes. There are no votes if
 * several threads may call MPI, because their operations have no common order.
 */
#ifndef FATHOM_MPI_VOTE_H
#define FATHOM_MPI_VOTE_H

#include "mpi/scope.h"

/* True from MPI_Init to MPI_Finalize if there are votes; the same in all processes. */
extern bool fathom_mpi_voting;

/* Called by all processes: determines whether there will be votes. world is a communicator of all processes, which only
 * votes use until MPI_Finalize; thread_level is the level of thread support of this process. Context: start. */
void fathom_mpi_vote_begin(MPI_Comm world, int thread_level);

/* The call, which returned err, is over. Votes if it is one of the operations above. Context: birth. */
FATHOM_COLD void fathom_mpi_vote(struct fathom_mpi_scope scope, enum fathom_mpi_call call, MPI_Comm comm, int err);

#endif
