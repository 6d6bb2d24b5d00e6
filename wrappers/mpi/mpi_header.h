/*
 * mpi_header: what the MPI at hand declares. generate.py reads it after the preprocessor.
 *
 * Open MPI declares its extensions in a header of their own. Those of Open MPI 4 include persistent collective
 * operations, by the names that they had before MPI 4.
 */
#ifndef FATHOM_MPI_MPI_HEADER_H
#define FATHOM_MPI_MPI_HEADER_H

#include <mpi.h>

#ifdef OPEN_MPI
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

#endif
