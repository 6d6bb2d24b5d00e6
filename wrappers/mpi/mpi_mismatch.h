/*
 * mpi_mismatch: the case that the preloaded wrappers are for another MPI than the process has.
 *
 * `fathom run' preloads the wrappers that fit the program. But a script may run programs of both MPIs, and the wrappers
 * for one MPI cannot pass calls on to the other: handles are numbers in one and pointers in the other.
 */
#ifndef FATHOM_MPI_MISMATCH_H
#define FATHOM_MPI_MISMATCH_H

/*
 * Checks the library in which MPI was found, at the first MPI call. Where it is not the MPI that the wrappers are for,
 * the process ends with one line on stderr. Context: birth.
 */
void fathom_mpi_mismatch_check(void *library);

#endif
