#define _GNU_SOURCE	/* a header in front of this would hide asprintf */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "headers.h"
#ifdef TWICE
#define THREADS 2
#pragma omp declare simd
#else
#define THREADS 3
#endif
static int twice(int x) { return 2 * x; }
int unix_ = 1, linux_ = 1;
int main(void)
{
	int hits = 0;
	char *text;
#pragma omp parallel num_threads(THREADS) reduction(+:hits)
	{
		LOOP(10) hits += twice(i);
#ifdef TWICE
#pragma omp single
#else
#pragma omp master
#endif
		hits++;
	}
	if (asprintf(&text, "%s:%d %s", __FILE__, __LINE__, __func__) < 0)
		return 1;
	puts(text);
	free(text);
	printf("%d %d %d\n", hits, header_sum(10), __COUNTER__);
#line 100 "elsewhere.y"
#pragma omp parallel sections
	{
#pragma omp section
		assert(hits > 0);
	}
	return 0;
}
