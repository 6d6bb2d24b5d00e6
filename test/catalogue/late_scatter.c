/*
 * All ranks wait for the root of a scatter.
 * run: 3 ranks, trace
 * first: kind=late broadcast, cause=serial part, place=split_input, ranks=0, seconds=0.6
 */
#include <mpi.h>
#include "catalogue.h"

static void split_input(void) { spend(0.3); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int values[3] = { 0 }, value;

	if (rank == 0)
		split_input();
	MPI_Scatter(values, 1, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
