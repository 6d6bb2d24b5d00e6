/*
 * Messages and collectives of all kinds, all well. With an argument: "free" frees the request of a send that goes on,
 * "open" never completes one.
 */
#include <mpi.h>
#include <string.h>

static int me, all, next, before;
static char out[4096], in[4096];
static MPI_Status status;
static MPI_Comm world;

static void plain(void)
{
	MPI_Request request[2];
	MPI_Irecv(in, 100, MPI_CHAR, before, 1, world, &request[0]);
	MPI_Send(out, 100, MPI_CHAR, next, 1, world);
	MPI_Wait(&request[0], &status);
	MPI_Sendrecv(out, 10, MPI_CHAR, next, 2, in, 20, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
	MPI_Sendrecv_replace(out, 10, MPI_CHAR, next, 3, before, 3, world, &status);
	MPI_Sendrecv(out, 10, MPI_CHAR, MPI_PROC_NULL, 2, in, 20, MPI_CHAR, MPI_PROC_NULL, 2, world, &status);
	MPI_Send(out, 1, MPI_CHAR, MPI_PROC_NULL, 2, world);
	MPI_Isend(out, 1, MPI_CHAR, MPI_PROC_NULL, 2, world, &request[0]);
	MPI_Irecv(in, 1, MPI_CHAR, MPI_PROC_NULL, 2, world, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Isendrecv(out, 30, MPI_CHAR, next, 4, in, 30, MPI_CHAR, before, 4, world, request);
	MPI_Wait(request, MPI_STATUS_IGNORE);
}
/* Same sender, tag and communicator, completed in an order of their own. */

static void order(void)
{
	MPI_Request send[4], receive[4], turned[4];
	int flag = 0, some, indices[4], left = 4;
	for (int i = 0; i < 4; i++)
		MPI_Irecv(in + 100 * i, 100, MPI_CHAR, before, 5, world, &receive[i]);
	for (int i = 0; i < 4; i++)
		MPI_Isend(out, 10 * (i + 1), MPI_CHAR, next, 5, world, &send[i]);
	for (int i = 0; i < 4; i++)
		turned[i] = receive[3 - i];
	MPI_Waitall(4, turned, MPI_STATUSES_IGNORE);
	MPI_Waitall(4, send, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 4; i++)
		MPI_Irecv(in + 100 * i, 100, MPI_CHAR, before, 6, world, &turned[3 - i]);
	for (int i = 0; i < 4; i++)
		MPI_Issend(out, 10 * (i + 1), MPI_CHAR, next, 6, world, &send[i]);
	while (left) {
		MPI_Waitsome(4, turned, &some, indices, MPI_STATUSES_IGNORE);
		left -= some;
	}
	while (MPI_Testall(4, send, &flag, MPI_STATUSES_IGNORE), !flag)
		continue;
	MPI_Isend(out, 1, MPI_CHAR, next, 6, world, send);
	MPI_Irecv(in, 1, MPI_CHAR, before, 6, world, send + 1);
	MPI_Waitany(2, send, &some, MPI_STATUS_IGNORE);
	MPI_Waitany(2, send, &some, MPI_STATUS_IGNORE);
}

static void persistent(void)
{
	MPI_Request request[4];
	MPI_Recv_init(in, 100, MPI_CHAR, before, 7, world, &request[0]);
	MPI_Send_init(out, 50, MPI_CHAR, next, 7, world, &request[1]);
	MPI_Recv_init(in + 100, 100, MPI_CHAR, before, 8, world, &request[2]);
	MPI_Ssend_init(out, 60, MPI_CHAR, next, 8, world, &request[3]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(4, request);
		MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	}
	for (int i = 0; i < 4; i++)
		MPI_Request_free(&request[i]);
}

static void probed(void)
{
	MPI_Message message;
	MPI_Request request;
	int flag = 0;
	MPI_Isend(out, 40, MPI_CHAR, next, 9, world, &request);
	MPI_Probe(before, 9, world, &status);
	MPI_Mprobe(before, 9, world, &message, &status);
	MPI_Mrecv(in, 100, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Isend(out, 41, MPI_CHAR, next, 9, world, &request);
	MPI_Request other;
	while (MPI_Improbe(MPI_ANY_SOURCE, 9, world, &flag, &message, &status), !flag)
		continue;
	MPI_Imrecv(in, 100, MPI_CHAR, &message, &other);
	MPI_Wait(&other, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Messages are matched in one order and received in another. */
static void probed_and_turned(void)
{
	MPI_Message message[4];
	MPI_Request request[4], receive[2];
	int flag;
	for (int i = 0; i < 4; i++)
		MPI_Isend(out, 60 + i, MPI_CHAR, next, 11, world, &request[i]);
	for (int i = 0; i < 3; i++)
		MPI_Mprobe(before, 11, world, &message[i], &status);
	while (MPI_Improbe(before, 11, world, &flag, &message[3], &status), !flag)
		continue;
	MPI_Mrecv(in, 100, MPI_CHAR, &message[1], MPI_STATUS_IGNORE);
	MPI_Imrecv(in, 100, MPI_CHAR, &message[3], &receive[0]);
	MPI_Imrecv(in + 100, 100, MPI_CHAR, &message[2], &receive[1]);
	MPI_Wait(&receive[0], MPI_STATUS_IGNORE);
	MPI_Wait(&receive[1], MPI_STATUS_IGNORE);
	MPI_Mrecv(in, 100, MPI_CHAR, &message[0], MPI_STATUS_IGNORE);
	MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

static void cancelled(void)
{
	MPI_Request request;
	MPI_Irecv(in, 100, MPI_CHAR, before, 4711, world, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
}

static void partitioned(void)
{
	MPI_Request request[2];
	int flag = 0;
	MPI_Psend_init(out, 4, 25, MPI_CHAR, next, 10, world, MPI_INFO_NULL, &request[0]);
	MPI_Precv_init(in, 4, 25, MPI_CHAR, before, 10, world, MPI_INFO_NULL, &request[1]);
	for (int round = 0; round < 2; round++) {
		MPI_Startall(2, request);
		for (int i = 0; i < 4; i++)
			MPI_Pready(i, request[0]);
		while (!flag)
			MPI_Parrived(request[1], 0, &flag);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
}

static void collectives(void)
{
	MPI_Request request[3];
	int sum = 0, four[4] = { 1, 2, 3, 4 };
	MPI_Comm grid;
	int dims[1] = { all }, periods[1] = { 1 };
	MPI_Ibarrier(world, &request[0]);
	MPI_Ibcast(four, 4, MPI_INT, all - 1, world, &request[1]);
	MPI_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, world, &request[2]);
	if (me % 2)
		MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
	else
		for (int i = 2; i >= 0; i--)
			MPI_Wait(&request[i], MPI_STATUS_IGNORE);
	MPI_Allreduce_init(&me, &sum, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request[0]);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request[0]);
		MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request[0]);
	MPI_Cart_create(world, 1, dims, periods, 0, &grid);
	MPI_Neighbor_allgather(&me, 1, MPI_INT, four, 1, MPI_INT, grid);
	MPI_Ineighbor_alltoall(four, 1, MPI_INT, in, 1, MPI_INT, grid, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Comm_free(&grid);
}

/* Persistent collectives are matched where they are initialised: each process starts them in an order of its own. */
static void turned_collectives(void)
{
	MPI_Request request[6];
	MPI_Comm half, other;
	int sum = 0, one = 1, leader = me == 0 ? 1 : 0;
	MPI_Comm_split(world, me == 0, me, &half);
	MPI_Intercomm_create(half, 0, world, leader, 12, &other);
	MPI_Barrier_init(world, MPI_INFO_NULL, &request[0]);
	MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &request[1]);
	MPI_Bcast_init(in, 4, MPI_INT, 0, world, MPI_INFO_NULL, &request[2]);
	MPI_Barrier_init(half, MPI_INFO_NULL, &request[3]);
	MPI_Barrier_init(other, MPI_INFO_NULL, &request[4]);
	MPI_Allgather_init(&one, 1, MPI_INT, in + 100, 1, MPI_INT, other, MPI_INFO_NULL, &request[5]);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 6; k++)
			MPI_Start(&request[(k + 2 * me) % 6]);
		MPI_Waitall(6, request, MPI_STATUSES_IGNORE);
	}
	for (int k = 0; k < 6; k++)
		MPI_Request_free(&request[k]);
	MPI_Comm_free(&other);
	MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
	MPI_Request lost;
	const char *what = argc > 1 ? argv[1] : "";
	MPI_Init(&argc, &argv);
	world = MPI_COMM_WORLD;
	MPI_Comm_rank(world, &me);
	MPI_Comm_size(world, &all);
	next = (me + 1) % all;
	before = (me + all - 1) % all;
	if (!*what) {
		plain();
		order();
		persistent();
		probed();
		probed_and_turned();
		cancelled();
		partitioned();
		collectives();
		turned_collectives();
	}
	if (!strcmp(what, "free")) {
		MPI_Isend(out, 10, MPI_CHAR, next, 1, world, &lost);
		MPI_Request_free(&lost);
		MPI_Recv(in, 10, MPI_CHAR, before, 1, world, &status);
	}
	if (!strcmp(what, "open"))
		MPI_Irecv(in, 10, MPI_CHAR, before, 1, world, &lost);
	MPI_Barrier(world);
	MPI_Finalize();
	return 0;
}
