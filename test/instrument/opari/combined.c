#include <stdio.h>
#include <omp.h>
static int a[100];
static int next(int *x) { return ++*x; }
int main(void)
{
	int i, n = 0, last = 0, lin = 0, first = 5, zero = 0, calls = 0;
	int x = 3;
#pragma omp parallel for simd reduction(+:n) num_threads(3)
	for (i = 0; i < 100; i++) n += i;
	printf("for simd %d %d\n", n, i);
#pragma omp parallel for simd default(none) shared(a) reduction(+:n) lastprivate(last) schedule(static, 2 * (1 + 1))
	for (int k = 0; k < 100; k++) { a[k] = k; n += a[k]; last = k; }
	printf("none %d %d\n", n, last);
#pragma omp parallel for linear(lin:2)
	for (i = 0; i < 100; i++) { a[i] = lin; lin += 2; }
	printf("linear %d %d\n", a[50], lin);
#pragma omp parallel for firstprivate(first) lastprivate(first) schedule(static, 1)
	for (i = 0; i < 10; i++) first = first > 100 ? first : 100 + i;
	printf("firstlast %d\n", first >= 100);
#pragma omp parallel for schedule(dynamic, (1) * (x)) num_threads(2)
	for (i = 0; i < 10; i++) a[i] = i * x;
	printf("schedule %d\n", a[9]);
	int sum = 0;
#pragma omp parallel for reduction(inscan, +:sum)
	for (i = 0; i < 100; i++) {
		sum += i;
#pragma omp scan inclusive(sum)
		a[i] = sum;
	}
	printf("inscan %d %d\n", sum, a[10]);
#pragma omp parallel loop reduction(+:n)
	for (i = 0; i < 100; i++) n += i;
	printf("loop %d\n", n);
#pragma omp parallel master num_threads(2)
	{ printf("master %d\n", omp_get_num_threads()); }
#pragma omp parallel masked num_threads(2) private(x)
	{ x = 1; printf("masked %d\n", omp_get_num_threads() + x); }
#pragma omp parallel num_threads(2)
	{
#pragma omp master taskloop grainsize(10)
		for (int k = 0; k < 100; k++) a[k] = 7 * k;
	}
	printf("master taskloop %d\n", a[99]);
#pragma omp parallel master taskloop num_threads(2) if(parallel: x > 1) private(last)
	for (int k = 0; k < 100; k++) { last = k; a[k] = 8 * last; }
	printf("parallel master taskloop %d\n", a[99]);
#pragma omp parallel if(parallel: zero)
	printf("if %d\n", omp_get_num_threads());
#pragma omp parallel if(next(&calls) > 0) num_threads(2)
#pragma omp single
#pragma omp task if(task: zero) firstprivate(x)
	printf("task %d %d\n", x, calls);
#pragma omp parallel for ordered(1) num_threads(2)
	for (i = 1; i < 10; i++) {
#pragma omp ordered depend(sink: i - 1)
		a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	printf("doacross %d\n", a[9] - a[0]);
#pragma omp parallel for order(concurrent)
	for (i = 0; i < 10; i++) a[i] = i;
	printf("order %d\n", a[9]);
	return 0;
}
