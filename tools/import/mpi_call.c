#include "tools/import/mpi_call.h"

#include <string.h>

static const struct {
	const char *name;
	OTF2_CollectiveOp operation;
} operations[] = {
	{ "MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER }, { "MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST },
	{ "MPI_Gather", OTF2_COLLECTIVE_OP_GATHER }, { "MPI_Gatherv", OTF2_COLLECTIVE_OP_GATHERV },
	{ "MPI_Scatter", OTF2_COLLECTIVE_OP_SCATTER }, { "MPI_Scatterv", OTF2_COLLECTIVE_OP_SCATTERV },
	{ "MPI_Allgather", OTF2_COLLECTIVE_OP_ALLGATHER }, { "MPI_Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV },
	{ "MPI_Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL }, { "MPI_Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV },
	{ "MPI_Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW }, { "MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE },
	{ "MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE }, { "MPI_Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER },
	{ "MPI_Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK },
	{ "MPI_Scan", OTF2_COLLECTIVE_OP_SCAN }, { "MPI_Exscan", OTF2_COLLECTIVE_OP_EXSCAN },
};

OTF2_RegionRole fathom_mpi_call_role(const char *word)
{
	static const struct {
		const char *word;
		OTF2_RegionRole role;
	} roles[] = {
		{ "barrier", OTF2_REGION_ROLE_BARRIER }, { "implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER },
		{ "point2point", OTF2_REGION_ROLE_POINT2POINT }, { "one2all", OTF2_REGION_ROLE_COLL_ONE2ALL },
		{ "all2one", OTF2_REGION_ROLE_COLL_ALL2ONE }, { "all2all", OTF2_REGION_ROLE_COLL_ALL2ALL },
		{ "other collective", OTF2_REGION_ROLE_COLL_OTHER }, { "rma", OTF2_REGION_ROLE_RMA },
		{ "atomic", OTF2_REGION_ROLE_RMA },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strcmp(word, roles[i].word) == 0)
			return roles[i].role;
	return OTF2_REGION_ROLE_FUNCTION;
}

bool fathom_mpi_call_operation(const char *name, OTF2_CollectiveOp *operation)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		if (strcmp(name, operations[i].name) == 0) {
			*operation = operations[i].operation;
			return true;
		}
	}
	return false;
}
