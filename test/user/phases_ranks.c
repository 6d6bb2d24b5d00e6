/*
 * phases_ranks ITERATIONS [early]: ranks whose work differs from iteration to iteration and from rank to rank; iteration 7
 * is the longest, on rank 1. early: they end without MPI_Finalize, so that each leaves what it has.
 */
#include <mpi.h>
#include <stdlib.h>

#include <fathom/fathom.h>

static volatile double sink;

static void work(int amount)
{
	FATHOM_REGION("work");
	for (int i = 0; i < amount; i++)
		sink += i;
}

int main(int argc, char **argv)
{
	int iterations = atoi(argv[1]), rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < iterations; i++) {
		FATHOM_PHASE("step", i * 10);
		for (int k = 0; k < i % 3 + rank; k++)
			work(100);
		if (i == 7 && rank == 1)
			work(20000000);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 2)
		return 0;
	MPI_Finalize();
	return 0;
}
