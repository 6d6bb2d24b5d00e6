/*
 * Ping-pong of 8 bytes between two ranks: ns per message.
 *
 *	mpirun -n 2 ./pingpong [messages]
 *
 * Run it plain and linked with libfathom-mpi (or by fathom run), in turns, and compare.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUND 1000	/* messages: short enough to fall between the disturbances of a busy machine */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	long messages = argc > 1 ? atol(argv[1]) : 1000000;
	double best = 1e9;
	double data = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	/* The best round counts. */
	for (long round = 0; round < messages / ROUND; round++) {
		double begin = now();

		for (long i = 0; i < ROUND / 2; i++) {
			if (rank == 0) {
				MPI_Send(&data, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
				MPI_Recv(&data, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			} else if (rank == 1) {
				MPI_Recv(&data, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
				MPI_Send(&data, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
			}
		}
		if (now() - begin < best)
			best = now() - begin;
	}
	if (rank == 0)
		printf("%.1f ns a message\n", best * 1e9 / ROUND);
	MPI_Finalize();
	return 0;
}
