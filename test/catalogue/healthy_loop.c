/*
 * A loop whose iterations take equal time.
 * run: 2 threads, profile
 * first: none
 */
#include <omp.h>
#include "catalogue.h"

static void element(void) { spend(0.05); }

int main(void)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 8; i++)
		element();
	return 0;
}
