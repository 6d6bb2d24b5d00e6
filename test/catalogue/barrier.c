/*
 * All ranks wait at a barrier for one of them.
 * run: 3 ranks, trace
 * first: kind=wait at barrier, cause=serial part, place=prepare, ranks=2, seconds=0.6
 */
#include <mpi.h>
#include "catalogue.h"

static void prepare(void) { spend(0.3); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2)
		prepare();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return size < 1;
}
