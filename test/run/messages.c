/*
 * messages: exchanges messages whose partners and sizes are known, for test/run/messages.sh.
 * usage: messages ring|all-to-one|halo|inter|calls|many|late|killed
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char out[1 << 16], in[1 << 16];
static int rank, size;

/* Each rank sends r + 1 messages of 100 bytes to the next one. */
static void ring(void)
{
	int next = (rank + 1) % size, last = (rank + size - 1) % size;

	for (int i = 0; i <= rank; i++)
		MPI_Send(out, 100, MPI_CHAR, next, 0, MPI_COMM_WORLD);
	for (int i = 0; i <= last; i++)
		MPI_Recv(in, sizeof(in), MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank r sends three messages of r * 10 ints to rank 0, which receives them from any rank, below reversed ranks. */
static void all_to_one(void)
{
	MPI_Comm reversed;

	MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
	if (rank)
		for (int i = 0; i < 3; i++)
			MPI_Send(out, rank * 10, MPI_INT, size - 1, i, reversed);
	for (int i = 0; !rank && i < 3 * (size - 1); i++)
		MPI_Recv(in, sizeof(in) / sizeof(int), MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, reversed,
			 MPI_STATUS_IGNORE);
	MPI_Comm_free(&reversed);
}

/* A grid of size / 2 x 2 without periods: MPI_PROC_NULL at its borders. Ten exchanges of 1000 bytes in the first
 * dimension, of 500 in the second. */
static void halo(void)
{
	int dims[2] = { size / 2, 2 }, periods[2] = { 0, 0 }, less, more;
	MPI_Comm grid;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
	for (int step = 0; step < 10; step++) {
		for (int d = 0; d < 2; d++) {
			MPI_Request requests[4];
			MPI_Status statuses[4];
			int bytes = d ? 500 : 1000;

			MPI_Cart_shift(grid, d, 1, &less, &more);
			MPI_Irecv(in, bytes, MPI_CHAR, less, 1, grid, &requests[0]);
			MPI_Irecv(in + bytes, bytes, MPI_CHAR, more, 2, grid, &requests[1]);
			MPI_Isend(out, bytes, MPI_CHAR, more, 1, grid, &requests[2]);
			MPI_Isend(out, bytes, MPI_CHAR, less, 2, grid, &requests[3]);
			MPI_Waitall(4, requests, statuses);
		}
	}
	MPI_Comm_free(&grid);
}

/* Even and odd ranks are the groups of an intercommunicator: each even rank sends 7 bytes to its odd neighbour. */
static void inter(void)
{
	MPI_Comm group, both;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &group);
	MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, !(rank % 2), 9, &both);
	if (rank % 2)
		MPI_Recv(in, 7, MPI_CHAR, rank / 2, 0, both, MPI_STATUS_IGNORE);
	else
		MPI_Send(out, 7, MPI_CHAR, rank / 2, 0, both);
	MPI_Comm_free(&both);
	MPI_Comm_free(&group);
}

/* Two ranks: persistent requests, MPI_Sendrecv, no partner, a cancelled receive, matched probes, no data, itself. */
static void calls(void)
{
	int other = !rank;
	MPI_Request requests[2], cancelled;
	MPI_Status statuses[2];
	MPI_Message message;

	MPI_Send_init(out, 10, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(in, 10, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
	for (int i = 0; i < 5; i++) {		/* 5 messages, 200 bytes */
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, statuses);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	MPI_Sendrecv(out, 50, MPI_CHAR, other, 2, in, 50, MPI_CHAR, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(out, 50, MPI_CHAR, MPI_PROC_NULL, 2, in, 50, MPI_CHAR, MPI_PROC_NULL, 2, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Send(out, 50, MPI_CHAR, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
	MPI_Recv(in, 50, MPI_CHAR, MPI_PROC_NULL, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(in, 50, MPI_CHAR, other, 3, MPI_COMM_WORLD, &cancelled);
	MPI_Cancel(&cancelled);
	MPI_Wait(&cancelled, MPI_STATUS_IGNORE);
	if (rank == 0) {
		MPI_Send(out, 3, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
		MPI_Send(out, 0, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
	} else {
		MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		MPI_Mrecv(in, 3, MPI_CHAR, &message, MPI_STATUS_IGNORE);
		MPI_Recv(in, 0, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Sendrecv(out, 9, MPI_CHAR, 0, 0, in, 9, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Every rank sends k + 1 messages of 10 bytes to the rank k behind it, first one message to each. */
static void many(void)
{
	for (int i = 0; i < size; i++) {
		for (int k = 1; k < size; k++) {
			MPI_Request request;

			if (i > k)
				continue;
			MPI_Isend(out, 10, MPI_CHAR, (rank + k) % size, 0, MPI_COMM_WORLD, &request);
			MPI_Recv(in, 10, MPI_CHAR, (rank + size - k) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
	}
}

/* Rank 1 is late by a fifth of a second: the others wait for its message. */
static void late(void)
{
	struct timespec time = { 0, 200000000 };

	if (rank == 1)
		nanosleep(&time, NULL);
	if (rank == 1)
		MPI_Send(out, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Recv(in, 8, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Messages as in a ring, then a file with the process number; then the processes wait to be killed. */
static void killed(void)
{
	char name[32];
	FILE *file;

	ring();
	MPI_Barrier(MPI_COMM_WORLD);
	snprintf(name, sizeof(name), "ready.%d", rank);
	file = fopen(name, "w");
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	for (;;)
		usleep(10000);
}

int main(int argc, char **argv)
{
	const struct { const char *name; void (*run)(void); } parts[] = {
		{ "ring", ring }, { "all-to-one", all_to_one }, { "halo", halo }, { "inter", inter },
		{ "calls", calls }, { "many", many }, { "late", late }, { "killed", killed },
	};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(*parts); i++)
		if (!strcmp(argv[1], parts[i].name))
			parts[i].run();
	MPI_Finalize();
	return 0;
}
