#!/bin/bash
# Wait states of processes whose clocks differ: a preloaded library moves the clock of rank 1 and makes it drift, as
# between two hosts. Waiting is found as with one clock, and nothing is negative or longer than the calls.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/waits-lib.sh" || exit 99

cat > prog.c <<'C'
#include <mpi.h>
#include "waits_work.h"
#define W MPI_COMM_WORLD
static char data[64];
static int rank;
static void first_late(void)
{
	if (rank == 0) { work(0.3); MPI_Send(data, 8, MPI_CHAR, 1, 3, W); }
	if (rank == 1) MPI_Recv(data, 8, MPI_CHAR, 0, 3, W, MPI_STATUS_IGNORE);
}
static void second_late(void)
{
	if (rank == 1) { work(0.3); MPI_Send(data, 8, MPI_CHAR, 0, 4, W); }
	if (rank == 0) MPI_Recv(data, 8, MPI_CHAR, 1, 4, W, MPI_STATUS_IGNORE);
}
static void barriers(void)
{
	if (rank == 0) work(0.3);
	MPI_Barrier(W);
	if (rank == 1) work(0.3);
	MPI_Barrier(W);
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &rank);
	first_late(); MPI_Barrier(W);
	second_late(); MPI_Barrier(W);
	barriers();
	for (int i = 0; i < 1000; i++)	/* messages without waiting */
		MPI_Sendrecv(data, 8, MPI_CHAR, 1 - rank, 5, data + 8, 8, MPI_CHAR, 1 - rank, 5, W, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
C
cat > clock.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
static long long shift, drift;	/* in ns; in ns for each second */
__attribute__((constructor)) static void read_shift(void)
{
	const char *rank = getenv("PMI_RANK");
	if (rank && atoi(rank) == 1 && getenv("CLOCK_SHIFT")) {
		shift = atoll(getenv("CLOCK_SHIFT"));
		drift = atoll(getenv("CLOCK_DRIFT"));
	}
}
int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);
	int err;
	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	err = real(clock, time);
	if (!err && clock == CLOCK_MONOTONIC) {
		long long ns = time->tv_sec * 1000000000ll + time->tv_nsec + shift + time->tv_sec % 100000 * drift +
			       time->tv_nsec * drift / 1000000000;
		time->tv_sec = ns / 1000000000;
		time->tv_nsec = ns % 1000000000;
	}
	return err;
}
C
build_prog
"$CC" -O1 -shared -fPIC clock.c -o clock.so -ldl || die "cannot build clock.c"

# shifted SECONDS DRIFT: drift in 1e-9. Real clocks differ by at most 1e-4.
shifted() {
	what="shift $1 s, drift $2"
	rm -rf fathom-*
	FATHOM_CLOCK=monotonic CLOCK_SHIFT=$(awk -v s="$1" 'BEGIN { printf "%.0f", s * 1e9 }') CLOCK_DRIFT=$2 LD_PRELOAD=$PWD/clock.so \
		timeout -s KILL 100 "$MPIRUN" -n 2 ./prog > out 2> err || bad "$what: the program failed: $(cat err)"
	dir=$(experiment) || exit 1
	f=$dir/profile.cubex
	waited "$what: first" mpi_latesender first_late/MPI_Recv 0.3
	waited "$what: second" mpi_latesender second_late/MPI_Recv 0.3
	waited "$what: barriers" mpi_barrier_wait barriers/MPI_Barrier 0.6
	nothing_negative "$what"
	waiting_within_mpi "$what"
}
shifted 0 0
shifted 7.5 0
shifted -7.5 20000
shifted 0.25 -20000
verdict
