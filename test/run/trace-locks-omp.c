/* Critical regions and locks of OpenMP, in the order of first use: see trace-locks.sh. */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 50 };

/* Unnamed as the first one, so the same lock. */
static void again(long *count)
{
#pragma omp critical
	++*count;
}

int main(void)
{
	long unnamed = 0, named = 0, locked = 0, nested = 0, got = 0;
	omp_lock_t lock, tried;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_lock(&tried);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
		unnamed++;
		again(&unnamed);
#pragma omp critical(name)
		named++;
#pragma omp critical(name)
		named++;
		omp_set_lock(&lock);
		locked++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		if (omp_test_nest_lock(&nest) == 2)
			nested++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		if (omp_test_lock(&tried)) {
			got++;
			omp_unset_lock(&tried);
		}
	}
	omp_destroy_lock(&lock);
	omp_destroy_lock(&tried);
	omp_destroy_nest_lock(&nest);
	printf("counts %ld %ld %ld %ld, got %ld\n", unnamed, named, locked, nested, got);
	return 0;
}
