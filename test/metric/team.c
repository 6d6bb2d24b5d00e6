/* A short program with a team: prints how long main took, in ns. */
#include <stdio.h>
#include <time.h>

static volatile double sum;

int main(void)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 1000; i++)
		sum += i;
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%lld\n", (long long)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec);
	return 0;
}
