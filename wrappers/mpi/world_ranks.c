#include "mpi/world_ranks.h"

bool fathom_mpi_has_world(void)
{
	int initialized = 0;

	PMPI_Initialized(&initialized);
	return initialized;
}

bool fathom_mpi_translate(MPI_Group group, int count, const int *own, int *ranks)
{
	MPI_Group world;
	bool known = true;
#if MPI_VERSION >= 4
	MPI_Session session = MPI_SESSION_NULL;
#endif

	if (fathom_mpi_has_world()) {
		PMPI_Comm_group(MPI_COMM_WORLD, &world);
	} else {
#if MPI_VERSION >= 4
		/* The program has a session, but the wrappers do not know which of its sessions are still open. */
		if (PMPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS)
			return false;
		known = PMPI_Group_from_session_pset(session, "mpi://WORLD", &world) == MPI_SUCCESS;
#else
		return false;
#endif
	}
	if (known) {
		known = PMPI_Group_translate_ranks(group, count, own, world, ranks) == MPI_SUCCESS;
		PMPI_Group_free(&world);
	}
#if MPI_VERSION >= 4
	if (session != MPI_SESSION_NULL)
		PMPI_Session_finalize(&session);
#endif
	return known;
}
