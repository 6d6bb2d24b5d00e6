/*
 * Recording switched off around all that goes on meanwhile: teams and their tasks, threads, requests that begin on one
 * side and end on the other, a jump out of functions, a handler. What is called hidden must not be in any result; what
 * is called seen is there as often as its calls say.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#include <fathom/fathom.h>
#ifdef USE_MPI
#include <mpi.h>
#endif

static jmp_buf back;
static volatile sig_atomic_t signals;

static void hidden(void)
{
	FATHOM_REGION("hidden");
	FATHOM_PARAMETER_INT("n", 1);
	FATHOM_METRIC_INT("hidden amount", "occ", "Not recorded", 1);
}

static void seen(void)
{
	FATHOM_REGION("seen");
	FATHOM_METRIC_INT("seen amount", "occ", "Recorded", 1);
}

static void *thread(void *unused)
{
	hidden();
	return unused;
}

/* Not several times in the program: its constructs would be different ones that read the same. */
static __attribute__((noinline)) void team(void (*work)(void))
{
#pragma omp parallel num_threads(3)
	{
		work();
#pragma omp task
		work();
#pragma omp taskwait
	}
}

static void leave(int depth)
{
	FATHOM_REGION("left");
	if (depth)
		leave(depth - 1);
	FATHOM_RECORDING_OFF();
	hidden();
	longjmp(back, 1);
}

static void handler(int number)
{
	(void)number;
	hidden();
	signals = signals + 1;
}

static void exchange(int rank, int size)
{
#ifdef USE_MPI
	MPI_Request requests[2];
	MPI_Status statuses[2];
	int out = rank, in = -1, sum;

	for (int turn = 0; turn < 2; turn++) {
		if (turn)
			FATHOM_RECORDING_OFF();
		MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, turn, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, turn, MPI_COMM_WORLD, &requests[1]);
		if (turn)
			FATHOM_RECORDING_ON();
		else
			FATHOM_RECORDING_OFF();
		MPI_Waitall(2, requests, statuses);
		if (!turn)
			FATHOM_RECORDING_ON();
	}
	FATHOM_RECORDING_OFF();
	MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	FATHOM_RECORDING_ON();
#else
	(void)rank;
	(void)size;
#endif
}

int main(int argc, char **argv)
{
	int rank = 0, size = 1;
	pthread_t other;

#ifdef USE_MPI
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
#else
	(void)argc;
	(void)argv;
#endif
	team(seen);
	FATHOM_RECORDING_OFF();		/* 1: teams, tasks, threads, a handler */
	team(hidden);
	if (!pthread_create(&other, NULL, thread, NULL))
		pthread_join(other, NULL);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	FATHOM_RECORDING_ON();
	seen();
	{
		FATHOM_REGION("around");
		FATHOM_RECORDING_OFF();	/* 2: the region ends while it is off */
	}
	hidden();
	FATHOM_RECORDING_ON();
	if (!setjmp(back))
		leave(3);		/* 3: the jump leaves what was begun */
	hidden();
	FATHOM_RECORDING_ON();
	seen();
	exchange(rank, size);
	for (int step = 0; step < 3; step++) {
		FATHOM_PHASE("step", step);
		if (step == 1)
			FATHOM_RECORDING_OFF();	/* 4: the rest of an iteration, and the next one's begin */
		team(step ? hidden : seen);
	}
	FATHOM_RECORDING_ON();
	team(seen);
#ifdef USE_MPI
	MPI_Finalize();
#endif
	printf("%d\n", (int)signals);
	return 0;
}
