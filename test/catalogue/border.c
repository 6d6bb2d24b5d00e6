/*
 * The inner processes of a grid have neighbours on all sides and more to do; those at its ends wait for them.
 * run: 6 ranks, trace
 * first: kind=wait at all-to-all, cause=inner processes, place=exchange, seconds=0.8
 */
#include <mpi.h>
#include "catalogue.h"

static void exchange(int neighbours) { spend(0.2 * neighbours); }

int main(int argc, char **argv)
{
	int rank, size, no = 0, sum;
	MPI_Comm row;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &row);
	for (int i = 0; i < 2; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		exchange(rank == 0 || rank == size - 1 ? 1 : 2);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
	}
	MPI_Comm_free(&row);
	MPI_Finalize();
	return size < 1;
}
