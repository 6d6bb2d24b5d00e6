/*
 * The root of a reduction waits for the other ranks.
 * run: 3 ranks, trace
 * first: kind=early reduce, place=solve, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static void solve(int rank) { spend(rank == 0 ? 0.1 : 0.5); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int sum;

	solve(rank);
	MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
