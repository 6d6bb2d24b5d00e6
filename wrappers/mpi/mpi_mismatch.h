/*
 * mpi_mismatch: the preloaded wrappers of one MPI in a process that has another.
 *
 * `fathom run' preloads the wrappers that fit the program. But a script may run programs of either MPI, and
 * there is no passing calls on to the other: handles are numbers in one and pointers in the other.
 */
#ifndef FATHOM_MPI_MISMATCH_H
#define FATHOM_MPI_MISMATCH_H

/*
 * The library where MPI was found, at the first call. Does not return where it is not the MPI that the wrappers
 * are for: one line, and the process ends. Context: birth.
 */
void fathom_mpi_mismatch_check(void *library);

#endif
