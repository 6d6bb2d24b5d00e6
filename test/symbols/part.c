/* GCC divides refine, whose begin is cheap, and inlines both parts, one into the other: they are one call. */
#include <stdio.h>
#include <stdlib.h>
static double table[64];

static double refine(double x, int depth)
{
	if (depth == 0)
		return x;
	for (int i = 0; i < 64; i++)
		x += table[i] / (x + i + depth);
	for (int i = 0; i < 64; i++)
		x -= table[i] / (x * i + depth);
	return x;
}

int main(int argc, char **argv)
{
	double sum = 0;

	for (int i = 0; i < argc * 1000; i++) {
		sum += refine(sum, i & 1);
		if (i % 7 == 3)
			sum += refine(sum, 3);
	}
	printf("%g\n", sum);
	return 0;
}
