/*
 * comm: lib/comm's table of functions, over MPI.
 */
#ifndef FATHOM_MPI_COMM_H
#define FATHOM_MPI_COMM_H

#include "comm/comm.h"
#include "mpi/real.h"

/*
 * Talk over a communicator that nobody else uses at this time. It stays the caller's. NULL: no memory.
 * The result is given back by its close.
 */
struct fathom_comm *fathom_mpi_comm_open(MPI_Comm mpi);

/* Wait for one of our own requests, giving the processor away. 0 or -EIO. */
int fathom_mpi_comm_wait(MPI_Request *request);

#endif
