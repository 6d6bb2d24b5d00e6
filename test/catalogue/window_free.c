/*
 * The ranks wait for one of them where they free a window of one-sided communication.
 * run: 3 ranks, profile, trace
 * first: kind=wait at window free, cause=one slow rank|imbalance, place=fill, ranks=1, seconds=0.8
 */
#include <mpi.h>
#include "catalogue.h"

static double memory[16];

static void fill(int rank)
{
	spend(rank == 1 ? 0.5 : 0.1);
	memory[rank] = rank;
}

int main(int argc, char **argv)
{
	MPI_Win win;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_create(memory, sizeof(memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Barrier(MPI_COMM_WORLD);
	fill(rank);
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
