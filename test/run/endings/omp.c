/* All threads of a team crash at the same time: they write to an array that is not there. */
#include <stdio.h>
#include <stdlib.h>

static volatile long sink;
static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
static double *array(void) { return NULL; }

int main(void)
{
	double *numbers = array();

	printf("begin\n");
	fflush(stdout);
	work();
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < 1000; i++) {
		work();
		numbers[i + 1] = i;
	}
	return 0;
}
