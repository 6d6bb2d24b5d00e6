/*
 * real: the MPI below us, by its PMPI_ names.
 *
 * A linked wrapper library refers to them as any program does. The preloaded one must not: it
 * is also loaded into shells and other programs without MPI, where they do not exist, and MPI
 * may come in later by dlopen. There the generated table of pointers stands in, filled at the
 * first MPI call.
 *
 * Code here never calls an MPI_ name: it would measure itself.
 */
#ifndef FATHOM_MPI_REAL_H
#define FATHOM_MPI_REAL_H

#include <mpi.h>

#ifdef FATHOM_MPI_PRELOAD
#include "mpi/real_table.h"	/* generated: struct fathom_mpi_real, PMPI_ names as macros */

/* Finds the MPI of this process. Once, by one thread. Context: birth. */
void fathom_mpi_real_load(void);

/* Where the Fortran library keeps the addresses of its ignored statuses. */
extern MPI_F08_status **fathom_mpi_real_ignored_status;
extern MPI_F08_status **fathom_mpi_real_ignored_statuses;
#else
static inline void fathom_mpi_real_load(void)
{
}
#endif

#endif
