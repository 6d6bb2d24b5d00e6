/*
 * In a grid, the processes of one column wait for messages from the column before it; all others have equal work.
 * run: 8 ranks, trace
 * first: kind=late sender, cause=one row of a grid, place=solve, ranks=0,4, seconds=0.8
 */
#include <mpi.h>
#include "catalogue.h"

static void solve(void) { spend(0.4); }

int main(int argc, char **argv)
{
	int rank, sizes[2] = { 2, 4 }, no[2] = { 0, 0 }, at[2], before, behind, data = 0;
	MPI_Comm grid;

	MPI_Init(&argc, &argv);
	MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, no, 0, &grid);
	MPI_Comm_rank(grid, &rank);
	MPI_Cart_coords(grid, rank, 2, at);
	MPI_Cart_shift(grid, 1, 1, &before, &behind);
	MPI_Barrier(grid);
	if (at[1] != 1)
		solve();
	if (at[1] == 0)
		MPI_Send(&data, 1, MPI_INT, behind, 1, grid);
	if (at[1] == 1)
		MPI_Recv(&data, 1, MPI_INT, before, 1, grid, MPI_STATUS_IGNORE);
	MPI_Comm_free(&grid);
	MPI_Finalize();
	return 0;
}
