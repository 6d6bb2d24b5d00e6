/* Constructs that are left by cancel: ends are missing, and what comes afterwards must be right all the same. */
#include <omp.h>
#include <stdio.h>

static int sum;

static void add(int n)
{
#pragma omp atomic
	sum += n;
}

int main(void)
{
	int round;

	for (round = 0; round < 5; round++) {
#pragma omp parallel
		{
			if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
			}
			while (omp_get_cancellation()) {
#pragma omp cancellation point parallel
			}
		}
#pragma omp parallel
		{
#pragma omp master
			{
				int i;
#pragma omp taskgroup
				{
					for (i = 0; i < 20; i++) {
#pragma omp task
						{
							if (omp_get_cancellation()) {
#pragma omp cancel taskgroup
							}
							add(1);
						}
					}
				}
			}
#pragma omp barrier
#pragma omp single
			add(1);
		}
	}
	printf("%d\n", sum > 4);
	return 0;
}
