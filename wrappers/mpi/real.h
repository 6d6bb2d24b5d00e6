/*
 * real: the MPI below us, by its PMPI_ names.
 *
 * A linked wrapper library refers to them as any program does. The preloaded one must not: it
 * is also loaded into shells and other programs without MPI, where they do not exist, and MPI
 * may come in later by dlopen. There the generated table of pointers stands in, filled at the
 * first MPI call. With Open MPI it is always so: for that also makes it possible to wrap PMPI_ names (see inner.h),
 * and its handles, which are addresses of variables, are in the table, too.
 *
 * Code here never calls an MPI_ name: it would measure itself.
 */
#ifndef FATHOM_MPI_REAL_H
#define FATHOM_MPI_REAL_H

#include <mpi.h>

#ifdef FATHOM_MPI_PRELOAD
#include "mpi/real_table.h"	/* generated: struct fathom_mpi_real, PMPI_ names as macros */

/* Finds the MPI of this process, at the first call. Context: birth. */
void fathom_mpi_real_load(void);

#ifndef OPEN_MPI
/* Where MPICH's Fortran library keeps the addresses of its ignored statuses. */
extern MPI_F08_status **fathom_mpi_real_ignored_status;
extern MPI_F08_status **fathom_mpi_real_ignored_statuses;
#endif
#else
static inline void fathom_mpi_real_load(void)
{
}
#endif

#endif
