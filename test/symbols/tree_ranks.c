/*
 * Known answers for loops in the call tree of several processes and threads, in a region of the user API, and in a
 * recursive function:
 *
 *	main > uneven > loop EVEN	on even ranks only
 *	main > uneven > loop ODD	on odd ranks only, and in the second thread of each rank
 *	main > loop STEPS > part > loop CELLS
 *	main > loop STEPS > MPI_Barrier
 *	main > search > (loop BRANCHES > search) many times
 */
#include <fathom/fathom.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;
static double values[1024];
static long cells;

__attribute__((noinline)) static void uneven(int is_odd)
{
	double x = values[0];

	if (is_odd)
		for (long i = 0; i < 40 * cells; i++)		/* ODD */
			x = x * 0.5 + (double)i;
	else
		for (long i = 0; i < 40 * cells; i++)		/* EVEN */
			x = x * 0.25 - (double)i;
	sink = x;
}

__attribute__((noinline)) static int search(int depth)
{
	int sum = 0;

	for (int branch = 0; branch < 2 && depth; branch++)	/* BRANCHES */
		sum += search(depth - 1) + branch;
	for (int i = 0; i < 3000; i++)
		sink = sink * 0.5 + i;
	return sum;
}

static void *work(void *argument)
{
	uneven(1);
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int rank;

	cells = argc > 1 ? atol(argv[1]) : 100000;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_create(&thread, NULL, work, NULL);
	uneven(rank & 1);
	pthread_join(thread, NULL);
	for (int step = 0; step < 20; step++) {			/* STEPS */
		FATHOM_REGION_BEGIN("part");
		for (long i = 0; i < 2 * cells; i++)		/* CELLS */
			values[i & 1023] = values[(i + 7) & 1023] * 0.5 + 1;
		FATHOM_REGION_END("part");
		MPI_Barrier(MPI_COMM_WORLD);
	}
	sink = search(14);
	MPI_Finalize();
	return 0;
}
