#!/bin/bash
# Wait states of processes whose clocks differ: a preloaded library moves the clock of rank 1 and makes it drift, as
# between two hosts. Waiting is found as with one clock, and nothing is negative or longer than the calls.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi

cat > prog.c <<'C'
#include <mpi.h>
#include <time.h>
#define W MPI_COMM_WORLD
static char data[64];
static int rank;
static void work(void)
{
	struct timespec time = { 0, 300000000 };
	while (nanosleep(&time, &time))
		;
}
static void first_late(void)
{
	if (rank == 0) { work(); MPI_Send(data, 8, MPI_CHAR, 1, 3, W); }
	if (rank == 1) MPI_Recv(data, 8, MPI_CHAR, 0, 3, W, MPI_STATUS_IGNORE);
}
static void second_late(void)
{
	if (rank == 1) { work(); MPI_Send(data, 8, MPI_CHAR, 0, 4, W); }
	if (rank == 0) MPI_Recv(data, 8, MPI_CHAR, 1, 4, W, MPI_STATUS_IGNORE);
}
static void barriers(void)
{
	if (rank == 0) work();
	MPI_Barrier(W);
	if (rank == 1) work();
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
		long long ns = time->tv_sec * 1000000000ll + time->tv_nsec + shift + time->tv_sec % 100000 * drift;
		time->tv_sec = ns / 1000000000;
		time->tv_nsec = ns % 1000000000;
	}
	return err;
}
C
mpilibs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -finstrument-functions prog.c -o prog $mpilibs || die "cannot build"
"$CC" -O1 -shared -fPIC clock.c -o clock.so -ldl || die "cannot build clock.c"

waited() {
	got=$(value "$2" "prog/main/$3" "$f")
	awk -v g="$got" -v w="$4" 'BEGIN { d = g - w; if (d < 0) d = -d; exit !(d <= 0.3 * w || d <= 0.1) }' ||
		bad "$what: $1: $2 at $3 should be $4 s, is $got"
}
# shifted SECONDS DRIFT: drift in 1e-9. Real clocks differ by at most 1e-4.
shifted() {
	what="shift $1 s, drift $2"
	rm -rf fathom-*
	FATHOM_CLOCK=monotonic CLOCK_SHIFT=$(awk -v s="$1" 'BEGIN { printf "%d", s * 1e9 }') CLOCK_DRIFT=$2 LD_PRELOAD=$PWD/clock.so \
		timeout -s KILL 100 "$MPIRUN" -n 2 ./prog > out 2> err || bad "$what: the program failed: $(cat err)"
	dir=$(experiment) || exit 1
	f=$dir/profile.cubex
	waited "first" mpi_latesender first_late/MPI_Recv 0.3
	waited "second" mpi_latesender second_late/MPI_Recv 0.3
	waited "barriers" mpi_barrier_wait barriers/MPI_Barrier 0.6
	for metric in $("$builddir/test/run/dump" -s "$f" | awk '/^metric / { print $2 }'); do
		"$builddir/test/run/dump" "$metric" "$f" | grep -q '^-' && bad "$what: $metric has a negative value"
	done
	awk -v w="$(values wait_states "$f" | awk '{ s += $1 } END { print s }')" \
		-v t="$(values mpi "$f" | awk '{ s += $1 } END { print s }')" 'BEGIN { exit !(w > 0 && w <= t) }' ||
		bad "$what: the waiting is not within the time in MPI"
}
shifted 0 0
shifted 7.5 0
shifted -7.5 20000
shifted 0.25 -20000
verdict
