/*
 * The root of a gather waits for one slow rank.
 * run: 3 ranks, trace
 * first: kind=early reduce, cause=one slow rank, place=solve, ranks=2, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static void solve(int rank) { spend(rank == 2 ? 0.5 : 0.1); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int values[3];

	solve(rank);
	MPI_Gather(&rank, 1, MPI_INT, values, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
