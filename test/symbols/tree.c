/*
 * Known answers for loops and inlined functions in the call tree:
 *
 *	main > loop STEPS > inlined advance > loop CELLS		(with ADVANCE: below a measured function)
 *	main > loop STEPS > solve > loop ROWS > kernel > loop ITEMS	solve is recorded, or sampled; kernel is sampled
 *	main > kernel > loop ITEMS
 */
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;
volatile int rows = 4;
static double values[1024];

__attribute__((noinline)) void kernel(long n)
{
	double x = values[0];

	for (long i = 0; i < n; i++)				/* ITEMS */
		x = x * 0.5 + (double)i;
	sink = x;
}

static inline __attribute__((always_inline)) void advance(long n)
{
	for (long i = 0; i < n; i++)				/* CELLS */
		values[i & 1023] = values[(i + 7) & 1023] * 0.5 + 1;
}

__attribute__((noinline)) void solve(long n)
{
	for (int row = 0; row < rows; row++)			/* ROWS */
		kernel(n);
	sink += 1;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 100000;

	for (int step = 0; step < 40; step++) {			/* STEPS */
		advance(10 * n);
		solve(n);					/* CALL */
	}
	kernel(40 * n);
	printf("%g\n", sink);
	return 0;
}
