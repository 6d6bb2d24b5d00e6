/*
 * A late message makes its receiver late for the next message: the first sender causes both waits.
 * run: 3 ranks, trace
 * first: kind=late sender, place=prepare, ranks=0, seconds=0.8
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

	if (rank == 0)
		prepare();
	else
		MPI_Recv(&value, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank < 2)
		MPI_Send(&value, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
