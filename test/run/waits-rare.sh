#!/bin/bash
# Wait states in unusual MPI programs: intercommunicators, communicators that are freed while an operation is open,
# persistent requests, matched probes, sessions, and ranks that end early. test/run/waits.sh has MPI_Abort,
# MPI_ANY_SOURCE, MPI_PROC_NULL, messages to oneself and cancelled requests.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/waits-lib.sh" || exit 99

cat > prog.c <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include "waits_work.h"
#define NO MPI_STATUS_IGNORE
static char data[64];
static int rank;
static void between_groups(void)
{
	MPI_Comm half, both;
	MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 5, &both);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		work(0.3);
		MPI_Send(data, 8, MPI_CHAR, 0, 1, both);
	} else {
		MPI_Recv(data, 8, MPI_CHAR, 0, 1, both, NO);
	}
	MPI_Barrier(both);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}
/* The handle of the second communicator may be that of the first one. */
static void freed_early(void)
{
	MPI_Comm one, other;
	MPI_Request request, barrier;
	MPI_Comm_dup(MPI_COMM_WORLD, &one);
	if (rank == 0) {
		work(0.3);
		MPI_Isend(data, 8, MPI_CHAR, 1, 2, one, &request);
		MPI_Ibarrier(one, &barrier);
		MPI_Comm_free(&one);
	} else {
		MPI_Irecv(data, 8, MPI_CHAR, 0, 2, one, &request);
		MPI_Ibarrier(one, &barrier);
		MPI_Comm_free(&one);
	}
	MPI_Wait(&request, NO);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	MPI_Wait(&barrier, NO);
	if (rank == 1)
		work(0.3);
	MPI_Barrier(other);
	MPI_Comm_free(&other);
}
static void persistent(void)
{
	MPI_Request request;
	if (rank == 0)
		MPI_Send_init(data, 8, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &request);
	else
		MPI_Recv_init(data, 8, MPI_CHAR, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
	for (int i = 0; i < 3; i++) {
		if (rank == 0 && i == 2)
			work(0.3);
		MPI_Start(&request);
		MPI_Wait(&request, NO);
	}
	MPI_Request_free(&request);
}
static void probed(void)
{
	MPI_Message message;
	MPI_Status status;
	if (rank == 0) {
		MPI_Send(data, 8, MPI_CHAR, 1, 8, MPI_COMM_WORLD);
		work(0.3);
		MPI_Send(data, 8, MPI_CHAR, 1, 8, MPI_COMM_WORLD);
	} else {
		MPI_Mprobe(0, 8, MPI_COMM_WORLD, &message, &status);
		MPI_Recv(data, 8, MPI_CHAR, 0, 8, MPI_COMM_WORLD, NO);
		MPI_Mrecv(data, 8, MPI_CHAR, &message, NO);
	}
}
#if MPI_VERSION >= 4
static int session(void)
{
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm;
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
	MPI_Comm_rank(comm, &rank);
	if (rank == 0) work(0.3);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
	MPI_Group_free(&group);
	MPI_Session_finalize(&session);
	return 0;
}
#endif
int main(int argc, char **argv)
{
#if MPI_VERSION >= 4
	if (argc > 1 && !strcmp(argv[1], "session")) return session();
#endif
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc > 1 && !strcmp(argv[1], "early")) {
		if (rank == 1) exit(3);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	between_groups(); MPI_Barrier(MPI_COMM_WORLD);
	freed_early(); MPI_Barrier(MPI_COMM_WORLD);
	persistent(); MPI_Barrier(MPI_COMM_WORLD);
	probed(); MPI_Barrier(MPI_COMM_WORLD);
#if MPI_VERSION >= 4
	session();
#endif
	MPI_Finalize();
	return 0;
}
C
build_prog

timeout -s KILL 100 "$MPIRUN" -n 2 ./prog > out 2> err || bad "the program failed: $(cat err)"
dir=$(experiment) || exit 1
f=$dir/profile.cubex
check_profile "$f"
same "messages without a partner" "" "$(attribute wait_unmatched_messages)"
waited "intercommunicator" mpi_latesender between_groups/MPI_Recv 0.3
# Collective operations between groups are not searched, and the profile says so.
[ "$(attribute wait_skipped_collectives)" -gt 0 ] || bad "the collective operations of an intercommunicator are not named"
waited "communicator freed early" mpi_latesender freed_early/MPI_Wait 0.3
waited "the next communicator" mpi_barrier_wait freed_early/MPI_Barrier 0.3
waited "persistent requests" mpi_latesender persistent/MPI_Wait 0.3
waited "matched probe" mpi_latesender probed/MPI_Recv 0.3
if "$builddir/test/run/dump" visits "$f" | grep -q 'session/MPI_Session_init'; then
	waited "communicator of a session" mpi_barrier_wait session/MPI_Barrier 0.3
fi

# A rank that ends without MPI_Finalize: nothing is searched, and its profile says so.
rm -rf fathom-*
timeout -s KILL 100 "$MPIRUN" -n 2 ./prog early > out 2> err
dir=$(experiment) || exit 1
f=$dir/rank-1.cubex
same "ended early" "no: the run did not end with MPI_Finalize" "$(attribute wait_states)"

# Without MPI_Init the processes do not know each other: each one has a profile of its own, without a search.
rm -rf fathom-*
if timeout -s KILL 100 "$MPIRUN" -n 2 ./prog session > out 2> err && [ -e fathom-*/rank-1.cubex ]; then
	f=$(echo fathom-*/rank-1.cubex)
	same "sessions only" "no: the program uses MPI sessions only, so its processes are measured apart" "$(attribute wait_states)"
	same "sessions only, said once" 1 "$(grep -c 'no MPI_Init was seen; each rank that could saved its own profile' err)"
fi
verdict
