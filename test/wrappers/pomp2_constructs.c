/* Each construct that OPARI2 takes, with expected visits in pomp2_constructs.expected: N is the number of threads. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int sum, threads, others[4];	/* counted under other locks than sum */

static void add(int n)
{
#pragma omp critical (sum)
	sum += n;
}

static void blocks(void)
{
	int i;

#pragma omp parallel
	{
#pragma omp for
		for (i = 0; i < 10; i++)
			add(1);
#pragma omp for schedule(dynamic, 2) nowait
		for (i = 0; i < 10; i++)
			add(1);
#pragma omp for ordered
		for (i = 0; i < 10; i++) {
#pragma omp ordered
			add(1);
		}
#pragma omp sections
		{
#pragma omp section
			add(1);
#pragma omp section
			add(1);
#pragma omp section
			add(1);
		}
#pragma omp single
		add(1);
#pragma omp single nowait
		add(1);
#pragma omp master
		add(1);
#pragma omp critical
		others[0]++;
#pragma omp atomic
		others[1]++;
#pragma omp barrier
#pragma omp flush
	}
#pragma omp parallel for reduction(+:sum)
	for (i = 0; i < 10; i++)
		sum++;
#pragma omp parallel sections
	{
#pragma omp section
		add(1);
#pragma omp section
		add(1);
	}
}

static int fib(int n)
{
	int x, y;

	if (n < 2)
		return n;
#pragma omp task shared(x) if(n > 3)
	x = fib(n - 1);
#pragma omp task shared(y) untied
	y = fib(n - 2);
#pragma omp taskwait
	return x + y;
}

static void tasks(void)
{
	add(fib(6));	/* outside of any team */
#pragma omp parallel
	{
#pragma omp single
		add(fib(6));
#pragma omp task
		add(1);
#pragma omp barrier
#pragma omp master
		{
			int i;

			for (i = 0; i < 200; i++) {
#pragma omp task
				add(1);
			}
		}
	}
}

static void recurse(int n)
{
#pragma omp parallel
	{	/* OPARI2 itself takes if without else for the whole body */
		if (n)
			recurse(n - 1);
		else
			add(1);
	}
}

static void nesting(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp barrier
			add(1);
		}
		add(1);
	}
#pragma omp parallel if(threads > 1000)
	{
#pragma omp for
		for (int i = 0; i < 4; i++)
			add(1);
	}
#pragma omp parallel num_threads(1)
	add(1);
	omp_set_max_active_levels(1);
	recurse(3);
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		{
#pragma omp task
			{
#pragma omp parallel num_threads(2)
				add(1);
			}
		}
	}
}

static void locks(void)
{
	omp_lock_t lock, only;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_lock(&only);
	omp_init_nest_lock(&nest);
#pragma omp parallel
	{
		omp_set_lock(&lock);
		others[2]++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		others[3] += omp_test_lock(&only);
		omp_unset_lock(&only);
		others[3] += omp_test_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	omp_destroy_lock(&lock);
	omp_destroy_lock(&only);
	omp_destroy_nest_lock(&nest);
}

static void *own_team(void *argument)
{
	for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp for
			for (int j = 0; j < 4; j++)
				add(1);
		}
	}
	return argument;
}

static void pthreads(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, own_team, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	threads = omp_get_max_threads();
	omp_set_max_active_levels(2);
#pragma pomp inst begin(blocks)
	blocks();
#pragma pomp inst end(blocks)
	tasks();
	nesting();
	locks();
	pthreads();
	printf("%d\n", sum + others[0] + others[1] + others[2] + others[3]);
	return 0;
}
