/*
 * A thread reaches a barrier late.
 * run: 2 threads, profile
 * first: kind=imbalance, place=!$omp parallel, seconds=0.4
 */
#include <omp.h>
#include "catalogue.h"

static void prepare(void) { spend(0.4); }

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			prepare();
#pragma omp barrier
		spend(0.1);
	}
	return 0;
}
