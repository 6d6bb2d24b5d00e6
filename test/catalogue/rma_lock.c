/*
 * An origin of one-sided communication holds the lock of a window for long, and another one waits for it.
 * run: 3 ranks, profile, trace
 * first: kind=lock competition, place=MPI_Win_lock, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static double *memory;

/* MPI may get a lock when the first access needs it. */
static void update(MPI_Win window, double seconds)
{
	double value = 1;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
	MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
	MPI_Win_flush(0, window);
	spend(seconds);
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
	/* The target of the locks has other work, and calls MPI now and then, so that MPI makes progress there. */
	for (int i = 0; rank == 0 && i < 55; i++) {
		int found;

		spend(0.01);
		MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
	}
	if (rank == 1)
		update(window, 0.5);
	if (rank == 2) {
		spend(0.1);
		update(window, 0);
	}
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
