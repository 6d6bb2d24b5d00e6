/*
 * cart: reports Cartesian communicators of MPI to the core.
 */
#ifndef FATHOM_MPI_CART_H
#define FATHOM_MPI_CART_H

#include "define/cart.h"
#include "define/communicator.h"
#include "mpi/scope.h"

/*
 * The grid of a valid communicator is one that the process has been in. Its key, 0: it has no grid, or one that is not
 * kept: of more than FATHOM_TOPOLOGY_MOST_DIMENSIONS, of one process among several, or with processes of another
 * world. Takes time that grows with the processes, as making the communicator did, and memory that does not.
 * Context: birth.
 */
uint64_t fathom_mpi_cart_note(MPI_Comm handle, const struct fathom_communicator *base);

#endif
