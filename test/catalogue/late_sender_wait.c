/*
 * A receive was begun early, but the message is sent late: MPI_Wait waits.
 * run: 2 ranks, trace
 * first: kind=late sender, place=prepare, ranks=1, seconds=0.4
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
	MPI_Request request;

	if (rank == 1) {
		prepare();
		MPI_Isend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
	} else {
		MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
