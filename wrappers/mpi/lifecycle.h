/*
 * lifecycle: what the wrappers of MPI_Init in C and in Fortran share.
 */
#ifndef FATHOM_MPI_LIFECYCLE_H
#define FATHOM_MPI_LIFECYCLE_H

#include "mpi/scope.h"

/* MPI_Init or MPI_Init_thread returned err; joins the measurement, ends the scope, returns err. */
int fathom_mpi_init(struct fathom_mpi_scope scope, int err);

#endif
