/* Computes in parallel regions, their constructs, explicit tasks and a nested region, and outside. */
#include <omp.h>
#include <stdlib.h>

static volatile double sum;

static void work(int amount)
{
	double own = 0;

	for (int i = 0; i < amount * 1000; i++)
		own += i;
	sum = own;
}

static void spread(void)
{
	int i;

#pragma omp parallel num_threads(3)
	{
		work(2);
#pragma omp barrier
		work(1 + omp_get_thread_num());
#pragma omp for
		for (i = 0; i < 6; i++)
			work(1);
#pragma omp critical
		work(1);
#pragma omp single
		work(1);
#pragma omp master
		work(1);
	}
}

static void make_tasks(int count)
{
	int i;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (i = 0; i < count; i++) {
#pragma omp task
			work(2);
		}
#pragma omp taskwait
		work(1);
	}
}

int main(int argc, char **argv)
{
	int tasks = argc > 2 ? atoi(argv[2]) : 0, i;

	for (i = 0; i < (argc > 1 ? atoi(argv[1]) : 5); i++) {
		work(3);
		spread();
		if (tasks)
			make_tasks(tasks);
	}
	work(1);
	return 0;
}
