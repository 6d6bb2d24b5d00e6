/*
 * One section takes much longer than the other.
 * run: 2 threads, profile
 * first: kind=imbalance, place=!$omp parallel, seconds=0.4
 */
#include <omp.h>
#include "catalogue.h"

static void large(void) { spend(0.5); }

static void small(void) { spend(0.1); }

int main(void)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		large();
#pragma omp section
		small();
	}
	return 0;
}
