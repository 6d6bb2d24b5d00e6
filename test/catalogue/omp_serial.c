/*
 * Most of the program is in no parallel region.
 * run: 2 threads, profile
 * first: kind=idle threads, place=plan, seconds=0.4
 */
#include <omp.h>
#include "catalogue.h"

static void plan(void) { spend(0.2); }

static void solve(void) { spend(0.1); }

int main(void)
{
	for (int i = 0; i < 3; i++) {
		if (i)
			plan();
#pragma omp parallel num_threads(2)
		solve();
	}
	return 0;
}
