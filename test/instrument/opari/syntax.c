#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static int my_omp_set_lock_count;
int linux_ = 0;
static int count(int c) {
	int n = 0;
	if (c)
#pragma omp critical
		{ n = 1; }
	else
		n = 2;
	if (c > 1)
#pragma omp critical (b)
		n += 10;
	else if (c < -1)
#pragma omp critical (b)
		n += 20;
	else
#pragma omp critical (b)
		n += 30;
	return n; }
#define CRIT(stmt) do { _Pragma("omp critical") stmt; } while (0)
static int body(int *x) { if (x) {
#pragma omp critical
	x[0]++; }
#pragma omp parallel for
	for (int i = 0; i < 3; i++) x[i]++;
#pragma omp critical
	do { x[1]++; } while (x[1] < 7);
#pragma omp critical
	if (x[0]) x[2]++; else x[2]--;
#pragma omp critical
	switch (x[0]) { case 1: x[2]++; break; default: x[2]--; }
#pragma omp critical
	while (x[2] < 10) x[2]++;
#pragma omp critical
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) x[0]++;
#pragma omp parallel for collapse(2)
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
#pragma omp atomic
			x[0]++;
#pragma omp parallel sections
	{
		x[3]++;
#pragma omp section
		x[4]++;
#pragma omp section
		{ x[5]++; } }
	CRIT(x[6]++);
	for (int i = 0; i < 3; i++) {
#pragma omp atomic
		x[7]++; }
	return x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7]; }
static int elsewhere_count;
static void elsewhere(void)
{
#pragma omp atomic
	elsewhere_count++;
}
/* What begins with a word like else is no part of the statement before. */
static int words(void)
{
	int once = 0;
#pragma omp parallel num_threads(3)
	{
#pragma omp single
		once++;
		elsewhere();
#pragma omp single
		{ once++; }
		elsewhere();
	}
	return 10 * once + elsewhere_count;
}
int main(void)
{
	int x[8] = { 0 };
	omp_lock_t lock;
	omp_nest_lock_t nest;
	const char *name = "omp_set_lock my_omp_set_lock";
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	void (*set)(omp_lock_t *) = omp_set_lock;
	set(&lock);
	omp_unset_lock(&lock);
	omp_set_nest_lock(&nest);
	printf("%d %d\n", omp_test_lock(&lock), omp_test_nest_lock(&nest));
	my_omp_set_lock_count++;
	printf("%d %d %d %d\n", count(0), count(1), count(2), count(-2));
	printf("%d\n", body(x));
	printf("%s %d %s %d\n", name, my_omp_set_lock_count, __FILE__, __LINE__);
#pragma omp parallel num_threads(2)
	{
		#  pragma omp single
		printf("spaces\n");
#pragma omp \
	for
		for (int i = 0; i < 10; i++) { x[i % 8]++; }
#pragma omp barrier
#pragma omp single
		{
			for (int i = 0; i < 4; i++)
#pragma omp task untied
			{
#pragma omp atomic
				x[0]++;
			}
#pragma omp taskwait
#pragma omp taskgroup
			{
#pragma omp task
				{
#pragma omp atomic
				x[0]++; }
			}
		}
#pragma omp flush
#pragma omp for ordered
		for (int i = 0; i < 4; i++)
#pragma omp ordered
			printf("%d\n", i);
	}
#pragma omp parallel num_threads(4)
	{
#pragma omp for
		for (int i = 0; i < 100; i++) {
#pragma omp cancel for if(i == 1000)
		}
#pragma omp cancel parallel
	}
	printf("%d %d\n", x[0], words());
	return EXIT_SUCCESS;
}
