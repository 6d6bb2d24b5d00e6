/* Explicit tasks that wait for others: what is counted while a task is suspended is not its own. */
#include "touch.h"

__attribute__((noinline)) static void child(void)
{
	touch(100);
}

__attribute__((noinline)) static void parent(void)
{
	touch(30);
	for (int i = 0; i < 3; i++) {
#pragma omp task
		child();
	}
#pragma omp taskwait
	touch(7);
}

int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < 5; i++) {
#pragma omp task
		parent();
	}
	return 0;
}
