/*
 * Each thread adds to a counter of its own, but all counters are in one cache line.
 * run: 2 threads, profile, counter of modified cache lines
 * first: kind=false sharing, place=count_matches
 */
#include <omp.h>
#include "catalogue.h"

static volatile long matches[8];

__attribute__((noinline)) static void count_matches(void)
{
	volatile long *mine = &matches[omp_get_thread_num()];

	for (int i = 0; i < 30000000; i++)
		*mine += i & 1;
}

int main(void)
{
#pragma omp parallel num_threads(2)
	count_matches();
	return 0;
}
