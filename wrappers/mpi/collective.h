/*
 * collective: the events of collective operations, and how many bytes each operation sends and receives.
 *
 * The bytes are counted as in existing traces: each contributing process sends its part directly to each process that
 * gets it, also to itself, except with MPI_IN_PLACE. So as many bytes are received as are sent, and the numbers do not
 * depend on the algorithm inside MPI. With an intercommunicator, the processes of the other group receive.
 * doc/reference/metrics.md has the table.
 */
#ifndef FATHOM_MPI_COLLECTIVE_H
#define FATHOM_MPI_COLLECTIVE_H

#include "mpi/message.h"

/* An array of counts, int or MPI_Count. */
struct fathom_mpi_counts {
	const void *values;
	size_t size;	/* of one, in bytes */
};

#define FATHOM_MPI_COUNTS(array) ((struct fathom_mpi_counts){ (array), sizeof(*(array)) })

/* Return the bytes that a call of this process sends and receives. The arguments are those of MPI's call, which MPI has
 * accepted; arguments that are not significant on this process are ignored. Context of all: hook. */
struct fathom_mpi_transfer fathom_mpi_transfer_barrier(MPI_Comm comm);
struct fathom_mpi_transfer fathom_mpi_transfer_bcast(MPI_Comm comm, uint64_t count, MPI_Datatype datatype, int root);
struct fathom_mpi_transfer fathom_mpi_transfer_gather(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
						      MPI_Datatype sendtype, uint64_t recvcount, MPI_Datatype recvtype,
						      int root);
struct fathom_mpi_transfer fathom_mpi_transfer_gatherv(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
						       MPI_Datatype sendtype, struct fathom_mpi_counts recvcounts,
						       MPI_Datatype recvtype, int root);
struct fathom_mpi_transfer fathom_mpi_transfer_scatter(MPI_Comm comm, uint64_t sendcount, MPI_Datatype sendtype,
						       const void *recvbuf, uint64_t recvcount, MPI_Datatype recvtype,
						       int root);
struct fathom_mpi_transfer fathom_mpi_transfer_scatterv(MPI_Comm comm, struct fathom_mpi_counts sendcounts,
							MPI_Datatype sendtype, const void *recvbuf, uint64_t recvcount,
							MPI_Datatype recvtype, int root);
struct fathom_mpi_transfer fathom_mpi_transfer_allgather(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
							 MPI_Datatype sendtype, uint64_t recvcount,
							 MPI_Datatype recvtype);
struct fathom_mpi_transfer fathom_mpi_transfer_allgatherv(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
							  MPI_Datatype sendtype, struct fathom_mpi_counts recvcounts,
							  MPI_Datatype recvtype);
struct fathom_mpi_transfer fathom_mpi_transfer_alltoall(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
							MPI_Datatype sendtype, uint64_t recvcount,
							MPI_Datatype recvtype);
struct fathom_mpi_transfer fathom_mpi_transfer_alltoallv(MPI_Comm comm, const void *sendbuf,
							 struct fathom_mpi_counts sendcounts, MPI_Datatype sendtype,
							 struct fathom_mpi_counts recvcounts, MPI_Datatype recvtype);
struct fathom_mpi_transfer fathom_mpi_transfer_alltoallw(MPI_Comm comm, const void *sendbuf,
							 struct fathom_mpi_counts sendcounts,
							 const MPI_Datatype sendtypes[],
							 struct fathom_mpi_counts recvcounts,
							 const MPI_Datatype recvtypes[]);
struct fathom_mpi_transfer fathom_mpi_transfer_reduce(MPI_Comm comm, const void *sendbuf, uint64_t count,
						      MPI_Datatype datatype, int root);
struct fathom_mpi_transfer fathom_mpi_transfer_allreduce(MPI_Comm comm, const void *sendbuf, uint64_t count,
							 MPI_Datatype datatype);
struct fathom_mpi_transfer fathom_mpi_transfer_reduce_scatter(MPI_Comm comm, const void *sendbuf,
							      struct fathom_mpi_counts recvcounts,
							      MPI_Datatype datatype);
struct fathom_mpi_transfer fathom_mpi_transfer_reduce_scatter_block(MPI_Comm comm, const void *sendbuf,
								    uint64_t recvcount, MPI_Datatype datatype);
struct fathom_mpi_transfer fathom_mpi_transfer_scan(MPI_Comm comm, const void *sendbuf, uint64_t count,
						    MPI_Datatype datatype);
struct fathom_mpi_transfer fathom_mpi_transfer_exscan(MPI_Comm comm, const void *sendbuf, uint64_t count,
						      MPI_Datatype datatype);
struct fathom_mpi_transfer fathom_mpi_transfer_neighbor(MPI_Comm comm, uint64_t sendcount, MPI_Datatype sendtype,
							uint64_t recvcount, MPI_Datatype recvtype);
struct fathom_mpi_transfer fathom_mpi_transfer_neighbor_allgatherv(MPI_Comm comm, uint64_t sendcount,
								   MPI_Datatype sendtype,
								   struct fathom_mpi_counts recvcounts,
								   MPI_Datatype recvtype);
struct fathom_mpi_transfer fathom_mpi_transfer_neighbor_alltoallv(MPI_Comm comm, struct fathom_mpi_counts sendcounts,
								  MPI_Datatype sendtype,
								  struct fathom_mpi_counts recvcounts,
								  MPI_Datatype recvtype);
struct fathom_mpi_transfer fathom_mpi_transfer_neighbor_alltoallw(MPI_Comm comm, struct fathom_mpi_counts sendcounts,
								  const MPI_Datatype sendtypes[],
								  struct fathom_mpi_counts recvcounts,
								  const MPI_Datatype recvtypes[]);

/* Records a blocking operation that has ended. Called only where the call is recorded. Context: hook. */
void fathom_mpi_collective(MPI_Comm comm, struct fathom_mpi_transfer transfer);

#endif
