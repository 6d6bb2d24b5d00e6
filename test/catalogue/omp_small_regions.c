/*
 * A parallel region is too short for what it takes to start a team.
 * run: 2 threads, profile
 * first: kind=small regions, place=!$omp parallel
 */
#include <omp.h>
#include "catalogue.h"

static volatile int sums[64];

int main(void)
{
	for (int i = 0; i < 20000; i++) {
#pragma omp parallel num_threads(2)
		sums[omp_get_thread_num() * 32]++;
	}
	return 0;
}
