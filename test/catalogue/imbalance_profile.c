/*
 * The ranks' work is unequal, in a profile. If it has wait states, they say what the ranks wait in.
 * run: 2 ranks, profile
 * first: kind=imbalance|wait at all-to-all, place=step, ranks=1, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static void step(int rank) { spend(rank ? 0.5 : 0.1); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int sum;

	step(rank);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
