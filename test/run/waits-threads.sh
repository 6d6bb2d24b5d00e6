#!/bin/bash
# Wait states with MPI_THREAD_MULTIPLE: four threads in each of two ranks, with tags, communicators and requests of their
# own, or with requests that another thread completes. The planted waiting is found at its thread's call path.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/waits-lib.sh" || exit 99

cat > prog.c <<'C'
#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include "waits_work.h"
enum { THREADS = 4, ROUNDS = 200 };
#define NO MPI_STATUS_IGNORE
static int rank;
static MPI_Comm comms[THREADS];
static void tags(int me)	/* all threads on one communicator */
{
	char out[8] = { 0 }, in[8];
	MPI_Request r[2];
	MPI_Status statuses[2];
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Irecv(in, 8, MPI_CHAR, 1 - rank, me, MPI_COMM_WORLD, &r[0]);
		MPI_Isend(out, 8, MPI_CHAR, 1 - rank, me, MPI_COMM_WORLD, &r[1]);
		MPI_Waitall(2, r, statuses);
	}
	if (rank == 0) {
		work(0.2 + 0.1 * me);
		MPI_Send(out, 8, MPI_CHAR, 1, me, MPI_COMM_WORLD);
	} else {
		MPI_Recv(in, 8, MPI_CHAR, MPI_ANY_SOURCE, me, MPI_COMM_WORLD, NO);
	}
}
static void communicators(int me)	/* equal tags */
{
	char out[8] = { 0 }, in[8];
	int one = 1, sum;
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Sendrecv(out, 8, MPI_CHAR, 1 - rank, 1, in, 8, MPI_CHAR, 1 - rank, 1, comms[me], NO);
		if (i % 50 == 0)
			MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[me]);
	}
	if (rank == 1)
		work(0.3);
	MPI_Barrier(comms[me]);
}
static void *thread(void *number)
{
	tags((int)(long)number);
	communicators((int)(long)number);
	return NULL;
}
/* Requests that one thread begins and another completes, the second one first. */
static MPI_Request given[2];
static char in0[8], in1[8];
static void *complete(void *nothing)
{
	MPI_Wait(&given[1], NO);
	MPI_Wait(&given[0], NO);
	return nothing;
}
static void handed_over(void)
{
	char out[8] = { 0 };
	pthread_t t;
	if (rank == 0) {
		MPI_Send(out, 8, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
		MPI_Send(out, 8, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
		work(0.3);
		MPI_Send(out, 8, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(in0, 8, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &given[0]);
		MPI_Irecv(in1, 8, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &given[1]);
		pthread_create(&t, NULL, complete, NULL);
		pthread_join(t, NULL);
		MPI_Recv(in0, 8, MPI_CHAR, 0, 9, MPI_COMM_WORLD, NO);
	}
}
/* The later of two sends of a channel is late; another thread waits for it first. */
static void late_second(void)
{
	char out[8] = { 0 };
	pthread_t t;
	if (rank == 0) {
		MPI_Send(out, 8, MPI_CHAR, 1, 10, MPI_COMM_WORLD);
		work(0.3);
		MPI_Send(out, 8, MPI_CHAR, 1, 10, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(in0, 8, MPI_CHAR, 0, 10, MPI_COMM_WORLD, &given[0]);
		MPI_Irecv(in1, 8, MPI_CHAR, 0, 10, MPI_COMM_WORLD, &given[1]);
		pthread_create(&t, NULL, complete, NULL);
		pthread_join(t, NULL);
	}
}
int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int level;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 77;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	handed_over();
	MPI_Barrier(MPI_COMM_WORLD);
	late_second();
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_free(&comms[i]);
	MPI_Finalize();
	return 0;
}
C
build_prog -pthread -lfathom-pthread
timeout -s KILL 100 "$MPIRUN" -n 2 ./prog > out 2> err
case $? in
0) ;;
77) skip "this MPI has no MPI_THREAD_MULTIPLE" ;;
*) die "the program failed: $(cat err)" ;;
esac
dir=$(experiment) || exit 1
f=$dir/profile.cubex
check_profile "$f"
same "messages without a partner" "" "$(attribute wait_unmatched_messages)"
# For each rank: 4 x (200 x 3 + 1 + 200 + 4 + 1) by the threads, and what main does.
same "operations" yes "$(attribute wait_states)"

# waited_below WHAT METRIC FUNCTION SECONDS: the time below this function, of all threads.
waited_below() {
	got=$(values "$2" "$f" | awk -v p="/$3" '{ v = $1; if (index($0, p)) s += v } END { print s + 0 }')
	near "$1: $2 below $3" "$4" "$got"
}
waited_below "equal communicator, other tags" mpi_latesender tags/MPI_Recv 1.4
waited_below "equal tags, other communicators" mpi_barrier_wait communicators 1.2
waited_below "requests of another thread" mpi_latesender handed_over 0.3
waited_below "requests of another thread, in the other order" mpi_latesender complete 0.3
nothing_negative "threads"
verdict
