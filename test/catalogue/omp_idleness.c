/*
 * One of two threads has a long part of the work. The profile records who is idle meanwhile, so the part is named.
 * run: 2 threads, profile, FATHOM_IDLENESS=on
 * first: kind=imbalance, place=long_part, seconds=0.4
 */
#include <omp.h>
#include "catalogue.h"

static void long_part(void) { spend(0.4); }

static void step(int thread)
{
	spend(0.1);
	if (thread == 1)
		long_part();
}

int main(void)
{
#pragma omp parallel num_threads(2)
	step(omp_get_thread_num());
	return 0;
}
