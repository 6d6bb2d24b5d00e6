/*
 * More threads compute than there are processors.
 * run: 8 threads, profile
 * first: kind=oversubscription
 */
#include <omp.h>
#include "catalogue.h"

static void solve(void) { compute(0.2); }

int main(void)
{
#pragma omp parallel num_threads(4 * omp_get_num_procs())
	solve();
	return 0;
}
