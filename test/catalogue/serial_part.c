/*
 * One rank alone executes a part of the program, while the others wait.
 * run: 3 ranks, trace
 * first: kind=wait at barrier, cause=serial part, place=plan, ranks=0, seconds=0.8
 */
#include <mpi.h>
#include "catalogue.h"

static void plan(void) { spend(0.4); }

static void step(void) { spend(0.05); }

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	step();
	if (rank == 0)
		plan();
	MPI_Barrier(MPI_COMM_WORLD);
	step();
	MPI_Finalize();
	return size < 1;
}
