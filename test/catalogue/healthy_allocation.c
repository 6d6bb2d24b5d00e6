/*
 * Each step allocates memory, but takes much longer to use it.
 * run: profile, FATHOM_SAMPLING=1000
 * first: none
 */
#include <stdlib.h>
#include "catalogue.h"

static double sum;

__attribute__((noinline)) static void step(int number)
{
	double *volatile rows[8];

	for (int i = 0; i < 8; i++)
		rows[i] = calloc(1000, sizeof(double));
	for (int k = 0; k < 20; k++)
		for (int i = 0; i < 8; i++)
			for (int j = 0; j < 1000; j++)
				rows[i][j] += number * k;
	for (int i = 0; i < 8; i++) {
		sum += rows[i][number % 1000];
		free(rows[i]);
	}
}

int main(void)
{
	for (int i = 0; i < 3000; i++)
		step(i);
	return sum < 0;
}
