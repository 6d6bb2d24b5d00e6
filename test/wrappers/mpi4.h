/* mpi4: what test programs that use MPI 4 do with an MPI that has less. */
#ifndef TEST_WRAPPERS_MPI4_H
#define TEST_WRAPPERS_MPI4_H

#include <mpi.h>

#if MPI_VERSION >= 4
#define HAVE_MPI4 1
#else
#define HAVE_MPI4 0
#define MPI_Send_c MPI_Send
#define MPI_Recv_c MPI_Recv
#define MPI_Put_c MPI_Put
#define MPI_File_read_at_all_c MPI_File_read_at_all
#endif

#endif
