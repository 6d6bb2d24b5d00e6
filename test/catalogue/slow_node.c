/*
 * The ranks of one node are slower than the others.
 * run: 4 ranks, 2 nodes, trace
 * first: kind=wait at all-to-all, cause=one slow node, place=step, ranks=2,3, seconds=1.7
 */
#include <mpi.h>
#include "catalogue.h"

static void step(int is_slow) { spend(is_slow ? 0.42 : 0.02); }

int main(int argc, char **argv)
{
	int rank, size, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	/* Both ranks of the slow node are the last one, in turn. */
	for (int i = 0; i < 2; i++) {
		step(rank >= 2);
		if (rank == 2 + i % 2)
			step(0);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return size < 1;
}
