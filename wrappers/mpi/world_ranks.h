/*
 * world_ranks: the ranks of processes among all processes that were started together.
 */
#ifndef FATHOM_MPI_WORLD_RANKS_H
#define FATHOM_MPI_WORLD_RANKS_H

#include <stdbool.h>

#include "mpi/mpi_library.h"

/* Returns whether MPI_Init was called; else there are only sessions, and no MPI_COMM_WORLD. Context: hook. */
bool fathom_mpi_has_world(void);

/* Sets ranks[i] to the rank that the process with rank own[i] in group has among all processes that were started
 * together: in MPI_COMM_WORLD or, if there are only sessions, in mpi://WORLD. False: MPI does not provide the ranks.
 * Context: birth. */
bool fathom_mpi_translate(MPI_Group group, int count, const int *own, int *ranks);

#endif
