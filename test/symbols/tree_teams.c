/*
 * Known answers for loops in the bodies of OpenMP constructs, which compilers make functions of:
 *
 *	main > loop STEPS > !$omp parallel > loop PARTS > kernel > loop ITEMS
 *	main > loop STEPS > !$omp parallel > !$omp for > loop ROWS
 */
#include <stdlib.h>

static volatile double sink;
static double values[1024];
volatile int parts = 3;

__attribute__((noinline)) void kernel(long n)
{
	double x = values[0];

	for (long i = 0; i < n; i++)				/* ITEMS */
		x = x * 0.5 + (double)i;
	sink = x;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 100000;

	for (int step = 0; step < 20; step++) {			/* STEPS */
#pragma omp parallel num_threads(2)
		{
			for (int part = 0; part < parts; part++)	/* PARTS */
				kernel(n);
#pragma omp for
			for (int row = 0; row < 1000; row++)
				for (long i = 0; i < n / 250; i++)	/* ROWS */
					values[row] += (double)i * 0.5;
		}
	}
	return 0;
}
