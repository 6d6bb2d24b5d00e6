/*
 * Tasks of two sizes: a few that work for milliseconds, and very many that do nothing but create two more.
 */
#include <stdio.h>

enum { THREADS = 4, LARGE = 8, DEPTH = 15 };

static volatile double sink;

__attribute__((noinline)) static void work(void)
{
	double sum = 0;

	for (int i = 1; i < 200000; i++)
		sum += 1.0 / i;
	sink = sum;
}

static void divide(int depth)
{
	for (int half = 0; half < 2 && depth > 0; half++) {
#pragma omp task firstprivate(depth)
		divide(depth - 1);
	}
}

int main(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp single
		{
			for (int i = 0; i < LARGE; i++) {
#pragma omp task
				work();
			}
			divide(DEPTH);
		}
	}
	printf("done\n");
	return 0;
}
