#!/bin/bash
# Wait states of one-sided communication in the profile: a late fence, and an exposure epoch that waits for its origin.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi

cat > prog.c <<'C'
#include <mpi.h>
#include <time.h>
static int rank, data[4];
static void work(void)
{
	struct timespec time = { 0, 300000000 };
	while (nanosleep(&time, &time))
		;
}
static void fences(MPI_Win win)
{
	MPI_Win_fence(0, win);
	if (rank == 1)
		work();
	MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
}
static void epochs(MPI_Win win, MPI_Group other)
{
	if (rank == 0) {
		MPI_Win_start(other, 0, win);
		work();
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
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -finstrument-functions prog.c -o prog $mpilibs || die "cannot build"
timeout -s KILL 100 "$MPIRUN" -n 2 ./prog > out 2> err || bad "the program failed: $(cat err)"
dir=$(experiment) || exit 1
f=$dir/profile.cubex
check_profile "$f"
waited() {
	got=$(value "$2" "prog/main/$3" "$f")
	awk -v g="$got" -v w="$4" 'BEGIN { d = g - w; if (d < 0) d = -d; exit !(d <= 0.3 * w || d <= 0.1) }' ||
		bad "$1: $2 at $3 should be $4 s, is $got"
}
waited "a late process at a fence" mpi_rma_wait_at_fence fences/MPI_Win_fence 0.3
waited "a fence of another window" mpi_rma_wait_at_fence MPI_Win_fence 0
waited "an exposure epoch" mpi_rma_early_wait epochs/MPI_Win_wait 0.3
waited "an exposure epoch, whose accesses are not known" mpi_rma_late_complete epochs/MPI_Win_wait 0
for metric in $("$builddir/test/run/dump" -s "$f" | awk '/^metric / { print $2 }'); do
	"$builddir/test/run/dump" "$metric" "$f" | grep -q '^-' && bad "$metric has a negative value"
done
verdict
