/*
 * The ranks wait for one of them at a fence of one-sided communication.
 * run: 2 ranks, profile, trace
 * first: kind=wait at fence, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static int memory;

static void prepare(void) { spend(0.4); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win window;

	MPI_Win_create(&memory, sizeof(memory), sizeof(memory), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	MPI_Win_fence(0, window);
	if (rank == 0)
		prepare();
	MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Win_free(&window);
	MPI_Finalize();
	return size < 1;
}
