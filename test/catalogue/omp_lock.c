/*
 * Threads wait for a lock that another thread holds for long.
 * run: 2 threads, profile
 * first: kind=lock contention, place=locked_update
 */
#include <omp.h>
#include "catalogue.h"

static omp_lock_t lock;

static void locked_update(void)
{
	omp_set_lock(&lock);
	spend(0.02);
	omp_unset_lock(&lock);
}

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 10; i++)
		locked_update();
	return 0;
}
