/*
 * prog [COUNT]: uses what a profile can contain: phases, parameters, values of the program, recursion, a team of two
 * threads with nested tasks. COUNT turns; without it, until it is killed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <fathom/fathom.h>

static volatile double sink;

__attribute__((noinline)) static void work(int amount)
{
	for (int i = 0; i < amount; i++)
		sink += i;
}

__attribute__((noinline)) static int recurse(int depth)
{
	FATHOM_PARAMETER_INT("depth", depth % 3);
	work(10);
	return depth ? recurse(depth - 1) + 1 : 0;
}

__attribute__((noinline)) static void task(int number)
{
	FATHOM_PARAMETER_STRING("kind", number % 2 ? "odd" : "even");
	work(100);
	if (number > 2) {
#pragma omp task
		work(50);
#pragma omp taskwait
	}
	FATHOM_METRIC_UINT("cells", "cells", "Cells updated", (unsigned)number);
}

__attribute__((noinline)) static void team(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 6; i++) {
#pragma omp task firstprivate(i)
		task(i);
	}
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : -1;

	for (int turn = 0; turn != turns; turn++) {
		FATHOM_PHASE("turn", turn);
		work(100 + turn % 3 * 2000);
		FATHOM_POINT_DOUBLE("load", "%", "How busy it is", turn % 7);
		recurse(turn % 9);
		if (turn % 5 == 1)
			team();
		if (turns < 0 && turn % 10 == 0)
			usleep(1000);
	}
	puts("done");
	return 0;
}
