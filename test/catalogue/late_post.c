/*
 * The origin of one-sided communication waits for the target, which exposes its window late.
 * run: 2 ranks, profile, trace
 * first: kind=late post, seconds=0.4
 */
#include <mpi.h>
#include "catalogue.h"

static double memory[16];

static void prepare(void) { spend(0.4); }

int main(int argc, char **argv)
{
	int rank, other;
	MPI_Win window;
	MPI_Group world, partner;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &other, &partner);
	MPI_Win_create(memory, sizeof(memory), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	if (rank == 0) {
		MPI_Win_start(partner, 0, window);
		MPI_Put(memory, 1, MPI_DOUBLE, 1, 1, 1, MPI_DOUBLE, window);
		MPI_Win_complete(window);
	} else {
		prepare();
		MPI_Win_post(partner, 0, window);
		MPI_Win_wait(window);
	}
	MPI_Win_free(&window);
	MPI_Group_free(&partner);
	MPI_Group_free(&world);
	MPI_Finalize();
	return 0;
}
