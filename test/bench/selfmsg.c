/*
 * Irecv, Isend and Waitall of 8 bytes to oneself: ns per message. One rank: no waiting for another.
 *
 *	mpirun -n 1 ./selfmsg [messages]
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
	long messages = argc > 1 ? atol(argv[1]) : 2000000;
	double best = 1e9;
	double out = 1, in = 0;
	MPI_Status statuses[2];

	MPI_Init(&argc, &argv);
	/* The best round counts. */
	for (long round = 0; round < messages / ROUND; round++) {
		double begin = now();

		for (long i = 0; i < ROUND; i++) {
			MPI_Request requests[2];

			MPI_Irecv(&in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &requests[0]);
			MPI_Isend(&out, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &requests[1]);
			MPI_Waitall(2, requests, statuses);
		}
		if (now() - begin < best)
			best = now() - begin;
	}
	printf("%.1f ns a message\n", best * 1e9 / ROUND);
	MPI_Finalize();
	return in != out;
}
