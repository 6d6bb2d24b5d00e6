/* What may run on another device is left alone; what stands beside it is measured. */
#include <stdio.h>
int main(void)
{
	int a[10], n = 0;
#pragma omp target map(from: a)
	{
#pragma omp parallel for
		for (int i = 0; i < 10; i++)
			a[i] = i;
	}
#pragma omp target data map(tofrom: a)
	{
#pragma omp parallel for
		for (int i = 0; i < 10; i++)
			a[i]++;
#pragma omp target update from(a)
	}
#pragma omp target teams distribute parallel for reduction(+:n) map(tofrom: n)
	for (int i = 0; i < 10; i++) n += a[i];
#pragma omp declare target
#pragma omp end declare target
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for
	for (int i = 0; i < 10; i++) a[i]++;
#pragma omp scope
	{ n++; }
#pragma omp taskloop shared(n)
	for (int i = 0; i < 3; i++) {
#pragma omp atomic
		n++; }
	printf("%d %d\n", n, a[3] > 3);
	return 0;
}
