#!/bin/bash
# Wait states where a part of the MPI calls is not recorded: behind FATHOM_RECORDING_OFF, by a filter, or by FATHOM_MPI.
# The search still pairs the recorded calls with the right ones, and nothing is charged to a call that was not recorded.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/waits-lib.sh" || exit 99

cat > prog.c <<'C'
#include <fathom/fathom.h>
#include <mpi.h>
#include <string.h>
#include "waits_work.h"
#define W MPI_COMM_WORLD
#define NO MPI_STATUS_IGNORE
static char data[64];
static int rank;
static void send(int to, int tag) { MPI_Send(data, 8, MPI_CHAR, to, tag, W); }
static void receive(int from, int tag) { MPI_Recv(data, 8, MPI_CHAR, from, tag, W, NO); }
static void isend(int to, int tag)
{
	MPI_Request request;
	MPI_Isend(data, 8, MPI_CHAR, to, tag, W, &request);
	MPI_Wait(&request, NO);
}
static void test_receive(int from, int tag)
{
	MPI_Request request;
	int done = 0;
	MPI_Irecv(data, 8, MPI_CHAR, from, tag, W, &request);
	while (!done)
		MPI_Test(&request, &done, NO);
}
/* The sends of a pause must count, or the receive waits for the wrong one. */
static void paused_sends(void)
{
	if (rank == 0) {
		FATHOM_RECORDING_OFF();
		for (int i = 0; i < 3; i++) send(1, 3);
		FATHOM_RECORDING_ON();
		work(0.3);
		send(1, 3);
	} else {
		for (int i = 0; i < 4; i++) receive(0, 3);
	}
}
static void paused_receives(void)
{
	if (rank == 0) {
		for (int i = 0; i < 3; i++) send(1, 4);
		work(0.3);
		send(1, 4);
	} else {
		FATHOM_RECORDING_OFF();
		receive(0, 4);
		test_receive(0, 4);
		MPI_Recv(data, 8, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, W, NO);
		FATHOM_RECORDING_ON();
		receive(0, 4);
	}
}
/* The begin of the pair is inside of the pause, and the end outside, and the other way round. */
static void paused_halves(void)
{
	MPI_Request a, b;
	if (rank == 0) {
		send(1, 5);
		send(1, 5);
		work(0.3);
		send(1, 5);
	} else {
		FATHOM_RECORDING_OFF();
		MPI_Irecv(data, 8, MPI_CHAR, 0, 5, W, &a);
		FATHOM_RECORDING_ON();
		MPI_Irecv(data + 8, 8, MPI_CHAR, 0, 5, W, &b);
		MPI_Wait(&a, NO);
		FATHOM_RECORDING_OFF();
		MPI_Wait(&b, NO);
		FATHOM_RECORDING_ON();
		receive(0, 5);
	}
}
static void paused_barrier(void)
{
	if (rank == 0) FATHOM_RECORDING_OFF();
	MPI_Barrier(W);
	if (rank == 0) FATHOM_RECORDING_ON();
	if (rank == 0) work(0.3);
	MPI_Barrier(W);
}
/* The other process waits for one that is paused: its waiting is known, and that of the paused one is not reported. */
static void paused_late(void)
{
	if (rank == 0) {
		FATHOM_RECORDING_OFF();
		work(0.3);
		send(1, 6);
		receive(1, 6);
		FATHOM_RECORDING_ON();
	} else {
		receive(0, 6);
		work(0.3);
		send(0, 6);
	}
}
static void late_last(void)
{
	if (rank == 0) {
		isend(1, 7);
		isend(1, 7);
		work(0.3);
		send(1, 7);
	} else {
		test_receive(0, 7);
		receive(0, 7);
		receive(0, 7);
	}
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &rank);
	paused_sends(); MPI_Barrier(W);
	paused_receives(); MPI_Barrier(W);
	paused_halves(); MPI_Barrier(W);
	paused_barrier(); MPI_Barrier(W);
	paused_late(); MPI_Barrier(W);
	late_last(); MPI_Barrier(W);
	MPI_Finalize();
	return 0;
}
C
build_prog -DFATHOM_USER -I"$srcdir/include"

# run WORDS: the profile is in $f.
run() {
	rm -rf fathom-*
	env "$@" "$MPIRUN" -n 2 ./prog > out 2> err || bad "the program failed"
	dir=$(experiment) || exit 1
	f=$dir/profile.cubex
	! tar xOf "$f" anchor.xml | grep 'fathom::wait_unmatched' || bad "operations are without partner"
}

# waited_below WHAT METRIC PATH SECONDS: the time that ranks have at this call path or below.
waited_below() {
	got=$(values "$2" "$f" | awk -v p="$3" '{ v = $1; sub(/^[^ ]+ /, ""); if (index($0, p) == 1) s += v } END { print s + 0 }')
	near "$1: $2 at $3" "$4" "$got"
}
all_pauses() {
	waited_below "$1: sends in a pause" mpi_latesender prog/main/paused_sends 0.3
	waited_below "$1: receives in a pause" mpi_latesender prog/main/paused_receives 0.3
	waited_below "$1: one end in a pause" mpi_latesender prog/main/paused_halves 0.3
	waited_below "$1: barrier in a pause" mpi_barrier_wait prog/main/paused_barrier 0.3
	waited_below "$1: a late process that pauses" mpi_latesender prog/main/paused_late 0.3
	waited_below "$1: all late senders" mpi_latesender prog "$2"
}

run A=b
check_profile "$f"
all_pauses default 1.8
waited_below "default: no pause" mpi_latesender prog/main/late_last 0.3

# Calls that a filter excludes count, too.
printf 'exclude MPI_Isend\nexclude MPI_Test\nexclude MPI_Irecv\nexclude rank 0 MPI_Barrier\nexclude rank 0 MPI_Init\n' > names.filter
run FATHOM_FILTER=$PWD/names.filter
same "filter: regions" 0 "$(values visits "$f" | grep -c 'MPI_Isend\|MPI_Test')"
all_pauses filter 1.8
waited_below "filter: excluded calls" mpi_latesender prog/main/late_last 0.3

# Without the group of requests, too.
run FATHOM_MPI=p2p,coll,env
waited_below "group: excluded calls" mpi_latesender prog/main/late_last 0.3
all_pauses group 1.8

# With a trace beside the profile.
if have_traces; then
	run FATHOM_MODE=profile,trace FATHOM_FILTER=$PWD/names.filter
	waited_below "with a trace: sends in a pause" mpi_latesender prog/main/paused_sends 0.3
	waited_below "with a trace: excluded calls" mpi_latesender prog/main/late_last 0.3
fi
verdict
