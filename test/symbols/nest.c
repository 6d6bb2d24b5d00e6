/* A loop nest with an inlined function: main > loop ROUNDS > inlined smooth > loop ROWS > loop COLUMNS. */
#include <stdio.h>
#include <stdlib.h>

static double values[4096];

static inline __attribute__((always_inline)) double smooth(double *row, int count)
{
	double sum = 0;

	for (int j = 0; j < count; j++) {			/* ROWS */
		double v = row[j] * 0.5 + 1;

		if (v > 3)
			v = v / 3;
		for (int k = 1; k < count; k++)			/* COLUMNS */
			v += row[(j * k) & 63] / (v + k);	/* WORK */
		row[j] = v;
		sum += v;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	double sum = 0;

	for (int i = 0; i < rounds; i++) {			/* ROUNDS */
		double *row = values + (i & 63) * 64;

		sum += smooth(row, 64);				/* CALL */
		if (sum > 1e30)
			sum = 0;
	}
	printf("%g\n", sum);
	return 0;
}
