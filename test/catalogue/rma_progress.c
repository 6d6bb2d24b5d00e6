/*
 * An origin of one-sided communication waits until the target calls MPI, because MPI makes progress only there.
 * run: 2 ranks, profile, trace
 * first: kind=wait for progress, place=solve, ranks=0, seconds=0.5
 */
#include <mpi.h>
#include "catalogue.h"

static double *memory;

static void solve(void) { spend(0.5); }

static void update(MPI_Win window)
{
	double value = 1;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
	MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
	MPI_Win_unlock(0, window);
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Win window;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_allocate(64, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		solve();
	else
		update(window);
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
