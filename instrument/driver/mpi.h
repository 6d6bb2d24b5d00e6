/*
 * mpi: which MPI a program uses, and which wrapper library measures it.
 *
 * MPICH and the MPIs derived from it share the values of handles and the library's version; Open MPI differs. The
 * wrappers are compiled for one or the other, and both may be installed.
 */
#ifndef FATHOM_DRIVER_MPI_H
#define FATHOM_DRIVER_MPI_H

#include <stddef.h>

#include "driver/installation.h"

enum fathom_mpi {
	FATHOM_MPI_UNKNOWN,
	FATHOM_MPI_MPICH,
	FATHOM_MPI_OPENMPI,
};

/* Reads an option's value, "mpich" or "openmpi"; FATHOM_MPI_UNKNOWN: neither. */
enum fathom_mpi fathom_mpi_by_word(const char *word);

/* Returns the name of an MPI in messages. */
const char *fathom_mpi_name(enum fathom_mpi mpi);

/* Return the MPI of the libraries that a linker's words name; and the MPI that the compiler wrapper at path uses.
 * launched: the compiler that path, a launcher, runs, or NULL. */
enum fathom_mpi fathom_mpi_of_line(char *const *args, size_t count);
enum fathom_mpi fathom_mpi_of_wrapper(const char *path, const char *launched);

/* Returns the MPI that the dynamic linker will load with the program at path; FATHOM_MPI_UNKNOWN: none. */
enum fathom_mpi fathom_mpi_of_program(const char *path);

/* Returns the MPI whose launcher (mpirun) started this process; FATHOM_MPI_UNKNOWN: unknown. */
enum fathom_mpi fathom_mpi_of_launcher(void);

/* Returns the library to preload for an MPI, as in libNAME.so. */
const char *fathom_mpi_preload(enum fathom_mpi mpi);

/* Returns the library to link for an MPI, as in libNAME.so. */
const char *fathom_mpi_linked(enum fathom_mpi mpi);

/* Returns the default MPI: one for which this fathom has wrappers. */
enum fathom_mpi fathom_mpi_usual(const struct fathom_installation *installation);

#endif
