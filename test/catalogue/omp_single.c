/*
 * All threads wait while one of them executes a single construct.
 * run: 2 threads, profile
 * first: kind=imbalance, place=!$omp parallel, seconds=0.4
 */
#include <omp.h>
#include "catalogue.h"

static void plan(void) { spend(0.4); }

static void solve(void) { spend(0.1); }

int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		plan();
		solve();
	}
	return 0;
}
