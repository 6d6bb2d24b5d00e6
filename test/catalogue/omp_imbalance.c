/*
 * The iterations of a loop take different time, and are distributed in blocks of equal size.
 * run: 2 threads, profile
 * first: kind=imbalance, place=!$omp parallel, seconds=0.4
 */
#include <omp.h>
#include "catalogue.h"

static void element(int i) { spend(i < 4 ? 0.02 : 0.12); }

int main(void)
{
#pragma omp parallel for num_threads(2) schedule(static)
	for (int i = 0; i < 8; i++)
		element(i);
	return 0;
}
