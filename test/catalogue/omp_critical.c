/*
 * Threads wait for each other in a critical construct.
 * run: 2 threads, profile
 * first: kind=lock contention, place=!$omp critical
 */
#include <omp.h>
#include "catalogue.h"

static void update(void) { spend(0.02); }

int main(void)
{
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 10; i++) {
#pragma omp critical
		update();
	}
	return 0;
}
