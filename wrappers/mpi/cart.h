/*
 * cart: passes the grid of a Cartesian communicator to the core.
 */
#ifndef FATHOM_MPI_CART_H
#define FATHOM_MPI_CART_H

#include "config.h"
#include "define/cart.h"
#include "define/communicator.h"
#include "mpi/scope.h"

#ifndef FATHOM_WITHOUT_TOPOLOGIES

/*
 * Notes that the process is in the grid of a valid communicator. Returns the key of the grid. 0: the communicator has
 * no grid, or one that is not kept: with more than FATHOM_TOPOLOGY_MOST_DIMENSIONS dimensions, of one process among
 * several, or with processes of another MPI_COMM_WORLD. The time grows with the number of processes, as that of making
 * the communicator does; the memory does not. Context: birth.
 */
uint64_t fathom_mpi_cart_note(MPI_Comm handle, const struct fathom_communicator *base);

#else

/* configure --without-topologies: no grid is kept. */
static inline uint64_t fathom_mpi_cart_note(MPI_Comm handle, const struct fathom_communicator *base)
{
	(void)handle;
	(void)base;
	return 0;
}

#endif

#endif
