/*
 * analysis_hosts: a module that `fathom analyze` loads if it runs under mpirun: it makes the processes of the analysis
 * a communicator.
 */
#include "mpi/analysis_hosts.h"

#include "mpi/comm.h"

static MPI_Comm hosts = MPI_COMM_NULL;

struct fathom_comm *fathom_analysis_hosts_open(void)
{
	if (PMPI_Init(NULL, NULL) != MPI_SUCCESS || PMPI_Comm_dup(MPI_COMM_WORLD, &hosts) != MPI_SUCCESS)
		return NULL;
	return fathom_mpi_comm_open(hosts);
}

void fathom_analysis_hosts_close(struct fathom_comm *comm)
{
	comm->close(comm);
	PMPI_Comm_free(&hosts);
	PMPI_Finalize();
}

void fathom_analysis_hosts_abort(int code)
{
	PMPI_Abort(MPI_COMM_WORLD, code);
}
