/*
 * Sweeps over a row of processes, in both directions: each process works when the one before it is done.
 * run: 4 ranks, profile, trace
 * first: kind=late sender, cause=pipeline refill, place=work, seconds=4.5
 */
#include <mpi.h>
#include "catalogue.h"

static void work(void) { spend(0.15); }

static void sweep(MPI_Comm row, int by)
{
	int before, behind, value = 0;

	MPI_Cart_shift(row, 0, by, &before, &behind);
	MPI_Recv(&value, 1, MPI_INT, before, 0, row, MPI_STATUS_IGNORE);
	work();
	MPI_Send(&value, 1, MPI_INT, behind, 0, row);
}

int main(int argc, char **argv)
{
	int size, no = 0;
	MPI_Comm row;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &row);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++)
		sweep(row, i % 2 ? -1 : 1);
	MPI_Comm_free(&row);
	MPI_Finalize();
	return size < 1;
}
