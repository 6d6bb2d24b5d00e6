/*
 * The ranks' work is unequal in each step.
 * run: 3 ranks, trace
 * first: kind=wait at all-to-all, cause=imbalance, place=step, ranks=2, seconds=0.72
 */
#include <mpi.h>
#include "catalogue.h"

static void step(int rank) { spend(0.02 + 0.08 * rank); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int sum;

	for (int i = 0; i < 3; i++) {
		step(rank);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return size < 1;
}
