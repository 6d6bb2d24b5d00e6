/*
 * pmpi_calls: wrappers of PMPI_ names, for Open MPI.
 *
 * Open MPI's Fortran library calls the C library by PMPI_ names, so that wrappers of MPI_ names see nothing of a
 * Fortran program. Therefore fathom has wrappers of PMPI_ names, too: a call from the Fortran library, which has
 * translated all arguments to C, goes to the wrapper of the MPI_ name; a call from anywhere else goes to MPI.
 */
#ifndef FATHOM_MPI_PMPI_CALLS_H
#define FATHOM_MPI_PMPI_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/lifecycle.h"

/* By hash of a return address: 2 * address, + 1 if it is in the Fortran library. A later address replaces an earlier
 * one with the same hash. */
#define FATHOM_MPI_PMPI_CALLERS 1024	/* the Fortran library has 370 calls of PMPI_ names, MPI-IO as many */
extern uintptr_t fathom_mpi_pmpi_callers[FATHOM_MPI_PMPI_CALLERS];

/* Finds out whether a return address that is not in the table is in the Fortran library, and notes it. Context:
 * birth. */
bool fathom_mpi_pmpi_caller_find(uintptr_t caller);

/* Returns whether a call of a PMPI_ name returns into the Fortran library. Pairs with the store in
 * fathom_mpi_pmpi_caller_find: the table of MPI's functions (mpi_library.h) is seen with it. Context: hook; a new
 * return address: birth. */
static inline bool fathom_mpi_pmpi_is_from_fortran(const void *caller_pointer)
{
	uintptr_t caller = (uintptr_t)caller_pointer;
	uintptr_t known = __atomic_load_n(&fathom_mpi_pmpi_callers[fathom_mpi_hash(caller) >> 54], __ATOMIC_ACQUIRE);

	if (likely(known >> 1 == caller))
		return known & 1;
	return fathom_mpi_pmpi_caller_find(caller);
}

#endif
