/*
 * comm: the functions of lib/comm's table, implemented with MPI.
 */
#ifndef FATHOM_MPI_COMM_H
#define FATHOM_MPI_COMM_H

#include "comm/comm.h"
#include "mpi/mpi_library.h"

/*
 * Opens a communication over an MPI communicator that nothing else uses meanwhile. The MPI communicator stays the
 * caller's. The result is freed by its function close. NULL: no memory. Context: finish.
 */
struct fathom_comm *fathom_mpi_comm_open(MPI_Comm mpi);

#endif
