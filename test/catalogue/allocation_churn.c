/*
 * A loop allocates memory for each of many small objects, and frees it at once.
 * run: profile, FATHOM_SAMPLING=1000
 * first: kind=allocation churn, place=assemble
 */
#include <stdlib.h>
#include "catalogue.h"

enum { ROWS = 64 };

static double *volatile rows[ROWS];	/* volatile: otherwise the compiler leaves out the allocation */

__attribute__((noinline)) static void assemble(void)
{
	for (int step = 0; step < 1200000; step++) {
		for (int i = 0; i < ROWS; i++)
			rows[i] = malloc((size_t)(40 + 24 * i));
		for (int i = 0; i < ROWS; i++)
			free(rows[i]);
	}
}

int main(void)
{
	assemble();
	compute(0.3);
	return 0;
}
