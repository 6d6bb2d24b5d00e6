/*
 * Metrics of the program: amounts and values at points, in threads, in phases, given wrongly; with MPI where USE_MPI is
 * defined. What rank r and thread t give is known, see metrics.sh.
 */
#include <math.h>
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

static void work(int rank, int thread)
{
	FATHOM_REGION("work");
	for (int i = 1; i <= 3; i++) {
		FATHOM_METRIC_INT("balance", "coins", "What is left", -i * (thread + 1));
		FATHOM_METRIC_UINT("cells", "cells", "Cells updated", 1000 * (unsigned)i);
		FATHOM_METRIC_DOUBLE("energy", "J", "Energy used", 0.25 * i);
		FATHOM_POINT_DOUBLE("load", "%", "How busy it is", 10.0 * rank + thread + i / 4.0);
	}
	{
		FATHOM_REGION("inner");
		FATHOM_METRIC_UINT("cells", "cells", "", 5);
		FATHOM_POINT_INT("depth", "levels", "Depth of the tree", -7 + thread + rank);
		FATHOM_POINT_INT("depth", "levels", "", 7 + thread + rank);
		FATHOM_POINT_UINT("queue", "", "Length of the queue", 100u - (unsigned)thread);
	}
}

/* A name that means two things, one that is a part of another, what is no number, a name that a profile has. */
static void wrong(void)
{
	FATHOM_REGION("wrong");
	FATHOM_METRIC_DOUBLE("cells", "cells", "Cells updated", 2.75);
	FATHOM_METRIC_UINT("cells", "rows", "Cells updated", 1);
	FATHOM_METRIC_UINT("load::max", "%", "", 1);
	FATHOM_METRIC_DOUBLE("energy", "J", "Energy used", NAN);
	FATHOM_METRIC_INT("", "", "", 1);
	for (int i = 0; i < 3; i++)
		FATHOM_POINT_UINT("time", "ms", "Not that of the profile", 4u + (unsigned)i);
}

int main(int argc, char **argv)
{
	int rank = 0;

#ifdef USE_MPI
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#else
#endif
#pragma omp parallel num_threads(3)
	{
#ifdef _OPENMP
		work(rank, omp_get_thread_num());
#else
		work(rank, 0);
#endif
	}
	for (int step = 0; step < 4; step++) {
		FATHOM_PHASE("step", step);
		FATHOM_POINT_DOUBLE("residual", "", "What is left to do", 1.0 / (1 << step));
		FATHOM_METRIC_INT("steps", "occ", "Steps done", 1);
	}
	FATHOM_RECORDING_OFF();
	FATHOM_METRIC_INT("steps", "occ", "Steps done", 1000);
	FATHOM_RECORDING_ON();
	if (rank == 0)
		wrong();
	if (argc > 1 && !strcmp(argv[1], "abort"))
		abort();
#ifdef USE_MPI
	MPI_Finalize();
#endif
	puts("done");
	return 0;
}
