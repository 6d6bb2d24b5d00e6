/* Computes between MPI calls, also in functions that MPI calls, and pauses the measurement once. Arguments: steps; how it
 * ends: exit (in the middle, at rank 1), abort (a signal, at rank 1), else normally. */
#include <fathom/fathom.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static volatile double sum;

static void work(int amount)
{
	for (int i = 0; i < amount * 100; i++)
		sum += i;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	work(2);
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void step(int rank, MPI_Op op)
{
	int mine = rank, all;

	work(3 + rank);
	MPI_Barrier(MPI_COMM_WORLD);
	work(2);
	MPI_Allreduce(&mine, &all, 1, MPI_INT, op, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 10, rank;
	const char *end = argc > 2 ? argv[2] : "";
	MPI_Op op;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Op_create(add, 1, &op);
	for (int i = 0; i < steps; i++) {
		step(rank, op);
		if (i == steps / 2 && rank == 1 && !strcmp(end, "exit"))
			exit(3);
		if (i == steps / 2 && rank == 1 && !strcmp(end, "abort"))
			abort();
		if (i == steps / 2 && !*end) {
			FATHOM_RECORDING_OFF();
			work(1);
			FATHOM_RECORDING_ON();
		}
	}
	work(5);
	MPI_Op_free(&op);
	MPI_Finalize();
	work(1);
	return 0;
}
