/*
 * False sharing: four threads count, each for itself, but their counters lie in one cache line; then once more in
 * lines of their own.
 */
#include <stdio.h>

enum { THREADS = 4, BLOCKS = 400, COUNTS = 500, LINE = 64 / sizeof(long) };

static _Alignas(64) volatile long close_by[THREADS], apart[THREADS * LINE];

__attribute__((noinline)) static void count_close_by(int thread)
{
	for (int i = 0; i < COUNTS; i++)
		close_by[thread]++;
}

__attribute__((noinline)) static void count_apart(int thread)
{
	for (int i = 0; i < COUNTS; i++)
		apart[thread * LINE]++;
}

int main(void)
{
	long sum = 0;

#pragma omp parallel for schedule(static) num_threads(THREADS)
	for (int block = 0; block < BLOCKS; block++)
		count_close_by(block / (BLOCKS / THREADS));
#pragma omp parallel for schedule(static) num_threads(THREADS)
	for (int block = 0; block < BLOCKS; block++)
		count_apart(block / (BLOCKS / THREADS));
	for (int thread = 0; thread < THREADS; thread++)
		sum += close_by[thread] - apart[thread * LINE];
	printf("%ld\n", sum);
	return 0;
}
