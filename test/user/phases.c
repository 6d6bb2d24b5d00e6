/*
 * phases ITERATIONS THREADS: iterations of three kinds, in which threads work; in the first and the last something is
 * called that is not in others. Visits are exact whatever becomes of the iterations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

#include <fathom/fathom.h>

static volatile double sink;

static void work(int amount)
{
	FATHOM_REGION("work");
	for (int i = 0; i < amount; i++)
		sink += i;
}

static void nested(int depth)
{
	FATHOM_REGION("nested");
	FATHOM_PARAMETER_INT("depth", depth);
	if (depth)
		nested(depth - 1);
}

int main(int argc, char **argv)
{
	int iterations = atoi(argv[1]), threads = atoi(argv[2]);

	(void)argc;
	for (int i = 0; i < iterations; i++) {
		FATHOM_PHASE("turn", i);
		work(100 + i % 3 * 20000);
		if (i == 0 || i == iterations - 1) {
			FATHOM_REGION("seldom");
		}
#pragma omp parallel num_threads(threads)
		{
			FATHOM_REGION("share");
			work(10);
			nested(i % 2);
		}
		for (int inner = 0; inner < 2; inner++) {
			FATHOM_PHASE("inner", inner);
			work(1);
		}
	}
	puts("done");
	return 0;
}
