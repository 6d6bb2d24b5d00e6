/*
 * Ranks with equal work and few large messages.
 * run: 2 ranks, trace, profile
 * first: none
 */
#include <mpi.h>
#include "catalogue.h"

static double data[1 << 14];

static void step(void) { spend(0.05); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	double *in = data + (1 << 13);

	for (int i = 0; i < 5; i++) {
		step();
		MPI_Sendrecv(data, 1 << 13, MPI_DOUBLE, 1 - rank, 1, in, 1 << 13, MPI_DOUBLE, 1 - rank, 1,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return size < 1;
}
