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

/* Persistent collective operations. Open MPI 4 has them by other names. */
#if defined(OPEN_MPI) && !HAVE_MPI4
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif
#if HAVE_MPI4
#define PERSISTENT_PREFIX "MPI_"
#define PERSISTENT_CALL(name, suffix) MPI_##name##_init##suffix
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT_PREFIX "MPIX_"
#define PERSISTENT_CALL(name, suffix) MPIX_##name##_init##suffix
#endif
#ifdef PERSISTENT_PREFIX
#define HAVE_PERSISTENT_COLLECTIVES 1
#else
#define HAVE_PERSISTENT_COLLECTIVES 0
#endif

#endif
