/*
 * A receiver waits for a message that is sent late.
 * run: 2 ranks, trace
 * first: kind=late sender, place=prepare, ranks=0, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static void prepare(void) { spend(0.4); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int value = 1;

	if (rank == 0) {
		prepare();
		MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	} else if (rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
