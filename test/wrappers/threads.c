/*
 * Four threads of each of two processes send to and hear from their partners at the same time,
 * make and free communicators, and share handles. Nothing may be lost, swapped or broken.
 */
#include "standin.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 300
#define WINDOW 12	/* more than the few that need no buffer */

static int me, peer;

static void window(int thread, int round, MPI_Comm comm)
{
	MPI_Request requests[2 * WINDOW];
	char out[WINDOW] = { 0 }, in[WINDOW][WINDOW];
	int index, flag, some, indices[2 * WINDOW];

	for (int i = 0; i < WINDOW; i++) {
		MPI_Irecv(in[i], WINDOW, MPI_CHAR, peer, 100 * thread + i, comm, &requests[2 * i]);
		MPI_Isend(out, i + 1, MPI_CHAR, peer, 100 * thread + i, comm, &requests[2 * i + 1]);
	}
	switch (round % 5) {
	case 0:
		MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
		break;
	case 1:
		for (int i = 2 * WINDOW - 1; i >= 0; i--)
			MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
		break;
	case 2:
		do {
			MPI_Waitany(2 * WINDOW, requests, &index, MPI_STATUS_IGNORE);
		} while (index != MPI_UNDEFINED);
		break;
	case 3:
		do {
			MPI_Testall(2 * WINDOW, requests, &flag, MPI_STATUSES_IGNORE);
		} while (!flag);
		break;
	case 4:
		do {
			MPI_Waitsome(2 * WINDOW, requests, &some, indices, MPI_STATUSES_IGNORE);
		} while (some != MPI_UNDEFINED);
		break;
	}
}

static void *work(void *argument)
{
	int thread = *(int *)argument;
	MPI_Comm mine;
	MPI_Request persistent[2];
	int a = 1, b;

	/* Collective calls of several threads need a communicator each. */
	MPI_Recv_init(&b, 1, MPI_INT, peer, 900 + thread, MPI_COMM_WORLD, &persistent[0]);
	MPI_Send_init(&a, 1, MPI_INT, peer, 900 + thread, MPI_COMM_WORLD, &persistent[1]);
	for (int round = 0; round < ROUNDS; round++) {
		window(thread, round, MPI_COMM_WORLD);
		MPI_Startall(2, persistent);
		MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
		if (round % 10 == 0) {
			MPI_Comm_dup(MPI_COMM_SELF, &mine);
			MPI_Barrier(mine);
			MPI_Comm_free(&mine);
		}
	}
	MPI_Request_free(&persistent[0]);
	MPI_Request_free(&persistent[1]);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS], provided;
	uint64_t messages = (uint64_t)THREADS * ROUNDS * WINDOW;
	uint64_t bytes = (uint64_t)THREADS * ROUNDS * (WINDOW * (WINDOW + 1) / 2 + 4);

	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	peer = 1 - me;
	if (provided < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 77;
	}
	standin_reset();
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);

	messages += (uint64_t)THREADS * ROUNDS;	/* persistent */
	CHECK_EQUAL(standin_count(STANDIN_SEND_BEGIN), messages);
	CHECK_EQUAL(standin_count(STANDIN_SEND_COMPLETE), messages);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_BEGIN), messages);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_COMPLETE), messages);
	CHECK_EQUAL(standin_sent(), bytes);
	CHECK_EQUAL(standin_received(), bytes);
	CHECK_EQUAL(standin_open_requests(), 0);
	MPI_Finalize();
	return standin_verdict("threads", me);
}
