#!/bin/bash
# Wait states of one-sided communication in the profile: a late fence, and an exposure epoch that waits for its origin.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/waits-lib.sh" || exit 99

cat > prog.c <<'C'
#include <mpi.h>
#include "waits_work.h"
static int rank, data[4];
static void fences(MPI_Win win)
{
	MPI_Win_fence(0, win);
	if (rank == 1)
		work(0.3);
	MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
}
static void epochs(MPI_Win win, MPI_Group other)
{
	if (rank == 0) {
		MPI_Win_start(other, 0, win);
		work(0.3);
		MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
		MPI_Win_complete(win);
	} else {
		MPI_Win_post(other, 0, win);
		MPI_Win_wait(win);
	}
}
int main(int argc, char **argv)
{
	MPI_Win win, second;
	MPI_Group world, other;
	int peer;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	peer = 1 - rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &peer, &other);
	MPI_Win_create(data, sizeof(data), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_create(data, sizeof(data), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &second);
	fences(win);
	MPI_Win_fence(0, second);
	MPI_Barrier(MPI_COMM_WORLD);
	epochs(win, other);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&second);
	MPI_Win_free(&win);
	MPI_Group_free(&other);
	MPI_Group_free(&world);
	MPI_Finalize();
	return 0;
}
C
build_prog
timeout -s KILL 100 "$MPIRUN" -n 2 ./prog > out 2> err || bad "the program failed: $(cat err)"
dir=$(experiment) || exit 1
f=$dir/profile.cubex
check_profile "$f"
waited "a late process at a fence" mpi_rma_wait_at_fence fences/MPI_Win_fence 0.3
waited "a fence of another window" mpi_rma_wait_at_fence MPI_Win_fence 0
waited "an exposure epoch" mpi_rma_early_wait epochs/MPI_Win_wait 0.3
waited "an exposure epoch, whose last access ends late" mpi_rma_late_complete epochs/MPI_Win_wait 0
nothing_negative "one-sided"
verdict
