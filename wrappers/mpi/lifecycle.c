/*
 * lifecycle: the wrappers of the calls that begin and end MPI, written by hand.
 *
 * Only MPI_Init and MPI_Finalize are collective over all processes: only there the measurement of one process may
 * communicate with those of the others. A program that only uses sessions never calls them: each of its processes then
 * writes a result of its own.
 */
#include "mpi/lifecycle.h"

#include "run/runtime.h"
#include "mpi/collective.h"
#include "mpi/comm.h"
#include "mpi/request_wait.h"
#include "mpi/comm_file.h"
#include "mpi/communicator.h"
#include "mpi/vote.h"
#include "platform/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A copy of MPI_COMM_WORLD for fathom, so that no message of the program can match a message of fathom. MPI_Init makes
 * it, before the program can attach attributes: a copy made later would call the program's copy functions. */
static MPI_Comm world;
static bool has_world;

/*
 * Returns a copy of MPI_COMM_WORLD, made without blocking (comm.c). MPI_COMM_NULL: this failed; then each process
 * writes a result of its own.
 */
static MPI_Comm world_create(void)
{
	MPI_Comm copy = MPI_COMM_NULL;
	MPI_Request request;

	if (PMPI_Comm_idup(MPI_COMM_WORLD, &copy, &request) != MPI_SUCCESS || fathom_mpi_comm_wait(&request, false))
		return MPI_COMM_NULL;
	PMPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
	return copy;
}

/* Tells the user, in the launcher's first process, if the launcher belongs to another MPI than the program: then each
 * process is alone in its MPI_COMM_WORLD. */
static void check_launcher(void)
{
#ifdef OPEN_MPI
	const char *size = getenv("PMI_SIZE"), *rank = getenv("PMI_RANK"), *other = "MPICH", *own = "Open MPI";
#else
	const char *size = getenv("OMPI_COMM_WORLD_SIZE"), *rank = getenv("OMPI_COMM_WORLD_RANK");
	const char *other = "Open MPI", *own = "MPICH";
#endif
	int here;

	if (!size || strtol(size, NULL, 10) < 2 || !rank || strcmp(rank, "0") ||
	    PMPI_Comm_size(MPI_COMM_WORLD, &here) != MPI_SUCCESS || here != 1)
		return;
	fathom_log(FATHOM_LOG_SAY, "the launcher of %s has started %s processes of a program that uses %s: each "
		   "process runs alone and has an experiment of its own", other, size, own);
}

/* Joins the measurement of all processes. MPI_Init is over in all processes, and the program has not sent anything
 * yet. */
static void world_begin(struct fathom_mpi_scope scope)
{
	struct fathom_comm *comm;
	int level = MPI_THREAD_MULTIPLE;

	if (!fathom_mpi_tracking)
		return;
	PMPI_Query_thread(&level);
	fathom_mpi_concurrent = level == MPI_THREAD_MULTIPLE;
	world = world_create();
	has_world = world != MPI_COMM_NULL;
	if (!has_world)
		return;
	comm = fathom_mpi_comm_open(world);
	if (!comm)
		return;
	fathom_mpi_file_begin();
	fathom_runtime_join(comm);
	comm->close(comm);
	fathom_mpi_vote_begin(world, level);
	check_launcher();
	fathom_mpi_communicator_born(MPI_COMM_WORLD);
	fathom_mpi_communicator_born(MPI_COMM_SELF);
	if (scope.region)
		fathom_mpi_comm_agreed(MPI_COMM_WORLD);
}

/* Writes the result of all processes. This process is in MPI_Finalize, and all others are or will be. */
static void world_end(struct fathom_mpi_scope scope)
{
	struct fathom_comm *comm;

	if (!fathom_mpi_tracking || !has_world)
		return;
	fathom_mpi_comm_freed(scope, fathom_mpi_communicator_detach(MPI_COMM_SELF), MPI_SUCCESS);
	fathom_mpi_comm_freed(scope, fathom_mpi_communicator_detach(MPI_COMM_WORLD), MPI_SUCCESS);
	fathom_mpi_communicator_end_all();
	fathom_mpi_voting = false;
	comm = fathom_mpi_comm_open(world);
	if (comm) {
		fathom_runtime_unify(comm);
		comm->close(comm);
	}
	fathom_mpi_file_end();
	PMPI_Comm_free(&world);
	has_world = false;
}

int fathom_mpi_init(struct fathom_mpi_scope scope, int err)
{
	if (err == MPI_SUCCESS)
		world_begin(scope);
	fathom_mpi_exit(scope);
	return err;
}

FATHOM_API int MPI_Init(int *argc, char ***argv)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_INIT);

	return fathom_mpi_init(scope, PMPI_Init(argc, argv));
}

FATHOM_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_INIT_THREAD);

	return fathom_mpi_init(scope, PMPI_Init_thread(argc, argv, required, provided));
}

FATHOM_API int MPI_Finalize(void)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_FINALIZE);
	int err;

	world_end(scope);
	err = PMPI_Finalize();
	if (fathom_mpi_tracking)
		fathom_runtime_finalized();
	fathom_mpi_exit(scope);
	return err;
}

FATHOM_API int MPI_Abort(MPI_Comm comm, int errorcode)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_ABORT);
	int err;

	/* PMPI_Abort ends the process, so the result is saved now. */
	if (fathom_mpi_tracking)
		fathom_runtime_save("MPI_Abort was called");
	err = PMPI_Abort(comm, errorcode);
	fathom_mpi_exit(scope);
	return err;
}

/* MPI ignores arguments that may follow level. */
FATHOM_API int MPI_Pcontrol(const int level, ...)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_PCONTROL);
	int err = PMPI_Pcontrol(level);

	fathom_mpi_exit(scope);
	return err;
}

#if MPI_VERSION >= 4
/* The thread level of a session is in its info. The wrappers do not read it and always take locks from then on. */
FATHOM_API int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_SESSION_INIT);
	int err = PMPI_Session_init(info, errhandler, session);

	if (err == MPI_SUCCESS)
		fathom_mpi_concurrent = true;
	fathom_mpi_exit(scope);
	return err;
}
#endif
