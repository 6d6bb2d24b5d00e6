/*
 * fortran: wrappers of those entry points of mpi_f08 that must convert arguments or results.
 *
 * In Fortran, indices count from 1, and MPI_STATUS_IGNORE is an object of its own. So these wrappers convert the
 * arguments of calls that complete requests, and call the C wrappers. In MPICH, handles are the same numbers and
 * statuses have the same layout in both languages. The library is built for no other MPI.
 */
#include "mpi/lifecycle.h"

#include "mpi/mpi_library.h"

_Static_assert(sizeof(MPI_F08_status) == sizeof(MPI_Status), "statuses are passed on as they are");
_Static_assert(sizeof(MPI_Request) == sizeof(MPI_Fint), "handles are passed on as they are");

void mpi_init_f08_(MPI_Fint *ierror);
void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror);
void mpi_finalize_f08_(MPI_Fint *ierror);
void mpi_abort_f08_(MPI_Fint *comm, MPI_Fint *errorcode, MPI_Fint *ierror);
void mpi_pcontrol_f08_(MPI_Fint *level, MPI_Fint *ierror);
void mpi_session_init_f08_(MPI_Fint *info, MPI_Fint *errhandler, MPI_Fint *session, MPI_Fint *ierror);
void mpi_wait_f08_(MPI_Fint *request, MPI_F08_status *status, MPI_Fint *ierror);
void mpi_waitall_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_F08_status *statuses, MPI_Fint *ierror);
void mpi_waitany_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_F08_status *status, MPI_Fint *ierror);
void mpi_waitsome_f08_(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
		       MPI_F08_status *statuses, MPI_Fint *ierror);
void mpi_test_f08_(MPI_Fint *request, MPI_Fint *flag, MPI_F08_status *status, MPI_Fint *ierror);
void mpi_testall_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *flag, MPI_F08_status *statuses, MPI_Fint *ierror);
void mpi_testany_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag, MPI_F08_status *status,
		      MPI_Fint *ierror);
void mpi_testsome_f08_(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
		       MPI_F08_status *statuses, MPI_Fint *ierror);

#ifdef FATHOM_MPI_PRELOAD
#define pmpir_init_f08_ (*(__typeof__(&mpi_init_f08_))fathom_mpi_real.pmpir_init_f08_)
#define pmpir_init_thread_f08_ (*(__typeof__(&mpi_init_thread_f08_))fathom_mpi_real.pmpir_init_thread_f08_)
#define ignored_status (*fathom_mpi_real_ignored_status)
#define ignored_statuses (*fathom_mpi_real_ignored_statuses)
#else
void pmpir_init_f08_(MPI_Fint *ierror);
void pmpir_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror);
#define ignored_status MPI_F08_STATUS_IGNORE
#define ignored_statuses MPI_F08_STATUSES_IGNORE
#endif

/* Stores an error code for the program, which may have left out the argument ierror. */
static void give(MPI_Fint *ierror, int err)
{
	if (ierror)
		*ierror = err;
}

static MPI_Status *status_of(MPI_F08_status *status)
{
	return status == ignored_status ? MPI_STATUS_IGNORE : (MPI_Status *)status;
}

static MPI_Status *statuses_of(MPI_F08_status *statuses)
{
	return statuses == ignored_statuses ? MPI_STATUSES_IGNORE : (MPI_Status *)statuses;
}

static MPI_Fint index_of(int index)
{
	return index == MPI_UNDEFINED ? MPI_UNDEFINED : index + 1;
}

static void count_from_1(MPI_Fint some, MPI_Fint indices[])
{
	for (int i = 0; i < some; i++)	/* MPI_UNDEFINED is negative */
		indices[i]++;
}

FATHOM_API void mpi_init_f08_(MPI_Fint *ierror)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_INIT);
	int err;

	pmpir_init_f08_(&err);
	give(ierror, fathom_mpi_init(scope, err));
}

FATHOM_API void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(FATHOM_MPI_CALL_INIT_THREAD);
	int err;

	pmpir_init_thread_f08_(required, provided, &err);
	give(ierror, fathom_mpi_init(scope, err));
}

FATHOM_API void mpi_finalize_f08_(MPI_Fint *ierror)
{
	give(ierror, MPI_Finalize());
}

FATHOM_API void mpi_abort_f08_(MPI_Fint *comm, MPI_Fint *errorcode, MPI_Fint *ierror)
{
	give(ierror, MPI_Abort(MPI_Comm_f2c(*comm), *errorcode));
}

FATHOM_API void mpi_pcontrol_f08_(MPI_Fint *level, MPI_Fint *ierror)
{
	give(ierror, MPI_Pcontrol(*level));
}

FATHOM_API void mpi_session_init_f08_(MPI_Fint *info, MPI_Fint *errhandler, MPI_Fint *session, MPI_Fint *ierror)
{
	give(ierror, MPI_Session_init(MPI_Info_f2c(*info), MPI_Errhandler_f2c(*errhandler), (MPI_Session *)session));
}

FATHOM_API void mpi_wait_f08_(MPI_Fint *request, MPI_F08_status *status, MPI_Fint *ierror)
{
	give(ierror, MPI_Wait((MPI_Request *)request, status_of(status)));
}

FATHOM_API void mpi_waitall_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_F08_status *statuses, MPI_Fint *ierror)
{
	give(ierror, MPI_Waitall(*count, (MPI_Request *)requests, statuses_of(statuses)));
}

FATHOM_API void mpi_waitany_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_F08_status *status,
				 MPI_Fint *ierror)
{
	int found = MPI_UNDEFINED;
	int err = MPI_Waitany(*count, (MPI_Request *)requests, &found, status_of(status));

	*index = index_of(found);
	give(ierror, err);
}

FATHOM_API void mpi_waitsome_f08_(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
				  MPI_F08_status *statuses, MPI_Fint *ierror)
{
	int err = MPI_Waitsome(*incount, (MPI_Request *)requests, outcount, indices, statuses_of(statuses));

	count_from_1(*outcount, indices);
	give(ierror, err);
}

FATHOM_API void mpi_test_f08_(MPI_Fint *request, MPI_Fint *flag, MPI_F08_status *status, MPI_Fint *ierror)
{
	int done = 0;
	int err = MPI_Test((MPI_Request *)request, &done, status_of(status));

	*flag = done != 0;
	give(ierror, err);
}

FATHOM_API void mpi_testall_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *flag, MPI_F08_status *statuses,
				 MPI_Fint *ierror)
{
	int done = 0;
	int err = MPI_Testall(*count, (MPI_Request *)requests, &done, statuses_of(statuses));

	*flag = done != 0;
	give(ierror, err);
}

FATHOM_API void mpi_testany_f08_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag,
				 MPI_F08_status *status, MPI_Fint *ierror)
{
	int found = MPI_UNDEFINED;
	int done = 0;
	int err = MPI_Testany(*count, (MPI_Request *)requests, &found, &done, status_of(status));

	*index = index_of(found);
	*flag = done != 0;
	give(ierror, err);
}

FATHOM_API void mpi_testsome_f08_(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
				  MPI_F08_status *statuses, MPI_Fint *ierror)
{
	int err = MPI_Testsome(*incount, (MPI_Request *)requests, outcount, indices, statuses_of(statuses));

	count_from_1(*outcount, indices);
	give(ierror, err);
}
