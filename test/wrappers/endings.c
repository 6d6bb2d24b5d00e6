/*
 * What goes wrong, and how MPI begins and ends. argv[1] says which part:
 *   errors    wrong arguments with error handlers that return, jump away, or do MPI calls
 *   sessions  MPI without MPI_Init
 *   abort     MPI_Abort
 *   off       a program whose groups are all off, see endings.sh
 */
#include "standin.h"

#include "mpi4.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf away;
static int handled;

static void jump(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	handled++;
	longjmp(away, 1);
}

static void look(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int length, rank;

	MPI_Error_string(*code, text, &length);
	MPI_Comm_rank(*comm, &rank);
	handled++;
}

/* An exit after the enter of every call, also those MPI refused. */
static void errors_return(void)
{
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Comm null = MPI_COMM_NULL;
	int x = 0;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	standin_reset();
	CHECK(MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
	CHECK(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
	CHECK(MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &request) != MPI_SUCCESS);
	CHECK(MPI_Bcast(&x, -1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
	CHECK(MPI_Allreduce(&x, &x, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD) != MPI_SUCCESS);
	CHECK(MPI_Comm_free(&null) != MPI_SUCCESS);
	CHECK(MPI_Waitall(-1, NULL, MPI_STATUSES_IGNORE) != MPI_SUCCESS);
	CHECK_EQUAL(standin_count(STANDIN_SEND), 0);
	CHECK_EQUAL(standin_count(STANDIN_SEND_BEGIN), 0);
	CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE), 0);
	CHECK_EQUAL(standin_count(STANDIN_ENTER), standin_count(STANDIN_EXIT));
	CHECK_EQUAL(standin_depth(), 0);
}

/* One of three receives is too short: its error is in the status, the one before is complete, the
 * one after may still be pending. */
static void error_in_status(void)
{
	MPI_Request requests[3];
	MPI_Status statuses[3];
	int out[8] = { 0 }, in[3][8], err, class;

	standin_reset();
	for (int i = 0; i < 3; i++)
		MPI_Irecv(in[i], i == 1 ? 1 : 8, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	for (int i = 0; i < 3; i++)
		MPI_Send(out, 8, MPI_INT, 0, i, MPI_COMM_SELF);
	err = MPI_Waitall(3, requests, statuses);
	MPI_Error_class(err, &class);
	CHECK_EQUAL(class, MPI_ERR_IN_STATUS);
	CHECK_EQUAL(statuses[0].MPI_ERROR, MPI_SUCCESS);
	CHECK(statuses[1].MPI_ERROR != MPI_SUCCESS);
	CHECK_EQUAL(standin_count(STANDIN_CANCELLED), 1);
	MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
	CHECK_EQUAL(standin_open_requests(), 0);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_COMPLETE), 2);
	CHECK_EQUAL(standin_received(), 64);

	/* The failed one's record is gone: its handle is given again, and found new. */
	for (int i = 0; i < 3; i++)
		MPI_Irecv(in[i], 8, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
	for (int i = 0; i < 3; i++)
		MPI_Send(out, 4, MPI_INT, 0, i, MPI_COMM_SELF);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	CHECK_EQUAL(standin_count(STANDIN_RECEIVE_COMPLETE), 5);
	CHECK_EQUAL(standin_received(), 64 + 48);
}

/* An error handler that never comes back: the next call must be recorded again. */
static void errors_jump(void)
{
	MPI_Errhandler handler;
	int x = 0;

	MPI_Comm_create_errhandler(jump, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	for (int i = 0; i < 3; i++) {
		standin_reset();
		if (!setjmp(away)) {
			MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
			CHECK(!"not reached");
		}
		MPI_Barrier(MPI_COMM_SELF);
		CHECK_EQUAL(standin_visits("MPI_Barrier"), 1);
		CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE), 1);
	}
	CHECK_EQUAL(handled, 3);
	standin_reset_depth();	/* the core would see that the enters of MPI_Send were left */
	MPI_Errhandler_free(&handler);

	MPI_Comm_create_errhandler(look, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	standin_reset();
	MPI_Send(&x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
	CHECK_EQUAL(handled, 4);
	CHECK_EQUAL(standin_visits("MPI_Error_string"), 0);
	CHECK_EQUAL(standin_visits("MPI_Comm_rank"), 0);
	CHECK_EQUAL(standin_depth(), 0);
	MPI_Errhandler_free(&handler);
}

static int errors(void)
{
	int rank, flag;

	/* Legal before MPI_Init. */
	MPI_Initialized(&flag);
	CHECK(!flag);
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	errors_return();
	error_in_status();
	errors_jump();
	MPI_Pcontrol(1);
	MPI_Finalize();
	MPI_Finalized(&flag);
	CHECK(flag);
	CHECK_EQUAL(standin_count(STANDIN_UNIFY), 1);
	return standin_verdict("errors", rank);
}

#if HAVE_MPI4
static int sessions(void)
{
	int rank = 0;

	/* Once: MPICH 4.0 does not survive a session after the end of all. */
	for (int time = 0; time < 1; time++) {
		MPI_Session session;
		MPI_Group group;
		MPI_Comm comm;
		int size;

		MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
		MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
		MPI_Comm_create_from_group(group, "fathom.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
		MPI_Group_free(&group);
		MPI_Comm_rank(comm, &rank);
		MPI_Comm_size(comm, &size);
		standin_reset();
		MPI_Sendrecv(&size, 1, MPI_INT, (rank + 1) % size, 0, &size, 1, MPI_INT, (rank + size - 1) % size, 0,
			     comm, MPI_STATUS_IGNORE);
		CHECK_EQUAL(standin_sent(), 4);
		CHECK_EQUAL(standin_received(), 4);
		MPI_Comm_free(&comm);
		MPI_Session_finalize(&session);
	}
	CHECK_EQUAL(standin_count(STANDIN_JOIN), 0);
	CHECK_EQUAL(standin_faults(), 0);
	return standin_verdict("sessions", rank);
}
#endif

/* STANDIN_GROUPS leaves requests on and messages off: what is not begun does not complete. */
static int off(void)
{
	MPI_Request requests[2];
	MPI_Comm comm;
	int in, out = 0, rank;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Irecv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Send_init(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Start(&requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Request_free(&requests[0]);
	/* Communicators are followed although their calls are off. */
	MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm);
	MPI_Barrier(comm);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->size, 1);
	MPI_Comm_free(&comm);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
	CHECK_EQUAL(standin_visits("MPI_Irecv"), 0);
	CHECK_EQUAL(standin_visits("MPI_Waitall"), 1);
	CHECK_EQUAL(standin_visits("MPI_Comm_split"), 0);
	CHECK_EQUAL(standin_visits("MPI_Barrier"), 2);
	for (int kind = STANDIN_SEND; kind <= STANDIN_CANCELLED; kind++)
		CHECK_EQUAL(standin_count((enum standin_kind)kind), 0);
	MPI_Finalize();
	return standin_verdict("off", rank);
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "errors";

#if HAVE_MPI4
	if (!strcmp(part, "sessions"))
		return sessions();
#endif
	if (!strcmp(part, "off"))
		return off();
	if (!strcmp(part, "abort")) {
		MPI_Init(&argc, &argv);
		MPI_Abort(MPI_COMM_WORLD, 7);
		return 1;
	}
	return errors();
}
