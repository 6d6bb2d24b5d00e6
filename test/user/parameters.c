/*
 * Parameters count no visit twice: in functions and in explicit tasks, before and after something was called, and in
 * tasks that were suspended.
 */
#include <fathom/fathom.h>

static volatile double sum;

__attribute__((noinline)) static void work(int n)
{
	FATHOM_REGION("work");
	for (int i = 0; i < n; i++)
		sum += i;
}

/* Called 30 times. */
__attribute__((noinline)) static void leaf(int i)
{
	FATHOM_REGION("leaf");
	FATHOM_PARAMETER_INT("n", i % 2);
	work(1000);
}

/* Called 30 times; a third of them calls something before. */
__attribute__((noinline)) static void late(int i)
{
	FATHOM_REGION("late");
	if (i % 3 == 0)
		work(1000);
	FATHOM_PARAMETER_INT("n", i % 2);
	work(1000);
}

/* Called once, and goes on twice with another value. */
__attribute__((noinline)) static void again(void)
{
	FATHOM_REGION("again");
	for (int i = 0; i < 3; i++) {
		FATHOM_PARAMETER_INT("n", i);
		work(1000);
	}
}

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(i)
		{
			if (i % 3 == 1)
				work(1000);
			if (i % 3 == 2) {
#pragma omp task
				work(500);
#pragma omp taskwait
			}
			FATHOM_PARAMETER_INT("i", i % 2);
			leaf(i);
			late(i);
		}
	}
	again();
	return 0;
}
