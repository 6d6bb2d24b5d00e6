/*
 * Messages and requests: what each call records, in every way a request can come to its end.
 * Two processes; each sends to and hears from the other.
 */
#include "standin.h"

#include "mpi4.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With no data MPICH takes a null type; Open MPI does not. */
#ifdef OPEN_MPI
#define NO_TYPE MPI_INT
#else
#define NO_TYPE MPI_DATATYPE_NULL
#endif

static int me, peer;
static char out[1 << 16], in[1 << 16];
static const MPI_Comm world = MPI_COMM_WORLD;

static void last_is(enum standin_kind kind, int who, int tag, uint64_t bytes, uint64_t bytes_in)
{
	const struct standin_event *event = standin_last(kind);

	CHECK_EQUAL(event->peer, who);
	CHECK_EQUAL(event->tag, tag);
	CHECK_EQUAL(event->bytes, bytes);
	CHECK_EQUAL(event->bytes_in, bytes_in);
	CHECK_EQUAL(event->size, 2);
}

static void counts_are(uint64_t sends, uint64_t receives, uint64_t begun, uint64_t completed, uint64_t receives_begun,
		       uint64_t receives_completed)
{
	CHECK_EQUAL(standin_count(STANDIN_SEND), sends);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE), receives);
	CHECK_EQUAL(standin_count(STANDIN_SEND_BEGIN), begun);
	CHECK_EQUAL(standin_count(STANDIN_SEND_COMPLETE), completed);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_BEGIN), receives_begun);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_COMPLETE), receives_completed);
	standin_reset();
}

/* Three of each type, whatever stands for it, take three times what MPI says. */
static void types(void)
{
	const MPI_Datatype all[] = {
		MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE, MPI_WCHAR, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT,
		MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_FLOAT, MPI_DOUBLE,
		MPI_LONG_DOUBLE, MPI_PACKED, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T,
		MPI_UINT32_T, MPI_UINT64_T, MPI_C_BOOL, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,
		MPI_C_LONG_DOUBLE_COMPLEX, MPI_AINT, MPI_OFFSET, MPI_COUNT, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT,
		MPI_SHORT_INT, MPI_2INT, MPI_LONG_DOUBLE_INT,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		MPI_Request request;
		int size = 0;

		MPI_Type_size(all[i], &size);
		MPI_Irecv(in, 3, all[i], peer, 9, world, &request);
		MPI_Send(out, 3, all[i], peer, 9, world);
		last_is(STANDIN_SEND, peer, 9, 3 * (uint64_t)size, 0);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		last_is(STANDIN_RECEIVE_COMPLETE, peer, 9, 0, 3 * (uint64_t)size);
	}
}

static void blocking(void)
{
	MPI_Status status;
	MPI_Datatype strided;

	standin_reset();
	if (me == 0) {
		MPI_Send(out, 10, MPI_INT, peer, 1, world);
		last_is(STANDIN_SEND, peer, 1, 40, 0);
		MPI_Ssend(out, 11, MPI_DOUBLE, peer, 2, world);
		last_is(STANDIN_SEND, peer, 2, 88, 0);
		MPI_Send_c(out, 12, MPI_CHAR, peer, 3, world);
		last_is(STANDIN_SEND, peer, 3, 12, 0);
		MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
		last_is(STANDIN_RECEIVE, peer, 4, 0, 12);
		counts_are(3, 1, 0, 0, 0, 0);
	} else {
		MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
		last_is(STANDIN_RECEIVE, peer, 1, 0, 40);
		MPI_Recv(in, 100, MPI_DOUBLE, peer, 2, world, &status);
		last_is(STANDIN_RECEIVE, peer, 2, 0, 88);
		CHECK_EQUAL(status.MPI_SOURCE, peer);
		MPI_Recv_c(in, 100, MPI_CHAR, peer, 3, world, MPI_STATUS_IGNORE);
		last_is(STANDIN_RECEIVE, peer, 3, 0, 12);
		MPI_Send(out, 3, MPI_INT, peer, 4, world);
		counts_are(1, 3, 0, 0, 0, 0);
	}
	/* Received into another type than sent with: 6 doubles, every second one. */
	MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &strided);
	MPI_Type_commit(&strided);
	MPI_Sendrecv(out, 2, strided, peer, 7, in, 6, MPI_DOUBLE, peer, 7, world, MPI_STATUS_IGNORE);
	last_is(STANDIN_SEND, peer, 7, 48, 0);
	last_is(STANDIN_RECEIVE, peer, 7, 0, 48);
	MPI_Type_free(&strided);
	MPI_Sendrecv_replace(in, 9, MPI_CHAR, peer, 8, peer, 8, world, &status);
	last_is(STANDIN_RECEIVE, peer, 8, 0, 9);
	counts_are(2, 2, 0, 0, 0, 0);

	/* Of nothing MPI lets pass any type: it must not be looked at. */
	if (me == 0) {
		MPI_Send(NULL, 0, NO_TYPE, peer, 1, world);
		last_is(STANDIN_SEND, peer, 1, 0, 0);
	} else {
		MPI_Recv(NULL, 0, NO_TYPE, peer, 1, world, MPI_STATUS_IGNORE);
		last_is(STANDIN_RECEIVE, peer, 1, 0, 0);
	}
	standin_reset();

	/* Nobody: no message, whatever the status says. */
	MPI_Send(out, 1, MPI_INT, MPI_PROC_NULL, 0, world);
	MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 0, world, MPI_STATUS_IGNORE);
	MPI_Sendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 7, in, 6, MPI_INT, MPI_PROC_NULL, 7, world, MPI_STATUS_IGNORE);
	counts_are(0, 0, 0, 0, 0, 0);
}

/* More requests than the few that need no buffer; with all calls that complete several. */
#define MANY 20

static void begin_many(MPI_Request requests[MANY], int base)
{
	for (int i = 0; i < MANY / 2; i++) {
		MPI_Irecv(in + 512 * i, 512, MPI_CHAR, peer, base + i, world, &requests[2 * i]);
		MPI_Isend(out, 10 + i, MPI_CHAR, peer, base + i, world, &requests[2 * i + 1]);
	}
	CHECK_EQUAL(standin_count(STANDIN_SEND_BEGIN), MANY / 2);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_BEGIN), MANY / 2);
}

/* All came to their end, and 10 + 11 + ... + 19 bytes went each way. */
static void many_are_complete(void)
{
	CHECK_EQUAL(standin_sent(), 145);
	CHECK_EQUAL(standin_received(), 145);
	CHECK_EQUAL(standin_open_requests(), 0);
	counts_are(0, 0, MANY / 2, MANY / 2, MANY / 2, MANY / 2);
}

static void completions(void)
{
	MPI_Request requests[MANY];
	MPI_Status statuses[MANY];
	int indices[MANY], index, some, flag, left;

	standin_reset();
	begin_many(requests, 100);
	MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
	many_are_complete();

	begin_many(requests, 100);
	MPI_Waitall(MANY, requests, statuses);
	for (int i = 0; i < MANY; i += 2)
		CHECK_EQUAL(statuses[i].MPI_TAG, 100 + i / 2);
	many_are_complete();

	begin_many(requests, 200);
	for (int i = 0; i < MANY; i++)
		MPI_Wait(&requests[i], i % 3 ? MPI_STATUS_IGNORE : &statuses[i]);
	many_are_complete();

	begin_many(requests, 300);
	do {
		MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE);
	} while (index != MPI_UNDEFINED);
	many_are_complete();

	begin_many(requests, 400);
	do {
		MPI_Waitsome(MANY, requests, &some, indices, MPI_STATUSES_IGNORE);
	} while (some != MPI_UNDEFINED);
	many_are_complete();

	begin_many(requests, 500);
	for (left = MANY; left;) {
		MPI_Testany(MANY, requests, &index, &flag, &statuses[0]);
		left -= flag && index != MPI_UNDEFINED;
	}
	many_are_complete();

	begin_many(requests, 600);
	for (left = MANY; left; left -= some)
		MPI_Testsome(MANY, requests, &some, indices, statuses);
	many_are_complete();

	begin_many(requests, 700);
	do {
		MPI_Testall(MANY, requests, &flag, MPI_STATUSES_IGNORE);
	} while (!flag);
	many_are_complete();

	begin_many(requests, 800);
	for (int i = 0; i < MANY; i++) {
		do {
			MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
			MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
		} while (!flag);
	}
	many_are_complete();
}

/* Null requests, nobody as peer, Isendrecv. */
static void odd_requests(void)
{
	MPI_Request requests[4] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL };
	MPI_Status status;
	int index, flag;

	standin_reset();
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
	MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
	MPI_Testany(4, requests, &index, &flag, MPI_STATUS_IGNORE);
	MPI_Wait(requests, MPI_STATUS_IGNORE);
	MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, 0, world, &requests[0]);
	MPI_Isend(out, 1, MPI_INT, MPI_PROC_NULL, 0, world, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	counts_are(0, 0, 0, 0, 0, 0);

#if HAVE_MPI4
	MPI_Isendrecv(out, 5, MPI_INT, peer, 3, in, 5, MPI_INT, peer, 3, world, &requests[0]);
	MPI_Wait(&requests[0], &status);
	CHECK_EQUAL(standin_sent(), 20);
	CHECK_EQUAL(standin_received(), 20);
	last_is(STANDIN_RECEIVE_COMPLETE, peer, 3, 0, 20);
	counts_are(0, 0, 1, 1, 1, 1);
	MPI_Isendrecv_replace(in, 6, MPI_INT, peer, 4, peer, 4, world, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	counts_are(0, 0, 1, 1, 1, 1);
	/* Not with MPI_PROC_NULL: MPICH 4.0 crashes then. */
#endif

	/* A send that nobody waits for. */
	if (me == 0) {
		MPI_Isend(out, 3, MPI_INT, peer, 5, world, &requests[0]);
		MPI_Request_free(&requests[0]);
		counts_are(0, 0, 1, 1, 0, 0);
	} else {
		MPI_Recv(in, 3, MPI_INT, peer, 5, world, MPI_STATUS_IGNORE);
	}
	standin_reset();
	CHECK_EQUAL(standin_open_requests(), 0);
}

static void persistent(void)
{
	MPI_Request requests[2];
	int flag;

	standin_reset();
	MPI_Recv_init(in, 100, MPI_INT, MPI_ANY_SOURCE, 9, world, &requests[0]);
	MPI_Send_init(out, 7, MPI_INT, peer, 9, world, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);	/* not started */
	MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
	counts_are(0, 0, 0, 0, 0, 0);
	for (int i = 0; i < 3; i++) {
		if (i)
			MPI_Startall(2, requests);
		else
			MPI_Start(&requests[0]), MPI_Start(&requests[1]);
		last_is(STANDIN_SEND_BEGIN, peer, 9, 28, 0);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		last_is(STANDIN_RECEIVE_COMPLETE, peer, 9, 0, 28);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);	/* inactive again */
		counts_are(0, 0, 1, 1, 1, 1);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	MPI_Bsend_init(out, 7, MPI_INT, MPI_PROC_NULL, 9, world, &requests[0]);
	MPI_Start(&requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Request_free(&requests[0]);
	counts_are(0, 0, 0, 0, 0, 0);
	CHECK_EQUAL(standin_open_requests(), 0);
}

#if HAVE_MPI4
static void partitioned(void)
{
	MPI_Request request;

	standin_reset();
	if (me == 0) {
		MPI_Psend_init(out, 4, 25, MPI_DOUBLE, peer, 6, world, MPI_INFO_NULL, &request);
		for (int time = 0; time < 2; time++) {
			MPI_Start(&request);
			MPI_Pready_range(0, 2, request);
			MPI_Pready(3, request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			last_is(STANDIN_SEND_BEGIN, peer, 6, 800, 0);
			counts_are(0, 0, 1, 1, 0, 0);
		}
	} else {
		MPI_Precv_init(in, 4, 25, MPI_DOUBLE, peer, 6, world, MPI_INFO_NULL, &request);
		for (int time = 0; time < 2; time++) {
			MPI_Start(&request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			last_is(STANDIN_RECEIVE_COMPLETE, peer, 6, 0, 800);
			counts_are(0, 0, 0, 0, 1, 1);
		}
	}
	MPI_Request_free(&request);
	CHECK_EQUAL(standin_open_requests(), 0);
}
#endif

static void matched(void)
{
	MPI_Message message;
	MPI_Status status;
	MPI_Request request;
	MPI_Comm copy;
	int flag = 0;

	MPI_Comm_dup(world, &copy);
	standin_reset();
	if (me == 0) {
		for (int i = 0; i < 3; i++)
			MPI_Send(out, 10 + i, MPI_CHAR, peer, i, copy);
		counts_are(3, 0, 0, 0, 0, 0);
	} else {
		uint32_t comm;

		MPI_Probe(peer, 0, copy, &status);
		MPI_Mprobe(MPI_ANY_SOURCE, 0, copy, &message, &status);
		MPI_Mrecv(in, 100, MPI_CHAR, &message, MPI_STATUS_IGNORE);
		last_is(STANDIN_RECEIVE_COMPLETE, peer, 0, 0, 10);
		comm = standin_last(STANDIN_RECEIVE_COMPLETE)->comm;
		while (!flag)
			MPI_Improbe(peer, MPI_ANY_TAG, copy, &flag, &message, MPI_STATUS_IGNORE);
		MPI_Imrecv(in, 100, MPI_CHAR, &message, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		last_is(STANDIN_RECEIVE_COMPLETE, peer, 1, 0, 11);
		CHECK_EQUAL(standin_last(STANDIN_RECEIVE_COMPLETE)->comm, comm);
		MPI_Recv(in, 100, MPI_CHAR, peer, 2, copy, MPI_STATUS_IGNORE);
		CHECK_EQUAL(standin_last(STANDIN_RECEIVE)->comm, comm);
		counts_are(0, 1, 0, 0, 2, 2);
		CHECK_EQUAL(standin_open_requests(), 0);
	}
	MPI_Mprobe(MPI_PROC_NULL, 0, copy, &message, MPI_STATUS_IGNORE);
	MPI_Mrecv(in, 100, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	MPI_Mprobe(MPI_PROC_NULL, 0, copy, &message, MPI_STATUS_IGNORE);
	MPI_Imrecv(in, 100, MPI_CHAR, &message, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	counts_are(0, 0, 0, 0, 0, 0);
	MPI_Comm_free(&copy);
}

/* The request of a matched message begins at the probe and ends where the message is received, in any order. */
static void matched_and_turned(void)
{
	MPI_Message message[4];
	MPI_Request request;
	uint64_t number[4];

	standin_reset();
	for (int i = 0; me == 0 && i < 4; i++)
		MPI_Send(out, 20 + i, MPI_CHAR, peer, 3, world);
	if (me == 1) {
		for (int i = 0; i < 4; i++) {
			MPI_Mprobe(peer, 3, world, &message[i], MPI_STATUS_IGNORE);
			number[i] = standin_last(STANDIN_RECEIVE_BEGIN)->request;
		}
		CHECK_EQUAL(standin_open_requests(), 4);
		for (int i = 3; i >= 0; i--) {
			if (i % 2) {
				MPI_Imrecv(in, 100, MPI_CHAR, &message[i], &request);
				MPI_Wait(&request, MPI_STATUS_IGNORE);
			} else {
				MPI_Mrecv(in, 100, MPI_CHAR, &message[i], MPI_STATUS_IGNORE);
			}
			last_is(STANDIN_RECEIVE_COMPLETE, peer, 3, 0, 20 + (uint64_t)i);
			CHECK_EQUAL(standin_last(STANDIN_RECEIVE_COMPLETE)->request, number[i]);
		}
		CHECK_EQUAL(standin_open_requests(), 0);
		counts_are(0, 0, 0, 0, 4, 4);
	}
}

static void cancelled(void)
{
	MPI_Request requests[3];
	MPI_Status status;
	int flag;

	standin_reset();
	MPI_Irecv(in, 10, MPI_INT, peer, 77, world, &requests[0]);
	MPI_Cancel(&requests[0]);
	MPI_Wait(&requests[0], &status);
	MPI_Test_cancelled(&status, &flag);
	CHECK(flag);
	CHECK_EQUAL(standin_count(STANDIN_CANCELLED), 1);
	CHECK_EQUAL(standin_received(), 0);
	counts_are(0, 0, 0, 0, 1, 0);

	/* The same with ignored statuses, among others. */
	MPI_Irecv(in, 10, MPI_INT, peer, 77, world, &requests[0]);
	MPI_Irecv(in + 512, 10, MPI_INT, peer, 78, world, &requests[1]);
	MPI_Isend(out, 5, MPI_INT, peer, 78, world, &requests[2]);
	MPI_Cancel(&requests[0]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	CHECK_EQUAL(standin_count(STANDIN_CANCELLED), 1);
	CHECK_EQUAL(standin_received(), 20);
	counts_are(0, 0, 1, 1, 2, 1);
	CHECK_EQUAL(standin_open_requests(), 0);
}

/* A communicator freed while a request on it is open: the record it points to must live on. */
static void freed_communicator(void)
{
	MPI_Comm first, second;
	MPI_Request request;
	uint32_t id;

	standin_reset();
	MPI_Comm_dup(world, &first);
	MPI_Irecv(in, 10, MPI_INT, peer, 1, first, &request);
	MPI_Send(out, 10, MPI_INT, peer, 1, first);
	id = standin_last(STANDIN_SEND)->comm;
	MPI_Comm_free(&first);
	MPI_Comm_dup(world, &second);
	MPI_Send(out, 1, MPI_INT, me, 2, second);
	CHECK(standin_last(STANDIN_SEND)->comm != id);
	MPI_Recv(in + 512, 1, MPI_INT, me, 2, second, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK_EQUAL(standin_last(STANDIN_RECEIVE_COMPLETE)->comm, id);
	MPI_Comm_free(&second);
	CHECK_EQUAL(standin_open_requests(), 0);
}

/* A handle may be given again for another communicator: what is known of it must be new, too. */
static void reused_handles(void)
{
	MPI_Comm comm;
	MPI_Request request;

	for (int i = 0; i < 4; i++) {
		MPI_Comm_split(world, i % 2 ? me : 0, 0, &comm);
		MPI_Barrier(comm);
		CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->size, i % 2 ? 1 : 2);
		MPI_Comm_free(&comm);
		MPI_Comm_idup(i % 2 ? MPI_COMM_SELF : world, &comm, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Barrier(comm);
		CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->size, i % 2 ? 1 : 2);
		/* Freed unseen by a tool's or library's PMPI call. */
		PMPI_Comm_free(&comm);
	}
}

static void grequest_query_is_quiet(void);

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(world, &me);
	peer = 1 - me;

	types();
	blocking();
	completions();
	odd_requests();
	persistent();
#if HAVE_MPI4
	partitioned();
#endif
	matched();
	matched_and_turned();
	cancelled();
	freed_communicator();
	reused_handles();
	grequest_query_is_quiet();
	MPI_Finalize();
	CHECK_EQUAL(standin_depth(), 0);
	return standin_verdict("messages", me);
}

/* What user functions that MPI calls do is not recorded, but followed. */
static MPI_Request inner;

static int query(void *state, MPI_Status *status)
{
	(void)state;
	MPI_Irecv(in, 1, MPI_INT, 0, 55, MPI_COMM_SELF, &inner);
	MPI_Status_set_elements(status, MPI_INT, 1);
	MPI_Status_set_cancelled(status, 0);
	return MPI_SUCCESS;
}

static int release(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
	(void)state;
	(void)complete;
	return MPI_SUCCESS;
}

static void add(void *a, void *b, int *count, MPI_Datatype *type)
{
	MPI_Aint lower, extent;

	MPI_Type_get_extent(*type, &lower, &extent);
	for (int i = 0; i < *count; i++)
		((int *)b)[i] += ((int *)a)[i];
}

static void grequest_query_is_quiet(void)
{
	MPI_Request request;
	MPI_Op op;
	int one = 1, sum;

	MPI_Grequest_start(query, release, cancel, NULL, &request);
	MPI_Grequest_complete(request);
	standin_reset();
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK_EQUAL(standin_visits("MPI_Irecv"), 0);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_BEGIN), 0);
	/* The same user function by another way in: MPI asks again. */
	MPI_Cancel(&inner);
	MPI_Wait(&inner, MPI_STATUS_IGNORE);
	CHECK_EQUAL(standin_count(STANDIN_CANCELLED), 0);

	MPI_Op_create(add, 1, &op);
	standin_reset();
	MPI_Allreduce(&one, &sum, 1, MPI_INT, op, world);
	CHECK_EQUAL(sum, 2);
	CHECK_EQUAL(standin_visits("MPI_Type_get_extent"), 0);
	CHECK_EQUAL(standin_count(STANDIN_ENTER), 1);
	MPI_Op_free(&op);
}
