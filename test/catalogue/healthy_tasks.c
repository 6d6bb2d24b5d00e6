/*
 * Large tasks, which all threads execute.
 * run: 2 threads, profile
 * first: none
 */
#include <omp.h>
#include "catalogue.h"

static void element(void) { spend(0.02); }

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		element();
	}
	return 0;
}
