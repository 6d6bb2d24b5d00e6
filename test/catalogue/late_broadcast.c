/*
 * All ranks wait for the root of a broadcast.
 * run: 3 ranks, trace
 * first: kind=late broadcast, cause=serial part, place=read_input, ranks=0, seconds=0.6
 */
#include <mpi.h>
#include "catalogue.h"

static void read_input(void) { spend(0.3); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int value = 1;

	if (rank == 0)
		read_input();
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
