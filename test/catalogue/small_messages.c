/*
 * Data is sent in very many small messages.
 * run: 2 ranks, profile
 * first: kind=small messages, place=MPI_Send
 */
#include <mpi.h>
#include "catalogue.h"

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	double value = 1;

	for (int i = 0; i < 200000; i++) {
		if (rank == 0)
			MPI_Send(&value, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
		else
			MPI_Recv(&value, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return size < 1;
}
