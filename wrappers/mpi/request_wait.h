/*
 * request_wait: waits for requests of fathom's own communication without spinning inside MPI.
 */
#ifndef FATHOM_MPI_REQUEST_WAIT_H
#define FATHOM_MPI_REQUEST_WAIT_H

#include <stdbool.h>

#include "mpi/mpi_library.h"

/* Waits for one of fathom's own requests and yields the processor meanwhile. is_timed: as in struct fathom_comm. 0 or
 * -EIO. Context: finish. */
int fathom_mpi_comm_wait(MPI_Request *request, bool is_timed);

#endif
