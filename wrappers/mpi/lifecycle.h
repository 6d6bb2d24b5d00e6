/*
 * lifecycle: the end of the wrappers of MPI_Init, which C and Fortran share.
 */
#ifndef FATHOM_MPI_LIFECYCLE_H
#define FATHOM_MPI_LIFECYCLE_H

#include "mpi/scope.h"

/* Called when MPI_Init or MPI_Init_thread has returned err: the process joins the measurement of all processes. Ends
 * the scope and returns err. Context: start. */
int fathom_mpi_init(struct fathom_mpi_scope scope, int err);

#endif
