/*
 * Contention: all that four threads do is done while they hold the same lock. It sleeps, so that the others have to
 * wait however many processors there are.
 */
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 4, TIMES = 50 };

static omp_lock_t lock;
static int done;

__attribute__((noinline)) static void guarded(void)
{
	const struct timespec pause = { .tv_nsec = 100000 };

	nanosleep(&pause, NULL);
	done++;
}

__attribute__((noinline)) static void repeat(void)
{
	for (int i = 0; i < TIMES; i++) {
		omp_set_lock(&lock);
		guarded();
		omp_unset_lock(&lock);
	}
}

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp barrier
		repeat();
	}
	omp_destroy_lock(&lock);
	printf("%d\n", done);
	return 0;
}
