/*
 * pmpi_calls: finds out which library calls a PMPI_ name.
 */
#include "mpi/pmpi_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

uintptr_t fathom_mpi_pmpi_callers[FATHOM_MPI_PMPI_CALLERS];

_Static_assert(FATHOM_MPI_PMPI_CALLERS == 1 << (64 - 54), "the shift leaves as many bits as an index needs");

/* Returns whether path is a Fortran library of Open MPI: libmpi_mpifh, which all three bindings call, or the library of
 * mpi_f08, which makes a few calls itself. */
static bool is_fortran_library(const char *path)
{
	static const char *const names[] = { "libmpi_mpifh.", "libmpi_usempi" };
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(base, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

FATHOM_COLD bool fathom_mpi_pmpi_caller_find(uintptr_t caller)
{
	int saved = errno;
	Dl_info info;
	bool is_fortran = dladdr((void *)caller, &info) && info.dli_fname && is_fortran_library(info.dli_fname);

	fathom_mpi_real_load();
	/* Pairs with the load in fathom_mpi_pmpi_is_from_fortran. */
	__atomic_store_n(&fathom_mpi_pmpi_callers[fathom_mpi_hash(caller) >> 54], caller << 1 | is_fortran,
			 __ATOMIC_RELEASE);
	errno = saved;
	return is_fortran;
}
