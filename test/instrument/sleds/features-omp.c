/* Functions that GCC makes for OpenMP have the attributes of those they come from, but are none of the program's. */
#include <omp.h>
#include <stdio.h>

static volatile int zero;

int work(int x) { for (int i = 0; i < 30; i++) x = x * 3 + zero; return x; }
int region(int n)
{
	int sum = 0;

#pragma omp parallel num_threads(3) reduction(+ : sum)
	{
#pragma omp for
		for (int i = 0; i < n; i++)
			sum += work(i) % 7;
#pragma omp single
#pragma omp task
		work(1);
	}
	return sum;
}
#pragma omp declare simd
int lanes(int x) { for (int i = 0; i < 3; i++) x += i * x; return x; }
__attribute__((target_clones("avx2", "default"))) int versions(const int *a, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}
int offloaded(int n)
{
	int sum = 0;

#pragma omp target map(tofrom : sum)
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

int main(void)
{
	int a[64];

#pragma omp simd
	for (int i = 0; i < 64; i++)
		a[i] = lanes(i);
	printf("%d %d %d\n", region(20), versions(a, 64), offloaded(9));
	return 0;
}
