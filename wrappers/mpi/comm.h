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

/* Make and free what fathom_mpi_file_open needs; called after MPI_Init and before MPI_Finalize. Context: start,
 * finish. */
void fathom_mpi_file_begin(void);
void fathom_mpi_file_end(void);

/* The functions of the table that are for files; defined in comm_file.c. Context: finish. */
int fathom_mpi_file_open(struct fathom_comm *comm, const char *path, struct fathom_comm_file **file);
int fathom_mpi_file_write(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place);
int fathom_mpi_file_close(struct fathom_comm_file *file);

/* Waits for one of fathom's own requests and yields the processor meanwhile. 0 or -EIO. Context: finish. */
int fathom_mpi_comm_wait(MPI_Request *request);

#endif
