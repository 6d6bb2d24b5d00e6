/*
 * Phases of a program with processes and threads: every rank numbers its steps alike, threads work inside of them.
 * Some steps take longer than others, and rank 1 longer than the rest; `fathom report` says which.
 */
#include <mpi.h>
#include <stdio.h>

#include <fathom/fathom.h>

enum { STEPS = 12 };

static double compute(int work)
{
	double sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
		FATHOM_REGION("share");
		for (int i = 0; i < work; i++)
			sum += i * 0.5;
	}
	return sum;
}

int main(int argc, char **argv)
{
	double sum = 0, all;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < STEPS; step++) {
		FATHOM_PHASE("step", step);
		sum += compute(step % 4 == 3 ? 40000 : 10000 * (1 + rank));
		MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	FATHOM_RECORDING_OFF();		/* of a profile; messages stay in traces */
	compute(1000);
	MPI_Barrier(MPI_COMM_WORLD);
	FATHOM_RECORDING_ON();
	if (rank == 0)
		printf("%.1f\n", all);
	MPI_Finalize();
	return 0;
}
