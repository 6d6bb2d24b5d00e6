/*
 * Topologies: a ring of processes, a grid of threads, and what is said wrongly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fathom/fathom.h>
#ifdef USE_MPI
#include <mpi.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

int main(int argc, char **argv)
{
	const int mesh[] = { 4, 2 }, around[] = { 1, 0 };
	const char *const names[] = { "x", "y <&>" };
	int rank = 0, wrong[] = { 4, 0 };
	const int *nothing = NULL;
	const char *no_name = NULL;
	const int grid[] = { 3, 4, 2 };

#ifdef USE_MPI
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
	FATHOM_TOPOLOGY("mesh", 2, mesh, around, names);
	FATHOM_TOPOLOGY("cube of threads", 3, grid, NULL, NULL);
	{
		const int place[] = { rank % 4, rank / 4 };
		FATHOM_TOPOLOGY_PROCESS("mesh", 2, place);
	}
#pragma omp parallel num_threads(3)
	{
#ifdef _OPENMP
		int thread = omp_get_thread_num();
#else
		int thread = 0;
#endif
		const int place[] = { thread, rank, 1 };
		FATHOM_REGION("work");
		FATHOM_TOPOLOGY_THREAD("cube of threads", 3, place);
	}
	if (rank == 0) {
		FATHOM_TOPOLOGY("mesh", 2, mesh, NULL, names);
		FATHOM_TOPOLOGY("flat", 0, mesh, NULL, NULL);
		FATHOM_TOPOLOGY_PROCESS("mesh", 2, wrong);
		FATHOM_TOPOLOGY_PROCESS("mesh", 1, wrong);
		FATHOM_TOPOLOGY_PROCESS("nowhere", 2, wrong);
		FATHOM_TOPOLOGY("nothing", 2, nothing, NULL, NULL);
		FATHOM_TOPOLOGY_THREAD("mesh", 2, nothing);
		FATHOM_NAMED_BEGIN(no_name);
		FATHOM_NAMED_END(no_name);
	}
	if (argc > 1 && !strcmp(argv[1], "abort"))
		abort();
#ifdef USE_MPI
	MPI_Finalize();
#endif
	puts("done");
	return 0;
}
