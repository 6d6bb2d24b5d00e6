/*
 * Tasks are too small for what it takes to create them.
 * run: 2 threads, profile
 * first: kind=small tasks, place=!$omp task
 */
#include <omp.h>
#include "catalogue.h"

static volatile int sum;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 100000; i++) {
#pragma omp task
		sum++;
	}
	return 0;
}
