/*
 * pmpi_calls: calls that come to us by their PMPI_ names.
 *
 * Open MPI's Fortran library calls the C library by these, so that wrappers of MPI_ names see nothing of
 * a Fortran program. Ours therefore stand before the PMPI_ names, too: a call from the Fortran library goes to the
 * wrapper, with all that is Fortran about it already translated; whoever else says PMPI_ means it, and gets past us.
 */
#ifndef FATHOM_MPI_PMPI_CALLS_H
#define FATHOM_MPI_PMPI_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/lifecycle.h"

/* Where code was called from, and whether that is in the Fortran library: 2 * address + 1 if it is. */
#define FATHOM_MPI_PMPI_CALLERS 1024	/* the Fortran library has 370 such places, MPI-IO as many */
extern uintptr_t fathom_mpi_pmpi_callers[FATHOM_MPI_PMPI_CALLERS];

/* A place that was not seen before, or forgotten. Context: birth. */
bool fathom_mpi_pmpi_caller_find(uintptr_t caller);

/* Context: hook. Pairs with the store in fathom_mpi_pmpi_caller_find: what load set up is seen with it. */
static inline bool fathom_mpi_pmpi_is_from_fortran(const void *caller_pointer)
{
	uintptr_t caller = (uintptr_t)caller_pointer;
	uintptr_t known = __atomic_load_n(&fathom_mpi_pmpi_callers[fathom_mpi_hash(caller) >> 54], __ATOMIC_ACQUIRE);

	if (likely(known >> 1 == caller))
		return known & 1;
	return fathom_mpi_pmpi_caller_find(caller);
}

#endif
