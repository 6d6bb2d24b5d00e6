/* Messages between two ranks, and system calls in between: all the same with and without samples, also those of the
 * progress threads that an MPI library makes. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static volatile double sink;

int main(int count, char **arguments)
{
	const struct timespec moment = { .tv_nsec = 100000 };
	int rank, size, interrupted = 0, sum = 0, got, provided;
	MPI_Request requests[2];

	MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 200; i++) {
		int sent = rank + i, all;

		for (int j = 0; j < 200000; j++)
			sink = sink * 0.5 + j;
		if (nanosleep(&moment, NULL) && errno == EINTR)
			interrupted++;
		MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(&sent, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		MPI_Allreduce(&got, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		sum += all;
	}
	MPI_Reduce(rank ? &interrupted : MPI_IN_PLACE, &interrupted, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("%d ranks, sum %d, %d EINTR\n", size, sum, interrupted);
	MPI_Finalize();
	return 0;
}
