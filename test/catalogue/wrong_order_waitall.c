/*
 * A rank waits for all messages of one neighbour, while those of another one are there already.
 * run: 3 ranks, trace
 * first: kind=wrong order, place=prepare, ranks=1, seconds=0.4, says=another order does not help
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
	int values[4] = { 1, 1, 1, 1 };
	MPI_Request requests[4];

	for (int i = 0; i < 4; i++) {
		if (rank == 0)
			MPI_Irecv(&values[i], 1, MPI_INT, 1 + i / 2, 1, MPI_COMM_WORLD, &requests[i]);
	}
	if (rank == 0) {
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		MPI_Waitall(2, requests + 2, MPI_STATUSES_IGNORE);
	} else {
		if (rank == 1)
			prepare();
		for (int i = 0; i < 2; i++)
			MPI_Send(&values[i], 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return size < 1;
}
