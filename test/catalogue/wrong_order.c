/*
 * A rank waits for a message, while another one is there already.
 * run: 3 ranks, trace
 * first: kind=wrong order, place=prepare, ranks=1, seconds=0.4
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
		MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		if (rank == 1)
			prepare();
		MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return size < 1;
}
