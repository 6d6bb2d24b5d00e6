/*
 * All ranks wait in a collective operation for one of them, which works longer than the others.
 * run: 3 ranks, trace
 * first: kind=wait at all-to-all, cause=one slow rank, place=prepare, ranks=1, seconds=0.6
 */
#include <mpi.h>
#include "catalogue.h"

static void prepare(int rank) { spend(rank == 1 ? 0.4 : 0.1); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int sum;

	prepare(rank);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
