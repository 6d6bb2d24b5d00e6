/*
 * mpi_library: the MPI library that the wrappers call, by its PMPI_ names.
 *
 * A wrapper library that is linked refers to these names as any program does. The preloaded one must not: it is also
 * loaded into shells and other programs without MPI, where the names do not exist, and MPI may come later, by dlopen.
 * There a generated table of pointers is used, which is filled at the first MPI call. The wrappers for Open MPI
 * always use the table. So PMPI_ names can be wrapped, too (pmpi_calls.h); Open MPI's handles, which are addresses
 * of variables, are also in the table.
 *
 * The wrappers never call an MPI_ name: fathom would measure itself.
 */
#ifndef FATHOM_MPI_LIBRARY_H
#define FATHOM_MPI_LIBRARY_H

#include "mpi/mpi_header.h"

#ifdef FATHOM_MPI_PRELOAD
#include "mpi/real_table.h"	/* generated: struct fathom_mpi_real, PMPI_ names as macros */

/* Fills the table with the functions of the MPI library of this process, at the first MPI call. Context: birth. */
void fathom_mpi_real_load(void);

#ifndef OPEN_MPI
/* The addresses of two variables of MPICH's Fortran library. These contain the addresses that mean MPI_STATUS_IGNORE
 * and MPI_STATUSES_IGNORE. */
extern MPI_F08_status **fathom_mpi_real_ignored_status;
extern MPI_F08_status **fathom_mpi_real_ignored_statuses;
#endif
#else
static inline void fathom_mpi_real_load(void)
{
}
#endif

#endif
