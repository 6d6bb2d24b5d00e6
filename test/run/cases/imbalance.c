/*
 * Unequal work: a loop of 27000 elements in chunks of 2000 for eight threads. There are 14 chunks: five threads
 * get two of them, one gets one and a half, two get one.
 */
#include <stdio.h>

enum { ELEMENTS = 27000, CHUNK = 2000, THREADS = 8, STEPS = 4 };

static double volume[ELEMENTS];

__attribute__((noinline)) static double element_volume(int element)
{
	double sum = 0;

	for (int corner = 1; corner <= 8; corner++)
		sum += 1.0 / (element + corner);
	return sum;
}

__attribute__((noinline)) static void all_volumes(void)
{
#pragma omp parallel for schedule(static, CHUNK) num_threads(THREADS)
	for (int element = 0; element < ELEMENTS; element++)
		volume[element] = element_volume(element);
}

int main(void)
{
	double sum = 0;

	for (int step = 0; step < STEPS; step++)
		all_volumes();
	for (int element = 0; element < ELEMENTS; element++)
		sum += volume[element];
	printf("%.6f\n", sum);
	return 0;
}
