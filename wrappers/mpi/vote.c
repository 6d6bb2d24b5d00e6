#include "mpi/vote.h"

#include <string.h>

#include "mpi/comm.h"
#include "mpi/communicator.h"
#include "mpi/request_wait.h"

bool fathom_mpi_voting;

/* Written by fathom_mpi_vote_begin; only the thread that calls MPI uses the number. */
static MPI_Comm voters;
static int voter_count;
static bool is_voted_after[FATHOM_MPI_CALLS];
static uint64_t last_number;

/* Returns whether each process waits in this call for all others, whatever the arguments are. */
static bool waits_for_all(const char *name)
{
	static const char *const names[] = {
		"MPI_Barrier", "MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall", "MPI_Reduce_scatter_block",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i]);

		if (!strncmp(name, names[i], length) && (!name[length] || !strcmp(name + length, "_c")))
			return true;
	}
	return false;
}

void fathom_mpi_vote_begin(MPI_Comm world, int thread_level)
{
	int can_vote = fathom_event_votes() && thread_level <= MPI_THREAD_FUNNELED, all_can = 0;
	MPI_Request request;

	if (PMPI_Iallreduce(&can_vote, &all_can, 1, MPI_INT, MPI_MIN, world, &request) != MPI_SUCCESS ||
	    fathom_mpi_comm_wait(&request, false) || !all_can)
		return;
	if (PMPI_Comm_size(world, &voter_count) != MPI_SUCCESS)
		return;
	for (int call = 0; call < FATHOM_MPI_CALLS; call++)
		is_voted_after[call] = waits_for_all(fathom_mpi_call_facts[call].name);
	voters = world;
	fathom_mpi_voting = true;
}

/* Returns whether comm has all processes of MPI_COMM_WORLD, in one group. */
static bool has_all(MPI_Comm handle)
{
	struct fathom_mpi_communicator *comm;
	int result = MPI_UNEQUAL;

	if (handle == MPI_COMM_WORLD)
		return true;
	comm = fathom_mpi_communicator(handle);
	if (comm && !comm->world && comm->base.size != voter_count)
		comm->world = 2;
	if (comm && comm->world)
		return comm->world == 1;
	if (PMPI_Comm_compare(handle, MPI_COMM_WORLD, &result) != MPI_SUCCESS)
		result = MPI_UNEQUAL;
	if (comm)
		comm->world = result == MPI_UNEQUAL ? 2 : 1;
	return result != MPI_UNEQUAL;
}

FATHOM_COLD void fathom_mpi_vote(struct fathom_mpi_scope scope, enum fathom_mpi_call call, MPI_Comm comm, int err)
{
	uint64_t words[FATHOM_VOTE_WORDS], sums[FATHOM_VOTE_WORDS];

	if (err != MPI_SUCCESS || scope.outer || !is_voted_after[call] || !has_all(comm))
		return;
	last_number++;
	fathom_event_vote(last_number, words);
	if (PMPI_Allreduce(words, sums, FATHOM_VOTE_WORDS, MPI_UINT64_T, MPI_SUM, voters) == MPI_SUCCESS)
		fathom_event_vote_result(last_number, sums);
}
