/*
 * The ranks of a prefix operation wait for the first one.
 * run: 3 ranks, profile, trace
 * first: kind=early scan, seconds=0.8
 */
#include <mpi.h>
#include "catalogue.h"

static void solve(int rank) { spend(rank == 0 ? 0.5 : 0.1); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int sum;

	solve(rank);
	MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
