/*
 * One rank is slow, and its neighbours in a ring wait for its messages.
 * run: 3 ranks, trace
 * first: kind=late sender, cause=one slow rank, place=step, ranks=1
 */
#include <mpi.h>
#include "catalogue.h"

static void step(int rank) { spend(rank == 1 ? 0.1 : 0.02); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	int out = rank, in;

	for (int i = 0; i < 4; i++) {
		step(rank);
		MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return size < 1;
}
