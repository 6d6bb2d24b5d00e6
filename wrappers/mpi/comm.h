/*
 * comm: lib/comm's table of functions, over MPI.
 */
#ifndef FATHOM_MPI_COMM_H
#define FATHOM_MPI_COMM_H

#include "comm/comm.h"
#include "mpi/mpi_library.h"

/*
 * Makes an interface for a communicator that no other code uses at this time. The communicator belongs to the caller.
 * NULL: no memory. The result is given back by its close.
 */
struct fathom_comm *fathom_mpi_comm_open(MPI_Comm mpi);

/* What file_open needs; call when MPI has begun, and before it ends. */
void fathom_mpi_file_begin(void);
void fathom_mpi_file_end(void);

/* The functions for files of the table, comm_file.c. */
int fathom_mpi_file_open(struct fathom_comm *comm, const char *path, struct fathom_comm_file **file);
int fathom_mpi_file_write(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place);
int fathom_mpi_file_close(struct fathom_comm_file *file);

/* Wait for one of our own requests, giving the processor away. 0 or -EIO. */
int fathom_mpi_comm_wait(MPI_Request *request);

#endif
