/*
 * comm_file: the functions of lib/comm's table that are for files, implemented with MPI-IO.
 */
#ifndef FATHOM_MPI_COMM_FILE_H
#define FATHOM_MPI_COMM_FILE_H

#include "comm/comm.h"

/* Create and free the communicator that fathom_mpi_file_open needs; called after MPI_Init and before MPI_Finalize.
 * Context: start, finish. */
void fathom_mpi_file_begin(void);
void fathom_mpi_file_end(void);

/* The functions of the table that are for files (comm.h). Context: finish. */
int fathom_mpi_file_open(struct fathom_comm *comm, const char *path, struct fathom_comm_file **file);
int fathom_mpi_file_write(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place);
int fathom_mpi_file_close(struct fathom_comm_file *file);

#endif
