/*
 * mpi: which MPI a program has, and what measures it.
 *
 * MPICH's kin share handles and their library's number; Open MPI has others. The wrappers are compiled for one or
 * the other, and both may be installed.
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

/* "mpich", "openmpi" as an option's value; UNKNOWN if it is neither. */
enum fathom_mpi fathom_mpi_by_word(const char *word);

/* How people call it. */
const char *fathom_mpi_name(enum fathom_mpi mpi);

/* That of the libraries that a linker's words name; launched is the compiler behind the launcher at path, or NULL. */
enum fathom_mpi fathom_mpi_of_line(char *const *args, size_t count);
enum fathom_mpi fathom_mpi_of_wrapper(const char *path, const char *launched);

/* That which the dynamic linker will load with the program at path; UNKNOWN: none. */
enum fathom_mpi fathom_mpi_of_program(const char *path);

/* That of the launcher which started this process; UNKNOWN: no launcher, or one that says nothing. */
enum fathom_mpi fathom_mpi_of_launcher(void);

/* The library to preload for an MPI, as in libNAME.so. */
const char *fathom_mpi_preload(enum fathom_mpi mpi);

/* The library to link for an MPI, as in libNAME.so. */
const char *fathom_mpi_linked(enum fathom_mpi mpi);

/* The MPI to take where nobody says which: one that this fathom has wrappers for. */
enum fathom_mpi fathom_mpi_usual(const struct fathom_installation *installation);

#endif
